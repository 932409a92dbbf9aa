# SPDX-License-Identifier: BSD-3-Clause
"""Opens the NVIDIA libraries that only Python code calls: NVTX, the driver's profiler switch, NCCL's version."""
import ctypes
import functools
import glob
import os
import sys


def _folders():
    """Yield the folders to search: the loader's own path, a CUDA toolkit, and the pip packages named nvidia-*."""
    home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or "/usr/local/cuda"
    yield from ("", f"{home}/lib64", f"{home}/lib", "/usr/local/cuda/lib64")
    for folder in sys.path:
        yield from sorted(glob.glob(glob.escape(folder) + "/nvidia/*/lib"))


@functools.cache
def library(*names):
    """Return the first library of these file names that can be opened, as a ctypes object, or None."""
    for folder in _folders():
        for name in names:
            try:
                return ctypes.CDLL(os.path.join(folder, name))
            except OSError:
                pass
    return None
