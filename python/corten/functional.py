# SPDX-License-Identifier: BSD-3-Clause
"""Functions about shapes and tensors that need no C."""
from . import _C

__all__ = ["broadcast_shapes"]


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
