# SPDX-License-Identifier: BSD-3-Clause
"""Collation of items into a batch: tensors are stacked, numbers become tensors, containers are traversed."""
import collections.abc
import copy
import re
import sys

from .... import _C

np_str_obj_array_pattern = re.compile(r"[SaUO]")
default_collate_err_msg_format = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"


def _is_numpy(data):
    return type(data).__module__ == "numpy" and type(data).__name__ not in ("str_", "string_")


def default_convert(data):
    """Convert NumPy arrays to tensors, also inside containers; the collate_fn of a DataLoader without batches.

    Args:
        data: an item. Tuples become lists; strings, numbers and arrays of strings stay unchanged.
    """
    kind = type(data)
    if isinstance(data, _C.Tensor):
        return data
    if _is_numpy(data):
        if kind.__name__ == "ndarray" and np_str_obj_array_pattern.search(data.dtype.str):
            return data
        return _C.as_tensor(data)
    if isinstance(data, collections.abc.Mapping):
        return _mapping(data, {key: default_convert(data[key]) for key in data})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return kind(*(default_convert(d) for d in data))
    if isinstance(data, tuple):
        return [default_convert(d) for d in data]
    if isinstance(data, collections.abc.Sequence) and not isinstance(data, (str, bytes)):
        return _sequence(data, [default_convert(d) for d in data])
    return data


def _mapping(like, items):
    """Return a mapping of the same class, or a dict if that cannot be made."""
    try:
        if isinstance(like, collections.abc.MutableMapping):
            clone = copy.copy(like)
            clone.update(items)
            return clone
        return type(like)(items)
    except TypeError:
        return items


def _sequence(like, items):
    try:
        if isinstance(like, collections.abc.MutableSequence):
            clone = copy.copy(like)
            for i, item in enumerate(items):
                clone[i] = item
            return clone
        return type(like)(items)
    except TypeError:
        return items


def collate(batch, *, collate_fn_map=None):
    """Combine items into a batch.

    Args:
        batch: a list of items of the same structure.
        collate_fn_map: {class or tuple of classes: function(batch, collate_fn_map=...)} for elements; containers are
            traversed. Default: None

    Raises TypeError for a class that is not in the map and not a container.
    """
    elem = batch[0]
    if collate_fn_map is not None:
        if type(elem) in collate_fn_map:
            return collate_fn_map[type(elem)](batch, collate_fn_map=collate_fn_map)
        for kind, function in collate_fn_map.items():
            if isinstance(elem, kind):
                return function(batch, collate_fn_map=collate_fn_map)

    def inner(samples):
        return collate(samples, collate_fn_map=collate_fn_map)
    if isinstance(elem, collections.abc.Mapping):
        return _mapping(elem, {key: inner([d[key] for d in batch]) for key in elem})
    if isinstance(elem, tuple) and hasattr(elem, "_fields"):
        return type(elem)(*(inner(samples) for samples in zip(*batch)))
    if isinstance(elem, collections.abc.Sequence):
        if not all(len(other) == len(elem) for other in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        columns = [inner(samples) for samples in zip(*batch)]
        return columns if isinstance(elem, tuple) else _sequence(elem, columns)
    raise TypeError(default_collate_err_msg_format.format(type(elem)))


def collate_tensor_fn(batch, *, collate_fn_map=None):
    """Stack tensors along a new first dim."""
    return _C.stack(batch, 0)


def collate_numpy_array_fn(batch, *, collate_fn_map=None):
    """Stack NumPy arrays as one tensor."""
    if np_str_obj_array_pattern.search(batch[0].dtype.str):
        raise TypeError(default_collate_err_msg_format.format(batch[0].dtype))
    return collate([_C.as_tensor(b) for b in batch], collate_fn_map=collate_fn_map)


def collate_numpy_scalar_fn(batch, *, collate_fn_map=None):
    """Combine NumPy scalars in a tensor."""
    return _C.as_tensor(batch)


def collate_float_fn(batch, *, collate_fn_map=None):
    """Combine floats in a tensor of float64."""
    return _C.tensor(batch, dtype=_C.float64)


def collate_int_fn(batch, *, collate_fn_map=None):
    """Combine ints in a tensor."""
    return _C.tensor(batch)


def collate_str_fn(batch, *, collate_fn_map=None):
    """Return a list of strings unchanged."""
    return batch


default_collate_fn_map = {_C.Tensor: collate_tensor_fn, float: collate_float_fn, int: collate_int_fn, str: collate_str_fn,
                          bytes: collate_str_fn}


def _know_numpy():
    """Add NumPy's classes to the map once a program has imported NumPy."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and numpy.ndarray not in default_collate_fn_map:
        default_collate_fn_map[numpy.ndarray] = collate_numpy_array_fn
        default_collate_fn_map[(numpy.bool_, numpy.number, numpy.object_)] = collate_numpy_scalar_fn


def default_collate(batch):
    """Combine a list of items into a batch; the default collate_fn of DataLoader.

    Tensors and arrays are stacked along a new dim 0, floats become a tensor of float64, ints one of int64. Tuples, lists and
    dicts are traversed, tuples becoming lists; strings stay a list.

    Args:
        batch: a list of items of the same structure.

        >>> from corten.utils.data import default_collate
        >>> default_collate([{"x": 0, "y": 1.5}, {"x": 1, "y": 2.5}])
        {'x': tensor([0, 1]), 'y': tensor([1.5000, 2.5000], dtype=torch.float64)}
    """
    _know_numpy()
    return collate(batch, collate_fn_map=default_collate_fn_map)
