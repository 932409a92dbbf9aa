# SPDX-License-Identifier: BSD-3-Clause
"""Every module of nn against what PyTorch said of it (nn_cases.py): text, first bits, answers, gradients, mistakes."""
import json
import pathlib

import nn_cases
import pytest

import corten

FACTS = nn_cases.read(pathlib.Path(__file__).with_name("nn_facts.json.gz"))


def _there(function, *args):
    try:
        return function(corten, *args)
    except AttributeError as error:
        if "corten.nn" in str(error):
            pytest.skip(str(error))
        raise


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("line", nn_cases.CASES)
def test_module(line, dtype):
    mine = json.loads(json.dumps(_there(nn_cases.facts_of, line, dtype)))
    assert not nn_cases.differences(mine, FACTS[f"{line} | {dtype}"], nn_cases.TOLERANCE[dtype])


@pytest.mark.parametrize("text", nn_cases.MISTAKES)
def test_mistake(text):
    mine = nn_cases.said(corten, text)
    if "has no attribute" in mine and "torch.nn" in mine:
        pytest.skip(mine)
    assert mine == FACTS[text]
