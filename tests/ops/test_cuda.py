# SPDX-License-Identifier: BSD-3-Clause
"""Compares every row on a CUDA device with the facts recorded from PyTorch on the CPU.

Without a GPU the fake device is used (CORTEN_FAKE_CUDA). Its memory is protected, so host code that reads it crashes;
therefore each table runs in a separate process. `make test-cuda` (tests/cuda.py) runs all cases on a GPU.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "recorded"))
import recorded  # noqa: E402

TABLES = recorded.tables()
REAL = os.environ.get("CORTEN_TEST_CUDA") == "1"
EVERY = 1 if REAL else 7  # run every seventh case on the fake device
# Rows whose results may differ: random numbers, which come from another stream, and rows about host memory.
OTHER = {"gumbel_softmax", "lobpcg", "logcumsumexp", "_pack_padded_sequence", "rrelu", "dropout", "alpha_dropout", "feature_dropout",
         "native_dropout", "feature_alpha_dropout", "bernoulli",
         "scatter", "scatter.src", "index_put", "index_copy", "put",  # among equal indices any may win
         "lstm.data", "gru.data", "rnn_tanh.data", "rnn_relu.data", "_pad_packed_sequence",  # they take sizes on the CPU
         "linalg_lstsq",  # the default driver differs
         "data_ptr", "from_file", "frombuffer", "is_shared", "share_memory_"}


# Rows computed by CUDA libraries, which sum in another order and spread NaN differently.
LIBRARIES = {"spectral", "conv", "linalg", "linalg_factor", "linalg_eigen", "matmul", "recur", "attend"}
NEAR = {"float64": 1e-12, "complex128": 1e-12, "float32": 1e-5, "complex64": 1e-5, "float16": 1e-2, "bfloat16": 5e-2}


# For a matrix with infinities or NaN, a library may raise one of these errors or return NaN.
REFUSED = re.compile(r"!(_LinAlgError|RuntimeError): .*(singular|is zero|failed to converge|not converge)")


def is_odd(dtype, text, theirs):
    """Returns whether the case casts infinities or NaN to integers, whose result depends on the processor."""
    return re.search("float|complex", dtype) and re.search(r"\b[nqw]\d", text) and re.search(r"^u?int", theirs)


def near(table, name, text, mine, theirs):
    """Returns whether the difference is within what CUDA libraries may return."""
    import facts
    import factors
    made = re.search("|".join(NEAR), theirs)
    close = facts.finite_within(NEAR[made[0]]) if made else None
    if table in LIBRARIES and re.search(r"\b[nw]\d|'inf'", text):
        if REFUSED.match(mine):
            return "nan" in theirs or "inf" in theirs
        if made and name.startswith(("linalg_lu", "linalg_inv", "linalg_solve")):  # info codes, pivots and the positions of NaN may differ
            return facts.finite_within(float("inf"))(mine, theirs)
    if made and "16" not in made[0] and factors.same_matrix(mine, theirs, NEAR[made[0]]):
        return True
    if name == "norm.name" and "'nuc'" in text:  # nuclear norm: a sum of singular values
        return made and close(mine, theirs)
    if name == "interpolate" and re.search(r"\bn\d", text):  # cancellation of the large values in the input
        return made and facts.finite_within(2.0 ** -23 * max(facts.SPECIAL[9:12]))(mine, theirs)
    if name == "linalg_cholesky_ex.info" and not theirs.endswith(": 0>"):  # the factor does not exist, so only info is compared
        return mine.rpartition("; ")[2] == theirs.rpartition("; ")[2]
    if name == "cholesky_inverse" and theirs.startswith("!_LinAlgError"):  # cuSOLVER divides by 0
        return "nan" in mine or "inf" in mine
    return table in LIBRARIES and made and close(mine, theirs)


def wrong_cases(table, every, first=0):
    """Runs every `every`-th case of a table from `first` on. Returns (number of cases, [descriptions of differences])."""
    import corten
    import facts
    from cases import all_rows, normwise, public, ulps
    rows = {row.name: row for row in all_rows() if public(row)}
    facts_of = recorded.read(TABLES[table])
    corten.set_warn_always(True)
    facts.DEVICE = "cuda"
    corten.set_default_device("cuda")  # for tensors that the cases create
    count, wrong = 0, []
    for name, cases in facts_of.items():
        if table == "random" or name not in rows or name in OTHER or any("generator" in a.kind for a in rows[name].args):
            continue
        for dtype, layout, form, text, theirs in cases[first::every]:
            case = facts.Case(name, dtype, layout, form, text)
            print("case", *case, flush=True)
            mine = facts.fact(corten, case)
            count += 1
            both_fail = mine[:1] == theirs[:1] == "!"
            right = (both_fail or is_odd(dtype, text, theirs)
                     or facts.agree(mine, theirs, max(2, ulps(rows[name], case)), normwise(rows[name])))
            if not right and not (REAL and near(table, name, text, mine, theirs)):
                wrong.append(f"{name}: {text}   ({dtype}, layout {layout}, {form})\n"
                             f"  cuda    {mine}\n  torch   {theirs}")
    return count, wrong


@pytest.mark.parametrize("table", TABLES)
def test_on_device(table):
    env = {**os.environ, **({} if REAL else {"CORTEN_FAKE_CUDA": "2"})}
    done = subprocess.run([sys.executable, "-X", "faulthandler", __file__, table, str(EVERY)], env=env,
                          capture_output=True, text=True, cwd=Path(__file__).parent)
    last = [line for line in done.stdout.splitlines() if line.startswith("case")][-1:]
    assert done.returncode == 0, f"{last}\n{done.stdout[-3000:] if done.returncode == 1 else done.stderr[-3000:]}"


def test_factors_of_the_same_matrix():
    """Other signs and other pivots are accepted; another product or vectors that are not orthonormal are not."""
    from factors import same_matrix
    eigh = "linalg_eigh<float64[2](1)+0: 1 3; float64[2x2](1,2)+0: {} {} {} {}>"
    theirs = eigh.format(0.6, 0.8, -0.8, 0.6)
    assert same_matrix(eigh.format(-0.6, 0.8, 0.8, 0.6), theirs, 1e-12)
    assert not same_matrix(eigh.format(0.8, 0.6, 0.6, -0.8), theirs, 1e-12)
    svd = "linalg_svd<float64[1x1](1,1)+0: {}; float64[1](1)+0: {}; float64[1x2](1,1)+0: {} {}>"
    theirs = svd.format(1, 5, 0.6, 0.8)
    assert same_matrix(svd.format(-1, 5, -0.6, -0.8), theirs, 1e-12)
    assert not same_matrix(svd.format(-1, 5, 0.6, 0.8), theirs, 1e-12)
    assert not same_matrix(svd.format(2, 5, 0.3, 0.4), theirs, 1e-12)
    lu = "linalg_lu_factor_ex<float64[2x2](1,2)+0: {} {} {} {}; int32[2](1)+0: {} 2; int32[]()+0: {}>"
    theirs = lu.format(2, 1, 0.5, 2.5, 1, 0)  # factors of [[2, 1], [1, 3]]
    assert same_matrix(lu.format(1, 3, 2, -5, 2, 0), theirs, 1e-12)
    assert not same_matrix(lu.format(1, 3, 2, -5, 1, 0), theirs, 1e-12)
    assert not same_matrix(lu.format(1, 3, 2, -5, 2, 1), theirs, 1e-12)


if __name__ == "__main__":
    n, found = wrong_cases(sys.argv[1], *map(int, sys.argv[2:]))
    print(f"{len(found)} of {n} differ on the device")
    print("\n".join(found[:40]))
    sys.exit(1 if found else 0)
