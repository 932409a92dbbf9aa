# SPDX-License-Identifier: BSD-3-Clause
"""torch._prims_common: functions on shapes and strides that libraries use although the module is private."""
from .. import _C

__all__ = ["is_contiguous_or_false", "make_contiguous_strides_for", "suggest_memory_format"]

DeviceLikeType = str | _C.device | int


def make_contiguous_strides_for(shape, row_major=True):
    """Returns contiguous strides; with row_major=False, those of a batch of column-major matrices."""
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    strides = tuple(reversed(strides))
    return strides if row_major or len(strides) < 2 else (*strides[:-2], 1, max(shape[-2], 1))


def is_contiguous_or_false(a):
    """Returns whether a tensor is contiguous."""
    return a.is_contiguous()


def suggest_memory_format(x):
    """Returns torch.channels_last or channels_last_3d if the strides are in that order, else torch.contiguous_format."""
    for dims, format in ((4, _C.channels_last), (5, _C.channels_last_3d)):
        if x.layout == _C.strided and x.dim() == dims and _in_order(x.shape, x.stride()):
            return format
    return _C.contiguous_format


def _in_order(shape, strides):
    """Returns whether the stride of the channels is smallest, and spatial strides grow from the last dim to the first."""
    least = 0
    if strides[1] == 0:
        return False
    for d in (1, *range(len(shape) - 1, 1, -1), 0):
        if shape[d] == 0 or strides[d] < least or (d == 0 and least == strides[1]):
            return False
        least = strides[d] * max(shape[d], 1)
    return True
