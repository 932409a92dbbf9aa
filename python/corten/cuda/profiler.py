# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.profiler: tells an external profiler (nsys, ncu) which part of a program to record.

    nsys profile --capture-range=cudaProfilerApi python train.py

    with torch.cuda.profiler.profile():
        one_step()
"""
import contextlib

from . import check_error, cudart

__all__ = ["profile", "start", "stop"]


def start():
    """Make the external profiler start recording."""
    check_error(cudart().cudaProfilerStart())


def stop():
    """Make the external profiler stop recording."""
    check_error(cudart().cudaProfilerStop())


@contextlib.contextmanager
def profile():
    """A context that the external profiler records."""
    try:
        start()
        yield
    finally:
        stop()
