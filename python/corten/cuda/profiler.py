# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.profiler: tells an outer profiler (nsys, ncu) which part of a program to record.

    nsys profile --capture-range=cudaProfilerApi python train.py

    with torch.cuda.profiler.profile():
        one_step()
"""
import contextlib

from . import check_error, cudart

__all__ = ["profile", "start", "stop"]


def start():
    """The profiler that runs this program records from here on."""
    check_error(cudart().cudaProfilerStart())


def stop():
    """The profiler that runs this program stops recording."""
    check_error(cudart().cudaProfilerStop())


@contextlib.contextmanager
def profile():
    """The profiler that runs this program records a block."""
    try:
        start()
        yield
    finally:
        stop()
