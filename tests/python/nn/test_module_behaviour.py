# SPDX-License-Identifier: BSD-3-Clause
"""Compares the behaviour of modules with PyTorch's recorded results (cases/nn_behaviour_cases.py)."""

import nn_behaviour_cases
import pytest
import recorded
from autograd_cases import run

import corten

FACTS = recorded.read("python/nn_behaviour")


@pytest.mark.parametrize("case", nn_behaviour_cases.CASES, ids=lambda c: c.__name__)
def test_case(case):
    assert run(corten, case).replace("corten.", "torch.") == FACTS[case.__name__]
