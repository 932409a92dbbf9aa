# SPDX-License-Identifier: BSD-3-Clause
"""Windows at the edge of an image: pooling windows without elements, areas of size 0, gradients of elements that no window covers."""
import pytest

import corten

nan, inf = float("nan"), float("inf")


LEAST = {corten.uint8: 0, corten.int8: -128, corten.int64: -2 ** 63, corten.float16: -inf, corten.float32: -inf, corten.float64: -inf}


@pytest.mark.parametrize("dtype", LEAST, ids=str)
def test_the_maximum_of_a_window_without_elements(dtype):
    """A window that begins in the padding, with a dilation larger than the input, once read memory beyond the input."""
    pool, least = corten.nn.functional, LEAST[dtype]
    x = corten.arange(1, 13).to(dtype).view(1, 2, 6, 1)
    for image in (x, x.contiguous(memory_format=corten.channels_last)):
        for values, index in ((pool.max_pool2d(image, (1, 2), 1, (0, 1), (1, 2)), None),
                              pool.max_pool2d(image, (1, 2), 1, (0, 1), (1, 2), return_indices=True)):
            assert values.flatten().tolist() == [least] * 12
            assert index is None or (0 <= index.min() and index.max() < 6)
    line = corten.arange(1, 3).to(dtype).view(1, 1, 2)
    assert pool.max_pool2d(line.view(1, 1, 1, 2), 3, 1, 1, (1, 1)).tolist() == [[[[2, 2]]]]
    assert pool.max_pool3d(x.view(2, 1, 6, 1, 1), (2, 1, 1), 5, (1, 0, 0), (7, 1, 1)).flatten().tolist() == [least] * 2
    if dtype.is_floating_point:
        x.requires_grad_()
        assert corten.equal(pool.max_pool2d(x, (1, 2), 1, (0, 1), (1, 2)), corten.full((1, 2, 6, 1), -inf, dtype=dtype))
        pool.max_pool2d(x, (1, 2), 1, (0, 1), (1, 2)).sum().backward()
        assert x.grad.isfinite().all()


def test_areas_of_nothing():
    x = corten.ones(1, 2, 4, 4, requires_grad=True)
    result = corten.nn.functional.interpolate(x, (0, 3), mode="area")
    assert result.shape == (1, 2, 0, 3) and result.stride() == (6, 3, 3, 1)
    with pytest.raises(RuntimeError, match=r"adaptive_avg_pool2d_backward\(\): .* has sizes \[1, 2, 0, 3\] with dimension 2 being empty"):
        result.sum().backward()
    line = corten.ones(1, 1, 3, requires_grad=True)
    empty = corten.nn.functional.interpolate(line, scale_factor=.1, mode="area")
    assert empty.shape == (1, 1, 0)
    with pytest.raises(RuntimeError, match=r"has sizes \[1, 1, 1, 0\] with dimension 3 being empty"):
        empty.sum().backward()
    with pytest.raises(RuntimeError, match="must be greater than or equal to 0 but received {-1, 2}"):
        corten.nn.functional.interpolate(x, (-1, 2), mode="area")
    with pytest.raises(RuntimeError, match="should be greater than 0"):
        corten.nn.functional.interpolate(x, (0, 2))


@pytest.mark.parametrize("kernel, stride, width", [(3, 2, 8), (2, 2, 5), (2, 3, 7), (1, 2, 4), (2, 1, 3)])
def test_windows_read_nothing_that_has_no_weight(kernel, stride, width):
    """The gradient of an element in no window is 0, even if other gradients are NaN or infinite."""
    x = corten.ones(1, 1, width, dtype=corten.float64, requires_grad=True)
    y = corten.nn.functional.avg_pool1d(x, kernel, stride=stride)
    upstream = corten.ones_like(y)
    upstream[..., -1] = inf
    y.backward(upstream)
    want = [0.] * width
    for o in range(y.shape[-1]):
        for k in range(kernel):
            want[o * stride + k] += (inf if o == y.shape[-1] - 1 else 1) / kernel
    assert x.grad.flatten().tolist() == pytest.approx(want)
