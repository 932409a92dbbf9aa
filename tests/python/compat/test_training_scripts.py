# SPDX-License-Identifier: BSD-3-Clause
"""Training scripts written for PyTorch (tests/scripts) run unchanged under `python -m corten` and print the same losses as
with PyTorch."""
import re
import sys

import pytest
import recorded
from training_script_cases import SCRIPTS, output

FACTS = recorded.read("python/training_script")
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")


def close(mine, theirs):
    """Compares printed numbers: the relative error may be 1e-4, plus one unit of the last printed digit."""
    digits = len(theirs.partition(".")[2].partition("e")[0])
    return abs(float(mine) - float(theirs)) <= 1e-4 * abs(float(theirs)) + 1.01 * 10.0**-digits


@pytest.mark.parametrize("name", SCRIPTS)
def test_script(name):
    mine, theirs = output([sys.executable, "-m", "corten", SCRIPTS[name]]), FACTS[name]
    assert NUMBER.sub("#", mine) == NUMBER.sub("#", theirs)
    wrong = [pair for pair in zip(NUMBER.findall(mine), NUMBER.findall(theirs)) if not close(*pair)]
    assert not wrong
