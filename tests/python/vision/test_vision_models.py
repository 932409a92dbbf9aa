# SPDX-License-Identifier: BSD-3-Clause
"""corten.vision.models has torchvision's parameter names and shapes, and the same initial values and outputs for a seed."""
import pytest
import recorded
import vision_model_cases

import corten

FACTS = recorded.read('python/vision_model')


@pytest.mark.parametrize('name', FACTS['keys'])
def test_names_of_networks(name):
    assert vision_model_cases.keys(corten, corten.vision.models, name) == FACTS['keys'][name]


@pytest.mark.parametrize('name', FACTS['init'])
def test_initial_values_of_networks(name):
    got = vision_model_cases.first_values(corten, corten.vision.models, name)
    assert got == pytest.approx(FACTS['init'][name], rel=1e-5)


@pytest.mark.parametrize('name', FACTS['forward'])
def test_answers_of_networks(name):
    """Compares outputs with torchvision's for the same seed."""
    answer, grad = vision_model_cases.answer(corten, corten.vision.models, name)
    expected = FACTS['forward'][name]
    assert answer == pytest.approx(expected[0], rel=1e-4, abs=1e-4 * max(map(abs, expected[0])))
    assert grad == pytest.approx(expected[1], rel=1e-3)
