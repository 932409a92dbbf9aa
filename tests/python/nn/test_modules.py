# SPDX-License-Identifier: BSD-3-Clause
"""Compares every nn module with PyTorch's recorded results (cases/nn_cases.py): repr, initial values, outputs, gradients, errors."""
import json

import nn_cases
import pytest
import recorded

import corten

FACTS = recorded.read("python/nn")


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("line", nn_cases.CASES)
def test_module(line, dtype):
    mine = json.loads(json.dumps(nn_cases.facts_of(corten, line, dtype)))
    assert not nn_cases.differences(mine, FACTS[f"{line} | {dtype}"], nn_cases.TOLERANCE[dtype])


@pytest.mark.parametrize("text", nn_cases.MISTAKES)
def test_mistake(text):
    assert nn_cases.said(corten, text) == FACTS[text]


def test_own_getattr_is_asked_for_members():
    class Watched(corten.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight, self.asked = corten.nn.Parameter(corten.ones(2)), []

        def __getattr__(self, name):
            found = super().__getattr__(name)
            self.asked.append(name)
            return found
    module = Watched()
    assert module.weight is module.weight and module.asked == ["weight", "weight"]
    assert corten.utils._pytree.tree_map(lambda n: n + 1, corten.ones(2, 3).shape) == (3, 4)
