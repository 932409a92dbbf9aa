# SPDX-License-Identifier: BSD-3-Clause
"""torch.__config__: how this library was built and what it uses."""
import os

from . import _C

__all__ = ["parallel_info", "show"]


def show():
    """Returns a description of the build: compiler, instruction sets and libraries."""
    return (f"Corten {_C.__version__} built with:\n"
            f"  - {_C._compiler()}\n"
            f"  - BLAS: {os.environ.get('CORTEN_BLAS', 'own kernels')}\n"
            f"  - CPU capability usage: {_C._isa().upper()}\n")


def parallel_info():
    """Returns a description of the threads in use."""
    known = "".join(f"\t{name} : {os.environ.get(name, '[not set]')}\n" for name in ("OMP_NUM_THREADS", "CORTEN_ISA"))
    return (f"Threads of an operation: {_C.get_num_threads()}\nThreads between operations: "
            f"{_C.get_num_interop_threads()}\nCPUs: {os.cpu_count()}\nEnvironment variables:\n{known}"
            "Parallel backend: native thread pool\n")
