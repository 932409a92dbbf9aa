# SPDX-License-Identifier: BSD-3-Clause
"""torch.fx.traceback: notes for the nodes of graphs that are traced in a block. Nothing is traced, so that no node keeps them."""
import contextlib
import functools

__all__ = ["annotate", "annotate_fn", "get_current_meta", "preserve_node_meta"]

_notes = {}


@contextlib.contextmanager
def annotate(annotation_dict):
    """A block whose nodes get notes, a dictionary."""
    before = dict(_notes)
    _notes.update(annotation_dict)
    try:
        yield
    finally:
        _notes.clear()
        _notes.update(before)


def annotate_fn(annotation_dict):
    """A decorator: annotate() around each call."""
    def decorate(function):
        @functools.wraps(function)
        def annotated(*args, **kwargs):
            with annotate(annotation_dict):
                return function(*args, **kwargs)
        return annotated
    return decorate


def get_current_meta():
    """The notes of the blocks that this is in."""
    return {"custom": dict(_notes)} if _notes else {}


@contextlib.contextmanager
def preserve_node_meta(enable=True):
    """A block in which nodes that are made of nodes keep their notes; there are no nodes, whatever `enable` says."""
    yield
