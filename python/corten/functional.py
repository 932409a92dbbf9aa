# SPDX-License-Identifier: BSD-3-Clause
"""Functions about shapes and tensors that need no C."""
from . import _C

__all__ = ["broadcast_shapes", "broadcast_tensors"]


def broadcast_shapes(*shapes):
    """The shape that all shapes broadcast to."""
    shapes = [(s,) if isinstance(s, int) else tuple(s) for s in shapes]
    result = [1] * max(map(len, shapes), default=0)
    for index, shape in enumerate(shapes):
        for place in range(-1, -1 - len(shape), -1):
            size = shape[place]
            if size < 0:
                raise ValueError("Attempting to broadcast a dimension with negative length!")
            if size == 1 or size == result[place]:
                continue
            if result[place] != 1:
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {size} at {place}! Mismatching argument at index "
                    f"{index} had {shape}; but expected shape should be broadcastable to {result}")
            result[place] = size
    return _C.Size(result)


def broadcast_tensors(*tensors):
    """The tensors as views of one shape."""
    for i, tensor in enumerate(tensors):
        if not isinstance(tensor, _C.Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type(tensor).__name__}")
    shape = []
    for tensor in tensors:
        shape = _joined(shape, list(tensor.shape))
    return tuple(tensor.expand(shape) for tensor in tensors)


def _joined(a, b):
    """What two shapes broadcast to, with the error of arithmetic."""
    ndim = max(len(a), len(b))
    a, b = [1] * (ndim - len(a)) + a, [1] * (ndim - len(b)) + b
    for dim in reversed(range(ndim)):
        if a[dim] != b[dim] and 1 not in (a[dim], b[dim]):
            raise RuntimeError(f"The size of tensor a ({a[dim]}) must match the size of tensor b ({b[dim]}) at "
                               f"non-singleton dimension {dim}")
    return [y if x == 1 else x for x, y in zip(a, b)]


# In 2018 these were functions too.

def bernoulli_(input, *args, **kwargs):
    """input.bernoulli_(...)"""
    return input.bernoulli_(*args, **kwargs)


def normal_(input, *args, **kwargs):
    """input.normal_(...)"""
    return input.normal_(*args, **kwargs)
