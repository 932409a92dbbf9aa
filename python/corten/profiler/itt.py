# SPDX-License-Identifier: BSD-3-Clause
"""torch.profiler.itt: ranges for Intel's VTune. Corten is built without that library, so each call is PyTorch's error."""
from contextlib import contextmanager

__all__ = ["is_available", "mark", "range", "range_pop", "range_push"]


def is_available():
    """Whether the library is part of this build: it is not."""
    return False


def _fail(*args):
    raise RuntimeError("ITT functions not installed. Are you sure you have a ITT build?")


def range_push(msg):
    """Begins a range."""
    return _fail(msg)


def range_pop():
    """Ends the innermost range."""
    return _fail()


def mark(msg):
    """Marks a moment."""
    return _fail(msg)


@contextmanager
def range(msg, *args, **kwargs):
    """A range around a block; `args` are for msg.format."""
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()
