# SPDX-License-Identifier: BSD-3-Clause
"""Gradients at the ends of a domain, at negative zero and where a denominator is 0, as PyTorch gives them."""
import math

import pytest

import corten as torch

INF = math.inf


def gradient(f, *values, dtype=torch.float64):
    x = [torch.tensor(v, dtype=dtype, requires_grad=True) for v in values]
    return [g.tolist() for g in torch.autograd.grad(f(*x).sum(), x)]


@pytest.mark.parametrize('dtype', [torch.float64, torch.float32, torch.bfloat16])
def test_arc_sine_and_cosine_have_a_signed_slope_at_the_ends(dtype):
    assert gradient(torch.asin, [1., -1.], dtype=dtype) == [[INF, INF]]
    assert gradient(torch.acos, [1., -1.], dtype=dtype) == [[-INF, -INF]]


def test_complex_arc_sine_is_derived_on_the_side_of_the_cut_that_the_zero_names():
    for z in (complex(2, 0.), complex(2, -0.)):
        slope, = gradient(lambda x: torch.asin(x).real, z, dtype=torch.complex128)
        assert slope.real == pytest.approx(0) and slope.imag == pytest.approx(-math.copysign(1 / math.sqrt(3), z.imag))


@pytest.mark.parametrize('eps', [None, 0.])
def test_logit_of_either_zero_rises(eps):
    assert gradient(lambda x: torch.logit(x, eps), [0., -0., 1.]) == [[INF, INF, INF]]


@pytest.mark.parametrize('f', [torch.special.i1, torch.special.i1e, torch.special.bessel_j1, torch.special.modified_bessel_i1])
def test_bessel_functions_have_a_second_derivative_at_zero(f):
    x = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    first, = torch.autograd.grad(f(x), x, create_graph=True)
    second, = torch.autograd.grad(first, x)
    assert first.item() == 0.5 and second.item() == 0


def test_nextafter_does_not_move_with_its_input_where_both_are_equal():
    assert gradient(torch.nextafter, [1., 1.], [1., 2.]) == [[0., 1.], [0., 0.]]
