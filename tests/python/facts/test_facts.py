# SPDX-License-Identifier: BSD-3-Clause
"""Expressions whose value or error PyTorch 2.15 was asked for; the *.txt of this folder hold its answers."""
import warnings

import corten
import pytest
from expressions import FACTS, ask, entries, forget

CASES = [pytest.param(expression, answer, id=f"{path.stem}:{expression[:60]}")
         for path in FACTS for expression, answer in entries(path)]


@pytest.mark.parametrize("expression, answer", CASES)
def test_fact(expression, answer):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = ask(corten, expression)
    forget(corten)
    assert found == answer
