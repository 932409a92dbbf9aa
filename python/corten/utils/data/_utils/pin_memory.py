# SPDX-License-Identifier: BSD-3-Clause
"""Batches in memory that a GPU can read by itself."""
import collections.abc

from .... import _C


def pin_memory(data, device=None):
    """Every tensor in a container, pinned; what has a method pin_memory is asked for it."""
    if isinstance(data, _C.Tensor):
        return data.pin_memory()
    if hasattr(data, "pin_memory"):
        return data.pin_memory()
    if isinstance(data, (str, bytes)):
        return data
    if isinstance(data, collections.abc.Mapping):
        return {key: pin_memory(value, device) for key, value in data.items()}
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(pin_memory(value, device) for value in data))
    if isinstance(data, collections.abc.Sequence):
        return [pin_memory(value, device) for value in data]
    return data
