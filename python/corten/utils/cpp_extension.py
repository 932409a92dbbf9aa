# SPDX-License-Identifier: BSD-3-Clause
"""Names of PyTorch's builder of extensions in C++, which are compiled against PyTorch's headers: a build is refused."""
import os

from .._symbols import refused

__all__ = ["BuildExtension", "CUDAExtension", "CUDA_HOME", "CppExtension", "ROCM_HOME", "include_paths", "library_paths", "load",
           "load_inline", "verify_ninja_availability", "is_ninja_available"]

CUDA_HOME = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or ("/usr/local/cuda" if os.path.isdir("/usr/local/cuda") else None)
ROCM_HOME = IS_HIP_EXTENSION = None


def _refuse(name):
    return refused(f"torch.utils.cpp_extension.{name}", "extensions in C++ are written against PyTorch's headers, which Corten has not got")


load, load_inline, CppExtension, CUDAExtension, include_paths, library_paths = map(
    _refuse, ("load", "load_inline", "CppExtension", "CUDAExtension", "include_paths", "library_paths"))


class BuildExtension:
    """A command of setuptools."""
    with_options = classmethod(lambda cls, **options: cls)

    def __init__(self, *args, **kwargs):
        load()


def is_ninja_available():
    """Whether there is a program of that name."""
    import shutil
    return shutil.which("ninja") is not None


def verify_ninja_availability():
    """An error if there is none."""
    if not is_ninja_available():
        raise RuntimeError("Ninja is required to load C++ extensions")
