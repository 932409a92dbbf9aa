# SPDX-License-Identifier: BSD-3-Clause
"""torch.fx.traceback: metadata for the nodes of traced graphs. Nothing is traced, so no node receives it."""
import contextlib
import functools

__all__ = ["annotate", "annotate_fn", "get_current_meta", "preserve_node_meta"]

_notes = {}


@contextlib.contextmanager
def annotate(annotation_dict):
    """Context manager: in PyTorch, nodes traced inside get this metadata, a dict."""
    before = dict(_notes)
    _notes.update(annotation_dict)
    try:
        yield
    finally:
        _notes.clear()
        _notes.update(before)


def annotate_fn(annotation_dict):
    """Decorator that calls a function inside annotate()."""
    def decorate(function):
        @functools.wraps(function)
        def annotated(*args, **kwargs):
            with annotate(annotation_dict):
                return function(*args, **kwargs)
        return annotated
    return decorate


def get_current_meta():
    """Returns the metadata of the enclosing annotate() blocks."""
    return {"custom": dict(_notes)} if _notes else {}


@contextlib.contextmanager
def preserve_node_meta(enable=True):
    """Context manager that, in PyTorch, copies metadata to nodes derived from others; there are no nodes here."""
    yield
