# SPDX-License-Identifier: BSD-3-Clause
"""Inference mode: gradients computed inside it, and results written into tensors that were created in it."""
import pytest

import corten as torch
from corten import func


def cube(x):
    return (x ** 3).sum()


CASES = {
    'grad': lambda x: func.grad(cube)(x),
    'vjp': lambda x: func.vjp(cube, x)[1](torch.tensor(1.))[0],
    'jvp': lambda x: func.jvp(cube, (x,), (x,))[1],
    'jacrev': lambda x: func.jacrev(cube)(x),
    'jacfwd': lambda x: func.jacfwd(cube)(x),
    'hessian': lambda x: func.hessian(cube)(x),
    'linearize': lambda x: func.linearize(cube, x)[1](x),
    'vmap of grad': lambda x: func.vmap(func.grad(cube))(x[None]),
}


@pytest.mark.parametrize('name', CASES)
@pytest.mark.parametrize('made_inside', [False, True])
def test_transforms_derive_in_inference_mode(name, made_inside):
    x = torch.tensor([1., 2.])
    expected = CASES[name](x)
    with torch.inference_mode():
        given = torch.tensor([1., 2.]) if made_inside else x
        assert torch.equal(CASES[name](given), expected)
    if made_inside:
        assert torch.equal(CASES[name](given), expected)


WRITES = {
    'add': lambda out: torch.add(torch.ones(2), 1, out=out),
    'cat': lambda out: torch.cat([torch.ones(1), torch.ones(1)], out=out),
    'sum': lambda out: torch.sum(torch.ones(2, 2), 0, out=out),
    'cumsum': lambda out: torch.cumsum(torch.ones(2), 0, out=out),
    'mm': lambda out: torch.mv(torch.ones(2, 2), torch.ones(2), out=out),
    'arange': lambda out: torch.arange(2., out=out),
    'randn': lambda out: torch.randn(2, out=out),
    'sort': lambda out: torch.sort(torch.ones(2), out=(out, torch.zeros(2, dtype=torch.int64))),
    'another shape': lambda out: torch.add(torch.ones(3), 1, out=out),
}


@pytest.mark.filterwarnings('ignore:An output with one or more elements was resized')
@pytest.mark.parametrize('name', WRITES)
def test_out_is_no_inference_tensor_outside_of_inference_mode(name):
    with torch.inference_mode():
        out = torch.full((2,), 7.)
    with pytest.raises(RuntimeError, match='Inplace update to inference tensor outside InferenceMode'):
        WRITES[name](out)
    assert out.tolist() == [7., 7.]
    with torch.inference_mode():
        WRITES[name](out)


def test_jacrev_refuses_results_that_have_no_derivative():
    with pytest.raises(RuntimeError, match='All outputs of f must be floating-point or complex'):
        func.jacrev(lambda x: x.long())(torch.ones(2))
    for wrong in (lambda x: 1, lambda x: (x, 1)):
        with pytest.raises(RuntimeError, match='to return only tensors'):
            func.jacrev(wrong)(torch.ones(2))
