# SPDX-License-Identifier: BSD-3-Clause
"""Compares every row with recorded facts: PyTorch's values, types, layouts, aliasing and errors.

`make conformance` runs many more cases with PyTorch and updates the record.
"""
import corten
import pytest
import recorded
from cases import all_rows, cases_of, normwise, public, ulps
from facts import Case, agree, fact

ROWS = {row.name: row for row in all_rows() if public(row)}
FACTS = {}
for name in recorded.tables().values():
    FACTS.update(recorded.read(name))


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    before = corten.get_num_threads()
    corten.set_num_threads(1)
    corten.set_warn_always(True)  # the facts were recorded with this setting
    yield
    corten.set_warn_always(False)
    corten.set_num_threads(before)


@pytest.mark.parametrize("name", ROWS)
def test_has_samples(name):
    assert cases_of(ROWS[name]), "add samples of this row to a module of tests/ops/samples"


@pytest.mark.parametrize("name", ROWS)
def test_has_a_result(name):
    """Every row has a recorded fact other than an error."""
    assert any(not theirs.startswith("!") for *_, theirs in FACTS.get(name, [])), "only errors are recorded: make conformance"


@pytest.mark.parametrize("name", [name for name in FACTS if name in ROWS])
def test_facts(name):
    wrong = []
    for dtype, layout, form, text, theirs in FACTS[name]:
        case = Case(name, dtype, layout, form, text)
        mine = fact(corten, case)
        if not agree(mine, theirs, ulps(ROWS[name], case), normwise(ROWS[name])):
            wrong.append(f"{text}   ({dtype}, layout {layout}, {form})\n  corten  {mine}\n  torch   {theirs}")
    assert not wrong, f"{len(wrong)} of {len(FACTS[name])} differ:\n" + "\n".join(wrong[:5])
