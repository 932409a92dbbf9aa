# SPDX-License-Identifier: BSD-3-Clause
"""Every row on a CUDA device, beside the facts recorded of PyTorch's CPU functions.

Without a card the device is the fake one (CORTEN_FAKE_CUDA), whose memory the host cannot touch: a place that reads
device bytes by itself ends the process, which is why each table runs in one of its own. `make test-cuda`
(tests/cuda.py) runs the same on a card, and every case instead of some.
"""
import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TABLES = sorted(p.name.removesuffix(".json.gz") for p in (Path(__file__).parent / "recorded").glob("*.json.gz"))
REAL = os.environ.get("CORTEN_TEST_CUDA") == "1"
EVERY = 1 if REAL else 7  # one case of so many
# Rows of random numbers, which come from another stream, and those that speak of the CPU's memory.
OTHER = {"lobpcg", "logcumsumexp", "_pack_padded_sequence", "rrelu", "dropout", "alpha_dropout", "feature_dropout",
         "native_dropout", "feature_alpha_dropout", "bernoulli",
         "scatter", "scatter.src", "index_put", "index_copy", "put",  # the last of several equal indices wins, or another
         "lstm.data", "gru.data", "rnn_tanh.data", "rnn_relu.data", "_pad_packed_sequence",  # sizes on the CPU
         "linalg_lstsq",  # another driver is the usual one
         "data_ptr", "from_file", "frombuffer", "is_shared", "share_memory_"}


# Rows that a library of the card computes, in another order, with other places for NaN where one element is none.
LIBRARIES = {"spectral", "conv", "linalg", "linalg_factor", "linalg_eigen", "matmul", "recur", "attend"}
NEAR = {"float64": 1e-12, "complex128": 1e-12, "float32": 1e-5, "complex64": 1e-5, "float16": 1e-2, "bfloat16": 5e-2}


def near(table, name, mine, theirs):
    """Whether a card's libraries may answer so."""
    import facts
    if name == "linalg_cholesky_ex.info" and not theirs.endswith(": 0>"):  # a factor that does not exist
        return mine.rpartition("; ")[2] == theirs.rpartition("; ")[2]
    if name == "cholesky_inverse" and theirs.startswith("!_LinAlgError"):  # cuSOLVER divides by 0
        return "nan" in mine or "inf" in mine
    made = re.search("|".join(NEAR), theirs)
    return table in LIBRARIES and made and facts.finite_within(NEAR[made[0]])(mine, theirs)


def wrong_cases(table, every, first=0):
    """(count, [texts]) of the cases of a table that differ on the device: one of `every`, from the first on."""
    import corten
    import facts
    from cases import all_rows, public, ulps
    rows = {row.name: row for row in all_rows() if public(row)}
    recorded = json.loads(gzip.decompress((Path(__file__).parent / "recorded" / f"{table}.json.gz").read_bytes()))
    corten.set_warn_always(True)
    facts.DEVICE = "cuda"
    corten.set_default_device("cuda")  # of tensors that cases make themselves
    count, wrong = 0, []
    for name, cases in recorded.items():
        if table == "random" or name not in rows or name in OTHER or any("generator" in a.kind for a in rows[name].args):
            continue
        for dtype, layout, form, text, theirs in cases[first::every]:
            case = facts.Case(name, dtype, layout, form, text)
            print("case", *case, flush=True)
            mine = facts.fact(corten, case)
            count += 1
            # Integers of infinities and NaN are what the processor makes of them.
            odd = "float" in dtype and re.search(r"\b[nqw]\d", text) and re.search(r"^u?int", theirs)
            both_fail = mine[:1] == theirs[:1] == "!"
            right = both_fail or odd or facts.agree(mine, theirs, max(2, ulps(rows[name], case)))
            if not right and not (REAL and near(table, name, mine, theirs)):
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


if __name__ == "__main__":
    n, found = wrong_cases(sys.argv[1], *map(int, sys.argv[2:]))
    print(f"{len(found)} of {n} differ on the device")
    print("\n".join(found[:40]))
    sys.exit(1 if found else 0)
