# SPDX-License-Identifier: BSD-3-Clause
"""Gradients at the ends of a domain, at negative zero and at zero denominators, compared with PyTorch's values."""
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


def test_sinc_is_curved_at_zero():
    for dtype in (torch.float64, torch.complex128):
        x = torch.zeros(1, dtype=dtype, requires_grad=True)
        first, = torch.autograd.grad(torch.sinc(x), x, torch.ones_like(x), create_graph=True)
        second, = torch.autograd.grad(first, x, torch.ones_like(x))
        assert first.item() == 0 and second.item() == pytest.approx(-math.pi ** 2 / 3)


def test_nextafter_does_not_move_with_its_input_where_both_are_equal():
    assert gradient(torch.nextafter, [1., 1.], [1., 2.]) == [[0., 1.], [0., 0.]]


FORWARD = {
    'pow': (torch.pow, ([0., 0., 0., 2.], [0., 1., 2., 0.]), [0., 1., 0., 2 * math.log(2)]),
    'float_power': (torch.float_power, ([0., 0.], [1., 2.]), [1., 0.]),
    'pow of a number': (lambda e: torch.pow(0., e), ([0., 1., 2.],), [0., 0., 0.]),
    'copysign': (torch.copysign, ([0., 2.], [-1., -1.]), [0., -1.]),
    'sinc': (torch.sinc, ([0., 2.],), [0., .5]),
    'std': (torch.std, ([3., 3., 3.],), 0.),
    'std of lines': (lambda x: torch.std(x[None], 1, correction=0), ([3., 3.],), [0.]),
    'std_mean': (lambda x: torch.std_mean(x)[0], ([0., 0.],), 0.),
    'complex sgn': (lambda x: torch.sgn(x + 0j).real, ([0., 0.],), [0., 0.]),
    'complex angle': (lambda x: torch.angle(x + 0j), ([0., 1.],), [0., 0.]),
}


@pytest.mark.parametrize('name', FORWARD)
def test_forward_derivatives_are_finite_where_a_factor_is_masked(name):
    f, values, expected = FORWARD[name]
    inputs = tuple(torch.tensor(v, dtype=torch.float64) for v in values)
    moves = tuple(torch.full_like(x, 1. + i) for i, x in enumerate(inputs))
    assert torch.func.jvp(f, inputs, moves)[1].tolist() == pytest.approx(expected)
