# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils.data.graph: the data pipes that a pipe is built from."""
import warnings

from .datapipes import IterDataPipe, MapDataPipe

__all__ = ["traverse", "traverse_dps"]

_PIPES = IterDataPipe, MapDataPipe


def _state(obj):
    return obj.__dict__ if hasattr(obj, "__dict__") else {}


def _sources(value, only_datapipe, seen):
    """Return the pipes in a value and its containers; with only_datapipe=False in its attributes too."""
    if isinstance(value, _PIPES):
        return [value]
    if isinstance(value, (str, bytes, type)) or id(value) in seen:
        return []
    seen.add(id(value))
    if isinstance(value, dict):
        inside = [*value.keys(), *value.values()]
    elif isinstance(value, (list, tuple, set, frozenset)):
        inside = value
    else:
        inside = () if only_datapipe else _state(value).values()
    return [pipe for v in inside for pipe in _sources(v, only_datapipe, seen)]


def _graph(pipe, only_datapipe, above):
    if not isinstance(pipe, _PIPES):
        raise RuntimeError(f"Expected `IterDataPipe` or `MapDataPipe`, but {type(pipe)} is found")
    if id(pipe) in above:
        return {}
    above, below, seen = {*above, id(pipe)}, {}, set()
    for source in [s for v in _state(pipe).values() for s in _sources(v, only_datapipe, seen)]:
        below.update(_graph(source, only_datapipe, above))
    return {id(pipe): (pipe, below)}


def traverse_dps(datapipe):
    """Return the pipes that a pipe reads from: {id: (pipe, the same for the pipes in its attributes)}.

    Args:
        datapipe: the last pipe.
    """
    return _graph(datapipe, True, set())


def traverse(datapipe, only_datapipe=None):
    """Return traverse_dps(datapipe); deprecated.

    Args:
        datapipe: the last pipe.
        only_datapipe: False searches other objects in the attributes of pipes too. Default: None, for False
    """
    text = "`traverse` function is deprecated and will be removed after 1.13. Please use `traverse_dps` instead."
    if not only_datapipe:
        text += " And, the behavior will be changed to the equivalent of `only_datapipe=True`."
    warnings.warn(text, FutureWarning, stacklevel=2)
    return _graph(datapipe, bool(only_datapipe), set())
