# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.nvtx: marks and named ranges in the timelines of Nsight Systems and Nsight Compute.

    with torch.cuda.nvtx.range("epoch {}", epoch):
        train()

The marks go through NVIDIA's library libnvtx3interop, which is part of the CUDA toolkit and of the pip package nvidia-nvtx. Without a
profiler nobody listens: then calls cost little and depths are -2, as NVTX itself answers.
"""
import ctypes
import os
from contextlib import contextmanager

__all__ = ["mark", "range", "range_end", "range_pop", "range_push", "range_start"]

_NOBODY = -2  # what NVTX returns for a depth when no tool listens


class _Silent:
    """In the library's place while no profiler listens."""

    nvtxRangePushA = staticmethod(lambda text: _NOBODY)
    nvtxRangePop = staticmethod(lambda: _NOBODY)
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
        elif os.environ.get("NVTX_INJECTION64_PATH"):  # a profiler started this process and waits for ranges
            raise RuntimeError("NVTX functions not installed: a profiler listens, but libnvtx3interop.so is not there; "
                               "pip install nvidia-nvtx brings it")
        else:
            _found = _Silent
    return _found


def _text(msg):
    if not isinstance(msg, str):
        raise TypeError(f"NVTX messages are texts (str), but got {type(msg).__name__}")
    return msg.encode()


def range_push(msg):
    """Begins a range inside of the range that this thread began last; returns how deep it is, from 0."""
    return _nvtx().nvtxRangePushA(_text(msg))


def range_pop():
    """Ends the range that this thread began last with range_push; returns how deep it was."""
    return _nvtx().nvtxRangePop()


def range_start(msg):
    """Begins a range that any thread may end: returns its handle for range_end."""
    return _nvtx().nvtxRangeStartA(_text(msg))


def range_end(range_id):
    """Ends the range whose handle range_start returned."""
    _nvtx().nvtxRangeEnd(range_id)


def mark(msg):
    """Marks one moment."""
    return _nvtx().nvtxMarkA(_text(msg))


@contextmanager
def range(msg, *args, **kwargs):
    """A range around a block or, as a decorator, around each call of a function. Further arguments are for msg.format."""
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()
