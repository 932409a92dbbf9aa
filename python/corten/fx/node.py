# SPDX-License-Identifier: BSD-3-Clause
"""torch.fx.node: the types that annotations of graph transforms mention."""
import typing

from . import Node

__all__ = ["Argument", "Node", "Target", "has_side_effect", "map_aggregate", "map_arg"]

Target = typing.Union[typing.Callable[..., typing.Any], str]  # what a node calls: a function, or the name of a method or module
Argument = typing.Any

_side_effects = set()


def has_side_effect(fn):
    """Marks a function whose calls a tracer must keep although nobody uses their results: itself."""
    _side_effects.add(fn)
    return fn


def map_aggregate(a, fn):
    """A nest of lists, tuples, dictionaries and slices with fn(x) in the place of each other x in it."""
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
    """The same, where only nodes are replaced: those of a graph."""
    if not callable(fn):
        raise AssertionError("torch.fx.map_arg(a, fn): fn must be a callable")
    return map_aggregate(a, lambda x: fn(x) if isinstance(x, Node) else x)
