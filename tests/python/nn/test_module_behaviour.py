# SPDX-License-Identifier: BSD-3-Clause
"""What modules do, against what PyTorch said of the same cases (nn_behaviour_cases.py)."""

import nn_behaviour_cases
import pytest
import recorded
from autograd_cases import run

import corten

FACTS = recorded.read("python/nn_behaviour")


@pytest.mark.parametrize("case", nn_behaviour_cases.CASES, ids=lambda c: c.__name__)
def test_case(case):
    assert run(corten, case).replace("corten.", "torch.") == FACTS[case.__name__]
