# SPDX-License-Identifier: BSD-3-Clause
"""The pooling functions of nn.functional: with indices or without, and sizes that are left open."""
from .. import _C

_rows = _C._submodules["nn.functional"]
__all__ = ["adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d", "adaptive_max_pool1d_with_indices",
           "adaptive_max_pool2d", "adaptive_max_pool2d_with_indices", "adaptive_max_pool3d",
           "adaptive_max_pool3d_with_indices", "max_pool1d", "max_pool1d_with_indices", "max_pool2d",
           "max_pool2d_with_indices", "max_pool3d", "max_pool3d_with_indices"]


def max_pool1d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
                            return_indices=False):
    """The greatest elements of windows of the last dim, and where they are."""
    return _C.max_pool1d_with_indices(input, kernel_size, () if stride is None else stride, padding, dilation,
                                      ceil_mode)


def max_pool2d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
                            return_indices=False):
    """The greatest elements of windows of the last two dims, and where they are."""
    return _rows.max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool3d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
                            return_indices=False):
    """The greatest elements of windows of the last three dims, and where they are."""
    return _rows.max_pool3d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The greatest elements of windows of the last dim."""
    if return_indices:
        return max_pool1d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return _C.max_pool1d(input, kernel_size, () if stride is None else stride, padding, dilation, ceil_mode)


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The greatest elements of windows of the last two dims."""
    if return_indices:
        return max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return _C.max_pool2d(input, kernel_size, () if stride is None else stride, padding, dilation, ceil_mode)


def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The greatest elements of windows of the last three dims."""
    if return_indices:
        return max_pool3d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return _C.max_pool3d(input, kernel_size, () if stride is None else stride, padding, dilation, ceil_mode)


def _whole(output_size, input):
    """Sizes that are None are the input's."""
    if isinstance(output_size, int):
        return output_size
    sizes = input.size()
    if len(sizes) <= len(output_size):
        raise ValueError(f"Input dimension should be at least {len(output_size) + 1}")
    return [v if v is not None else d for v, d in zip(output_size, sizes[-len(output_size):])]


def adaptive_avg_pool2d(input, output_size):
    """Averages over as many windows of the last two dims as are asked for."""
    return _rows.adaptive_avg_pool2d(input, _whole(output_size, input))


def adaptive_avg_pool3d(input, output_size):
    """Averages over as many windows of the last three dims as are asked for."""
    return _rows.adaptive_avg_pool3d(input, _whole(output_size, input))


def adaptive_max_pool1d_with_indices(input, output_size, return_indices=False):
    """The greatest elements of windows that share the last dim out, and where they are."""
    return _C.adaptive_max_pool1d(input, output_size)


def adaptive_max_pool2d_with_indices(input, output_size, return_indices=False):
    """The greatest elements of windows that share the last two dims out, and where they are."""
    return _rows.adaptive_max_pool2d_with_indices(input, _whole(output_size, input))


def adaptive_max_pool3d_with_indices(input, output_size, return_indices=False):
    """The greatest elements of windows that share the last three dims out, and where they are."""
    return _rows.adaptive_max_pool3d_with_indices(input, _whole(output_size, input))


def adaptive_max_pool1d(input, output_size, return_indices=False):
    """The greatest elements of windows that share the last dim out."""
    found = adaptive_max_pool1d_with_indices(input, output_size)
    return found if return_indices else found[0]


def adaptive_max_pool2d(input, output_size, return_indices=False):
    """The greatest elements of windows that share the last two dims out."""
    found = adaptive_max_pool2d_with_indices(input, output_size)
    return found if return_indices else found[0]


def adaptive_max_pool3d(input, output_size, return_indices=False):
    """The greatest elements of windows that share the last three dims out."""
    found = adaptive_max_pool3d_with_indices(input, output_size)
    return found if return_indices else found[0]
