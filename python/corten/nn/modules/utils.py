# SPDX-License-Identifier: BSD-3-Clause
"""Helpers for layers: sizes as tuples, and prefixes of state dicts."""
from collections.abc import Iterable
from itertools import repeat

__all__ = ["consume_prefix_in_state_dict_if_present"]


def _ntuple(n, name="parse"):
    """Return a function that repeats a number n times as a tuple, and converts any iterable to a tuple."""

    def parse(x):
        return tuple(x) if isinstance(x, Iterable) else tuple(repeat(x, n))

    parse.__name__ = name
    return parse


_single = _ntuple(1, "_single")
_pair = _ntuple(2, "_pair")
_triple = _ntuple(3, "_triple")
_quadruple = _ntuple(4, "_quadruple")


def _reverse_repeat_tuple(t, n):
    """Return the elements of `t` in reverse order, each n times: the order in which F.pad expects padding."""
    return tuple(x for x in reversed(t) for _ in range(n))


def _list_with_default(out_size, defaults):
    """Replace every None in the output sizes with the input's size."""
    if isinstance(out_size, int):
        return out_size
    if len(defaults) <= len(out_size):
        raise ValueError(f"Input dimension should be at least {len(out_size) + 1}")
    return [default if size is None else size for size, default in zip(out_size, defaults[-len(out_size):])]


def consume_prefix_in_state_dict_if_present(state_dict, prefix):
    """Remove a prefix from the keys of a state dict, in place.

    DistributedDataParallel saves its keys with the prefix "module."; without it they load into the
    plain module.

    Args:
        state_dict: the dict; keys without the prefix stay unchanged.
        prefix: the prefix to remove.

    Example:
        >>> state = {"module.weight": 1, "step": 2}
        >>> nn.modules.utils.consume_prefix_in_state_dict_if_present(state, "module.")
        >>> sorted(state.items())
        [('step', 2), ('weight', 1)]
    """
    for key in list(state_dict):
        if key.startswith(prefix):
            state_dict[key[len(prefix):]] = state_dict.pop(key)
    metadata = getattr(state_dict, "_metadata", {})
    for key in list(metadata):
        if key and (key == prefix.replace(".", "") or key.startswith(prefix)):
            metadata[key[len(prefix):]] = metadata.pop(key)
