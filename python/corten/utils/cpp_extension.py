# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils.cpp_extension: builds raise an error, because C++ extensions compile against PyTorch's headers."""
import os
import re
import subprocess

from .._missing import MissingFeature, missing_function
from ..version import TorchVersion

__all__ = ["BuildExtension", "CUDAExtension", "CUDA_HOME", "CppExtension", "ROCM_HOME", "SyclExtension", "check_compiler_ok_for_platform",
           "get_compiler_abi_compatibility_and_version", "get_cxx_compiler", "get_default_build_root", "include_paths",
           "is_ninja_available", "library_paths", "load", "load_inline", "verify_ninja_availability"]

CUDA_HOME = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or ("/usr/local/cuda" if os.path.isdir("/usr/local/cuda") else None)
ROCM_HOME = IS_HIP_EXTENSION = None
_INSTEAD = "extensions in C++ are written against PyTorch's headers; write the function in Python, or in C with ctypes"
load, load_inline, CppExtension, CUDAExtension, SyclExtension, include_paths, library_paths = (
    missing_function(f"torch.utils.cpp_extension.{name}", _INSTEAD)
    for name in ("load", "load_inline", "CppExtension", "CUDAExtension", "SyclExtension", "include_paths", "library_paths"))


class BuildExtension:
    """A setuptools command; setup() raises an error when it creates the command."""

    @classmethod
    def with_options(cls, **options):
        """Returns the class; the options have no effect."""
        return cls

    def __init__(self, *args, **kwargs):
        raise MissingFeature("torch.utils.cpp_extension.BuildExtension", _INSTEAD)


def get_default_build_root():
    """Returns the directory in which PyTorch builds extensions."""
    root = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(os.path.realpath(root), "torch_extensions")


def get_cxx_compiler():
    """Returns the C++ compiler: the environment variable CXX, or c++."""
    return os.environ.get("CXX", "c++")


def check_compiler_ok_for_platform(compiler):
    """Returns whether a program is g++, clang++ or one of their aliases."""
    import shutil
    path = shutil.which(compiler)
    if path is None:
        return False
    names = ("g++", "gcc", "gnu-c++", "gnu-cc", "clang++", "clang")
    if any(name in os.path.basename(os.path.realpath(path)) for name in names):
        return True
    told = subprocess.run([compiler, "-v"], capture_output=True, text=True).stderr
    return bool(re.search(r"COLLECT_GCC=|clang version", told))


def get_compiler_abi_compatibility_and_version(compiler):
    """Returns (whether the compiler is known and recent enough for C++ extensions, its version or "0.0.0")."""
    version = TorchVersion("0.0.0")
    if not check_compiler_ok_for_platform(compiler):
        return False, version
    try:
        told = subprocess.run([compiler, "-dumpfullversion", "-dumpversion"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return False, version
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", told)
    version = TorchVersion(found.group() if found else "0.0.0")
    return tuple(map(int, str(version).split("."))) >= (5, 0, 0), version


def is_ninja_available():
    """Returns whether ninja is installed."""
    import shutil
    return shutil.which("ninja") is not None


def verify_ninja_availability():
    """Raises RuntimeError if ninja is not installed."""
    if not is_ninja_available():
        raise RuntimeError("Ninja is required to load C++ extensions")
