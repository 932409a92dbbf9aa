# SPDX-License-Identifier: BSD-3-Clause
"""Questions about shapes and strides that libraries ask under PyTorch's private name torch._prims_common."""
from .. import _C

__all__ = ["is_contiguous_or_false", "make_contiguous_strides_for", "suggest_memory_format"]

DeviceLikeType = str | _C.device | int


def make_contiguous_strides_for(shape, row_major=True):
    """The strides of a contiguous tensor; with row_major=False of a contiguous batch of matrices in Fortran's order."""
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    strides = tuple(reversed(strides))
    return strides if row_major or len(strides) < 2 else (*strides[:-2], 1, max(shape[-2], 1))


def is_contiguous_or_false(a):
    """Whether a tensor is contiguous."""
    return a.is_contiguous()


def suggest_memory_format(x):
    """torch.channels_last or channels_last_3d for tensors whose strides are in that order, else torch.contiguous_format."""
    for dims, format in ((4, _C.channels_last), (5, _C.channels_last_3d)):
        if x.layout == _C.strided and x.dim() == dims and _in_order(x.shape, x.stride()):
            return format
    return _C.contiguous_format


def _in_order(shape, strides):
    """Whether the channels' stride is the smallest, and those of the dimensions behind them grow from the last to the first."""
    least = 0
    if strides[1] == 0:
        return False
    for d in (1, *range(len(shape) - 1, 1, -1), 0):
        if shape[d] == 0 or strides[d] < least or (d == 0 and least == strides[1]):
            return False
        least = strides[d] * max(shape[d], 1)
    return True
