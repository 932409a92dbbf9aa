# SPDX-License-Identifier: BSD-3-Clause
"""Sizes near the limits of int64: sums and products that overflow raise instead of wrapping. tests/fuzz/sizes.py searches for more."""
import pytest

import corten

HUGE = 2 ** 62
MOST = 2 ** 63 - 1
x = corten.ones(2, 3)
image = corten.ones(1, 2, 4, 4)


def one(*shape):
    """Returns a meta tensor of any size."""
    return corten.empty([1] * len(shape), device="meta").expand(shape)


REFUSED = {
    "affine_grid": (lambda: corten.nn.functional.affine_grid(corten.ones(2, 2, 3), (2, 2, HUGE, 3), False), "overflowed"),
    "replicate": (lambda: corten.nn.functional.pad(corten.ones(1, 2, 4), (HUGE, HUGE), "replicate"), "overflowed"),
    "constant": (lambda: corten.nn.functional.pad(corten.ones(1, 2, 4), (HUGE, HUGE)), "overflowed"),
    "replicate below": (lambda: corten.nn.functional.pad(corten.ones(1, 2, 4), (-2 ** 63, -2 ** 63), "replicate"), "too small"),
    "fold": (lambda: corten.nn.functional.fold(corten.ones(1, 4, 6), (3 * 2 ** 60, 4), 2), "sliding blocks"),
    "fold below": (lambda: corten.nn.functional.fold(corten.ones(1, 4, 6), (-2 ** 63, -2 ** 63), 2), "at least one"),
    "as_strided": (lambda: x.as_strided((3,), (2 ** 61,)), "out of bounds"),
    "as_strided of one element": (lambda: x.as_strided((HUGE, 4), (0, 0)), "overflowed"),
    "split": (lambda: x.split((MOST, HUGE, HUGE), 1), "sum exactly"),
    "repeat_interleave": (lambda: x.repeat_interleave(corten.tensor([MOST, MOST, 0, 1, 1, 3])), "too large"),
    "lstm": (lambda: corten.lstm(corten.ones(4, 2, 3), (corten.ones(1, 2, 2),) * 2, [corten.ones(8, 3), corten.ones(8, 2)], False, MOST, 0.,
                                 True, False, False), "number of RNN parameters"),
    "histogram": (lambda: corten.histogram(x, MOST), "overflowed|memory"),
    "histogramdd": (lambda: corten.histogramdd(corten.ones(4, 3, device="meta"), [one(2 ** 32)] * 3), "meta|overflowed"),
    "fractional": (lambda: corten.nn.functional.fractional_max_pool2d(image, -2 ** 63, 1), "greater than zero"),
    "hann_window": (lambda: corten.hann_window(MOST), "overflowed|memory|size"),
    "nothing": (lambda: corten.empty(0, HUGE, HUGE), "overflowed"),
    "nothing of anything": (lambda: corten.empty(0, 1, 1).expand(0, HUGE, HUGE), "overflowed"),
    "unfold": (lambda: one(HUGE).unfold(0, 2 ** 61, 1), "overflowed"),
    "outer": (lambda: corten.outer(one(MOST), corten.ones(4, device="meta")), "overflowed"),
    "grid": (lambda: corten.vision.utils.make_grid(corten.ones(2, 3, 4, 4), padding=HUGE), "overflowed"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    call, text = REFUSED[name]
    with pytest.raises((RuntimeError, ValueError, MemoryError), match=text):
        call()


def test_parts_that_are_longer_than_the_whole():
    assert [p.shape for p in x.split(MOST, 1)] == [(2, 3)]
    assert [p.shape for p in x.chunk(MOST, 1)] == [(2, 1)] * 3


def test_steps_beyond_the_end():
    """Strides beyond the input all give one window, forward and backward."""
    weight, given = corten.randn(3, 2, 3, 3), image.clone().requires_grad_()
    for stride in (5, HUGE, 2 ** 61, MOST):
        result = corten.nn.functional.conv2d(given, weight, stride=stride)
        assert result.shape == (1, 3, 1, 1)
        grad, = corten.autograd.grad(result.sum(), given)
        assert corten.allclose(grad[0, :, :3, :3], weight.sum(0)) and not grad[..., 3].any()


def test_coordinates_in_a_huge_shape():
    assert [int(i) for i in corten.unravel_index(corten.tensor(7), (3, MOST))] == [0, 7]


def test_triangles_beyond_the_corner():
    assert corten.ones(3, 3).tril(MOST).sum() == 9 and corten.ones(3, 3).triu(-2 ** 63).sum() == 9


def test_windows_of_a_huge_tensor():
    """Window bounds whose intermediate products overflow int64."""
    assert corten.nn.functional.adaptive_avg_pool1d(one(1, 1, 2 ** 60), 9).shape == (1, 1, 9)
    assert corten.nn.functional.max_pool1d(one(1, 1, 2 ** 20), 2, ceil_mode=True).shape == (1, 1, 2 ** 19)


def test_bytes_that_nothing_holds():
    assert one(HUGE).nbytes == 2 ** 64 and one(HUGE).numel() == HUGE


def test_rotation_by_a_huge_count():
    given = corten.arange(6.).view(2, 3).requires_grad_()
    weight = corten.arange(6.).view(2, 3)
    for k in (-2 ** 63, MOST - 3):
        grad, = corten.autograd.grad((corten.rot90(given, k) * weight).sum(), given)
        assert corten.equal(grad, weight)


def test_a_weight_that_does_not_fit_fails():
    """cov once returned a result although summing the weights had failed, and left the error for a later call."""
    with pytest.raises(RuntimeError, match="overflowed"):
        corten.cov(corten.empty(0, 1, device="meta").expand(0, HUGE), aweights=one(HUGE))


def test_rolls_that_add_up():
    line = corten.arange(5)
    assert corten.equal(line.roll((MOST, MOST, -2 ** 63), (0, 0, 0)), line.roll((2 * MOST - 2 ** 63) % 5))
    huge = corten.empty(1, dtype=corten.int8, device="meta").expand(MOST)
    assert huge.roll((MOST - 1, MOST - 1), (0, 0)).shape == (MOST,)


def test_padding_on_one_side_and_cutting_on_the_other():
    """The size may overflow after one padding and fit after both."""
    ten = corten.empty(1, dtype=corten.int8, device="meta").expand(10)
    assert corten.constant_pad_nd(ten, (MOST - 4, -8)).shape == (MOST - 4 + 2,)
