# SPDX-License-Identifier: BSD-3-Clause
"""torch.profiler.itt: ranges for Intel VTune. Corten is built without ITT, so every call raises PyTorch's error."""
from contextlib import contextmanager

__all__ = ["is_available", "mark", "range", "range_pop", "range_push"]


def is_available():
    """Returns False: ITT is not part of this build."""
    return False


def _fail(*args):
    raise RuntimeError("ITT functions not installed. Are you sure you have a ITT build?")


def range_push(msg):
    """Raises RuntimeError: in PyTorch, begins a range."""
    return _fail(msg)


def range_pop():
    """Raises RuntimeError: in PyTorch, ends the innermost range."""
    return _fail()


def mark(msg):
    """Raises RuntimeError: in PyTorch, marks a moment."""
    return _fail(msg)


@contextmanager
def range(msg, *args, **kwargs):
    """Raises RuntimeError: in PyTorch, a range around a block; `args` are for msg.format."""
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()
