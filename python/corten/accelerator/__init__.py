# SPDX-License-Identifier: BSD-3-Clause
"""torch.accelerator: device functions for the available GPU, whatever its type."""
from .. import cuda
from ..cuda import CUDAGraph as Graph
from ..cuda import current_stream, set_stream, synchronize

__all__ = ["Graph", "current_accelerator", "current_device_idx", "current_device_index", "current_stream",
           "device_count", "device_index", "empty_cache", "empty_host_cache", "get_device_capability",
           "get_memory_info", "is_available", "max_memory_allocated", "max_memory_reserved", "memory_allocated",
           "memory_reserved", "memory_stats", "reset_accumulated_memory_stats", "reset_peak_memory_stats",
           "set_device_idx", "set_device_index", "set_stream", "synchronize"]

device_index = cuda.device  # usage: `with torch.accelerator.device_index(1):`


def is_available():
    """Returns whether an accelerator is available."""
    return cuda.is_available()


def device_count():
    """Returns the number of accelerators."""
    return cuda.device_count()


def current_accelerator(check_available=False):
    """Returns the device type of the accelerator, or None."""
    from .. import _C
    return _C.device("cuda") if cuda.is_available() else None


def current_device_index():
    """Returns the index of the current accelerator."""
    return cuda.current_device()


def set_device_index(device):
    """Makes an accelerator the current one."""
    cuda.set_device(device)


current_device_idx, set_device_idx = current_device_index, set_device_index


def get_device_capability(device=None):
    """Returns the capabilities of an accelerator: a dict with its supported dtypes."""
    from .. import _C
    cuda.get_device_properties(device)
    names = ("uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "bfloat16", "bool",
             "complex64", "complex128")
    return {"supported_dtypes": {getattr(_C, name) for name in names}}


from . import memory, random  # noqa: E402,F401
from .memory import *  # noqa: E402,F403
