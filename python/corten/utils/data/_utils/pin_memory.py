# SPDX-License-Identifier: BSD-3-Clause
"""Copies of batches in page-locked memory, which a GPU can read directly."""
import collections.abc
import copy

from .... import _C


def pin_memory(data, device=None):
    """Return data with every tensor in page-locked memory; objects with a method pin_memory() convert themselves."""
    if isinstance(data, _C.Tensor):
        return data.pin_memory()
    if hasattr(data, "pin_memory"):
        return data.pin_memory()
    if isinstance(data, (str, bytes)):
        return data
    if isinstance(data, collections.abc.Mapping):
        return _rebuilt(data, {key: pin_memory(value, device) for key, value in data.items()})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(pin_memory(value, device) for value in data))
    if isinstance(data, collections.abc.Sequence):
        return _rebuilt(data, [pin_memory(value, device) for value in data])
    return data


def _rebuilt(data, parts):
    """Return a container like `data` with other parts; a plain dict or list if its class cannot be made so."""
    try:
        if isinstance(data, collections.abc.MutableMapping):
            clone = copy.copy(data)  # which keeps its attributes
            clone.update(parts)
            return clone
        if isinstance(data, collections.abc.MutableSequence):
            clone = copy.copy(data)
            for i, part in enumerate(parts):
                clone[i] = part
            return clone
        return type(data)(parts)
    except TypeError:
        return parts
