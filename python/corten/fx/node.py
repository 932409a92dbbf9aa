# SPDX-License-Identifier: BSD-3-Clause
"""torch.fx.node: types for annotations of graph transforms."""
import typing

from . import Node

__all__ = ["Argument", "Node", "Target", "has_side_effect", "map_aggregate", "map_arg"]

Target = typing.Union[typing.Callable[..., typing.Any], str]  # the target of a node: a function, or the name of a method or module
Argument = typing.Any

_side_effects = set()


def has_side_effect(fn):
    """Returns the function unchanged; in PyTorch, keeps its calls even if their results are unused."""
    _side_effects.add(fn)
    return fn


def map_aggregate(a, fn):
    """Applies fn to every leaf of a nest of lists, tuples, dicts and slices."""
    if isinstance(a, tuple):
        items = [map_aggregate(x, fn) for x in a]
        return type(a)(*items) if hasattr(a, "_fields") else tuple(items)
    if isinstance(a, list):
        return [map_aggregate(x, fn) for x in a]
    if isinstance(a, dict):
        return {k: map_aggregate(v, fn) for k, v in a.items()}
    if isinstance(a, slice):
        return slice(*(map_aggregate(x, fn) for x in (a.start, a.stop, a.step)))
    return fn(a)


def map_arg(a, fn):
    """map_aggregate restricted to graph nodes; since there are none, returns the nest unchanged."""
    if not callable(fn):
        raise AssertionError("torch.fx.map_arg(a, fn): fn must be a callable")
    return map_aggregate(a, lambda x: fn(x) if isinstance(x, Node) else x)
