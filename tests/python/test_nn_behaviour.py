# SPDX-License-Identifier: BSD-3-Clause
"""What modules do, against what PyTorch said of the same cases (nn_behaviour_cases.py)."""
import pathlib
import re

import nn_behaviour_cases
import pytest
from autograd_cases import run

import corten

FACTS = dict(re.findall(r"^== (\w+)\n(.*?)\n(?=== |\Z)", (
    pathlib.Path(__file__).with_name("nn_behaviour_facts.txt").read_text()), re.M | re.S))


@pytest.mark.parametrize("case", nn_behaviour_cases.CASES, ids=lambda c: c.__name__)
def test_case(case):
    assert run(corten, case).replace("corten.", "torch.") == FACTS[case.__name__]
