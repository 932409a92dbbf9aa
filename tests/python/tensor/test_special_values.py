# SPDX-License-Identifier: BSD-3-Clause
"""Results and gradients at special values: ties and NaN in maxima, complex sums of exponentials, blocks without dims."""
import pytest

import corten

nan, inf = float("nan"), float("inf")


@pytest.mark.parametrize("dtype", [corten.complex64, corten.complex128])
def test_logcumsumexp_of_complex_numbers(dtype):
    x = corten.tensor([-1.5 + 1j, .5, 30, 1], dtype=dtype)
    want = corten.exp(x.to(corten.complex128)).cumsum(0).log()
    assert corten.allclose(x.logcumsumexp(0).to(corten.complex128), want, rtol=1e-6)
    far = corten.tensor([-1.5 + 1j, .5, 700, 1], dtype=dtype).logcumsumexp(0)
    assert corten.allclose(far[:2].to(corten.complex128), want[:2], rtol=1e-6)
    assert far[2:].real.tolist() == [700, 700] and far[2:].imag.abs().max() < 1e-30
    broken = corten.tensor([-1.5 + 1j, .5, nan, 1], dtype=dtype).logcumsumexp(0)
    assert broken.isnan().tolist() == [False, False, True, True]
    low = corten.tensor([-inf, -inf, 2 + 1j], dtype=dtype).logcumsumexp(0)
    assert low[0].real == -inf and abs(low[2].item() - (2 + 1j)) < 1e-6
    both = corten.stack([x, x.flip(0)], 1)
    assert corten.equal(both.logcumsumexp(0)[:, 0], x.logcumsumexp(0))
    x = corten.randn(4, dtype=corten.complex128, requires_grad=True)
    assert corten.autograd.gradcheck(lambda x: x.logcumsumexp(0), x)


@pytest.mark.parametrize("name, a, b, want", [
    ("fmax", 1., 1., (.5, .5)), ("fmin", 1., 1., (.5, .5)), ("fmax", 1., nan, (1, 0)), ("fmax", nan, nan, (1, 0)),
    ("fmin", nan, 1., (0, 1)), ("maximum", 1., nan, (1, 1)), ("maximum", nan, 1., (1, 1)), ("minimum", 1., nan, (1, 1)),
    ("maximum", 2., 1., (1, 0)), ("minimum", 2., 1., (0, 1)), ("maximum", 1., 1., (.5, .5))])
def test_gradients_of_ties_and_nan(name, a, b, want):
    a, b = (corten.tensor(v, requires_grad=True) for v in (a, b))
    assert tuple(g.item() for g in corten.autograd.grad(getattr(corten, name)(a, b), (a, b))) == want


def test_a_block_without_dims_decides_by_its_kind_alone():
    one, block = corten.tensor(1., dtype=corten.float64), corten.ones(2, 2)
    assert corten.block_diag(one, block).dtype == corten.block_diag(block, one).dtype == corten.float32
    assert corten.block_diag(one, block.int()).dtype == corten.block_diag(one, one).dtype == corten.float64
    assert corten.block_diag(one.float(), one).dtype == corten.float64


INTEGERS = [corten.uint8, corten.uint16, corten.uint32, corten.uint64, corten.int8, corten.int16, corten.int32, corten.int64]


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_differences_of_integers_do_not_wrap(dtype):
    a, b = corten.tensor([5, 0, 3]).to(dtype), corten.tensor([6, 1, 3]).to(dtype)
    assert corten.isclose(a, b, rtol=0, atol=2).tolist() == [True] * 3
    assert corten.isclose(b, a, rtol=0, atol=2).tolist() == [True] * 3
    assert not corten.allclose(corten.zeros(1, dtype=dtype), corten.tensor([-1]).to(dtype))  # -1 is the largest value of an unsigned type


def test_differences_of_integers_are_not_cut_off():
    a, b = corten.tensor([100, -100], dtype=corten.int8), corten.tensor([-100, 100], dtype=corten.int8)
    assert corten.isclose(a, b, rtol=0, atol=60).tolist() == [False, False]
    a, b = corten.tensor([2 ** 62, -2 ** 63]), corten.tensor([-2 ** 62, 2 ** 63 - 1])
    assert corten.isclose(a, b, rtol=0, atol=3).tolist() == [False, False]
