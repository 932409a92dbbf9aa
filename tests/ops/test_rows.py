# SPDX-License-Identifier: BSD-3-Clause
"""Every row of the table against recorded facts: PyTorch's values, types, layouts, aliasing and errors.

`make conformance` compares many more cases live and records these anew.
"""
import gzip
import json
from pathlib import Path

import corten
import pytest
from cases import all_rows, cases_of, public, ulps
from facts import Case, Inputs, agree, fact

ROWS = {row.name: row for row in all_rows() if public(row)}
FACTS = {}
for path in sorted((Path(__file__).parent / "recorded").glob("*.json.gz")):
    FACTS.update(json.loads(gzip.decompress(path.read_bytes())))


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    before = corten.get_num_threads()
    corten.set_num_threads(1)
    corten.set_warn_always(True)  # as the facts were recorded
    yield
    corten.set_warn_always(False)
    corten.set_num_threads(before)


@pytest.mark.parametrize("name", ROWS)
def test_has_samples(name):
    assert cases_of(ROWS[name]), "add samples of this row to tests/ops/samples_FAMILY.py"


# Rows that PyTorch 2.15 has no more, or not on the CPU, and the same by others that it has.
INSTEAD = {
    "chalf": ("x23.chalf()", "torch.view_as_complex(torch.stack([x23.half(), torch.zeros_like(x23).half()], -1))"),
    "eig": ("torch.eig(m33)[0]", "torch.view_as_real(torch.linalg.eigvals(m33))"),
    "symeig": ("torch.symeig(m33)[0]", "torch.linalg.eigvalsh(m33, UPLO='U')"),
    "solve": ("torch.solve(y32, m33)[0]", "torch.linalg.solve(m33, y32)"),
    "gels": ("torch.gels(y42, m43)[0][:3]", "torch.linalg.lstsq(m43, y42).solution"),
    "cholesky": ("torch.cholesky(m33 @ m33.T)", "torch.linalg.cholesky(m33 @ m33.T)"),
    "qr": ("torch.cat(torch.qr(m43))", "torch.cat(torch.linalg.qr(m43))"),
    "mm.dtype": ("torch.mm(x23, y34, torch.float64)", "torch.mm(x23, y34).double()"),
    "bmm.dtype": ("torch.bmm(x223, y234, torch.float64)", "torch.bmm(x223, y234).double()"),
    "addmm.dtype": ("torch.addmm(z24, x23, y34, torch.float64)", "torch.addmm(z24, x23, y34).double()"),
    "baddbmm.dtype": ("torch.baddbmm(z224, x223, y234, torch.float64)", "torch.baddbmm(z224, x223, y234).double()"),
}


@pytest.mark.parametrize("name", [name for name in ROWS if name[0] != "_"])  # test_histogramdd.py has those
def test_has_a_result(name):
    """Every row has a fact that is no error."""
    if name not in INSTEAD:
        assert any(not theirs.startswith("!") for *_, theirs in FACTS.get(name, [])), "only errors are recorded: make conformance"
        return
    a, b = (eval(text, {"torch": corten}, Inputs(corten, Case(name, "float32", "c", "function", text))) for text in INSTEAD[name])
    assert a.dtype == b.dtype and corten.allclose(a, b, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", [name for name in FACTS if name in ROWS])
def test_facts(name):
    wrong = []
    for dtype, layout, form, text, theirs in FACTS[name]:
        case = Case(name, dtype, layout, form, text)
        mine = fact(corten, case)
        if not agree(mine, theirs, ulps(ROWS[name], case)):
            wrong.append(f"{text}   ({dtype}, layout {layout}, {form})\n  corten  {mine}\n  torch   {theirs}")
    assert not wrong, f"{len(wrong)} of {len(FACTS[name])} differ:\n" + "\n".join(wrong[:5])
