# SPDX-License-Identifier: BSD-3-Clause
"""Shapes without tensors; imported when first used."""
from ._C import Size


def broadcast_shapes(*shapes):
    """The shape that tensors of these shapes have together."""
    shapes = [(s,) if isinstance(s, int) else tuple(s) for s in shapes]
    result = [1] * max(map(len, shapes), default=0)
    for number, shape in enumerate(shapes):
        for i in range(-1, -1 - len(shape), -1):
            if shape[i] < 0:
                raise ValueError("Attempting to broadcast a dimension with negative length!")
            if shape[i] in (1, result[i]):
                continue
            if result[i] != 1:
                raise RuntimeError(f"Attempting to broadcast a dimension of length {shape[i]} at {i}! Mismatching "
                                   f"argument at index {number} had {shape}; but expected shape should be "
                                   f"broadcastable to {result}")
            result[i] = shape[i]
    return Size(result)
