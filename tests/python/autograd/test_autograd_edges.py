# SPDX-License-Identifier: BSD-3-Clause
"""Compares edge cases of autograd with PyTorch's recorded results (cases/autograd_edge_cases.py)."""
import warnings

import autograd_edge_cases
import pytest
import recorded
from autograd_cases import run

import corten

FACTS = recorded.read('python/autograd_edge')


@pytest.mark.parametrize('case', autograd_edge_cases.CASES, ids=lambda c: c.__name__)
def test_case(case):
    assert run(corten, case) == FACTS[case.__name__]


def test_a_refused_write_to_an_inference_tensor_changes_nothing():
    """PyTorch changes the tensor before it raises; Corten raises first."""
    with corten.inference_mode():
        x = corten.ones(2)
    with pytest.raises(RuntimeError, match='Inplace update to inference tensor'):
        x.add_(1)
    assert x.tolist() == [1, 1]


def test_inference_mode_marks_every_new_tensor():
    with corten.inference_mode():
        made = [corten.ones(2), corten.tensor([1.]), corten.arange(3) * 2, corten.ones(2, 2).sum(), corten.rand(2).clone(),
                corten.ones(2).view(1, 2)]
        assert all(t.is_inference() for t in made)
        with corten.inference_mode(False):
            assert not corten.ones(2).is_inference()
    assert not corten.ones(2).is_inference()
    assert not (made[0] * 2).is_inference()
    assert made[0].view(1, 2).is_inference()


def test_a_graph_of_accumulated_gradients_warns():
    x = corten.ones(2, requires_grad=True)
    corten.set_warn_always(True)
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter('always')
            x.exp().sum().backward(create_graph=True)
            corten.autograd.grad(x.exp().sum(), x, create_graph=True)
    finally:
        corten.set_warn_always(False)
    assert [str(w.message)[:75] for w in said] == [
        'Using backward() with create_graph=True will create a reference cycle betwe']
