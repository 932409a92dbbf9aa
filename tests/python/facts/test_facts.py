# SPDX-License-Identifier: BSD-3-Clause
"""Evaluates the expressions in the *.txt files of this folder and compares with the results recorded from PyTorch 2.15."""
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
