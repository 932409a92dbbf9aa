# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.nvtx: marks and named ranges in the timelines of Nsight Systems and Nsight Compute.

    with torch.cuda.nvtx.range("epoch {}", epoch):
        train()

They use NVIDIA's library libnvtx3interop, part of the CUDA toolkit and of the pip package nvidia-nvtx. Without a profiler
attached, calls cost little, and depths are -2, as from NVTX itself.
"""
import ctypes
import os
from contextlib import contextmanager

__all__ = ["mark", "range", "range_end", "range_pop", "range_push", "range_start"]

_NO_TOOL = -2  # the depth that NVTX returns if no tool is attached


class _Silent:
    """Replaces the library while no profiler is attached."""

    nvtxRangePushA = staticmethod(lambda text: _NO_TOOL)
    nvtxRangePop = staticmethod(lambda: _NO_TOOL)
    nvtxRangeStartA = staticmethod(lambda text: 0)
    nvtxRangeEnd = nvtxMarkA = staticmethod(lambda value: None)


_found = None


def _nvtx():
    global _found
    if _found is None:
        from ._library import library
        _found = library("libnvtx3interop.so.1", "libnvtx3interop.so", "libnvToolsExt.so.1")
        if _found is not None:
            _found.nvtxRangeStartA.restype = ctypes.c_uint64
            _found.nvtxRangeEnd.argtypes = [ctypes.c_uint64]
            _found.nvtxRangeEnd.restype = _found.nvtxMarkA.restype = None
        elif os.environ.get("NVTX_INJECTION64_PATH"):  # a profiler started this process and expects ranges
            raise RuntimeError("NVTX functions not installed: a profiler is attached, but libnvtx3interop.so was not found; "
                               "pip install nvidia-nvtx installs it")
        else:
            _found = _Silent
    return _found


def _text(msg):
    if not isinstance(msg, str):
        raise TypeError(f"NVTX messages must be str, but got {type(msg).__name__}")
    return msg.encode()


def range_push(msg):
    """Begin a range nested in this thread's innermost one; return its depth, from 0.

    Args:
        msg: the name of the range.
    """
    return _nvtx().nvtxRangePushA(_text(msg))


def range_pop():
    """End this thread's innermost range from range_push(); return its depth."""
    return _nvtx().nvtxRangePop()


def range_start(msg):
    """Begin a range that any thread may end; return its id for range_end().

    Args:
        msg: the name of the range.
    """
    return _nvtx().nvtxRangeStartA(_text(msg))


def range_end(range_id):
    """End a range.

    Args:
        range_id: the id from range_start().
    """
    _nvtx().nvtxRangeEnd(range_id)


def mark(msg):
    """Mark a moment.

    Args:
        msg: the name of the mark.
    """
    return _nvtx().nvtxMarkA(_text(msg))


@contextmanager
def range(msg, *args, **kwargs):
    """A range around a block or, as a decorator, around each call of a function.

    Args:
        msg: the name of the range.
        args, kwargs: arguments for msg.format().
    """
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()
