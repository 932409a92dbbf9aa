# SPDX-License-Identifier: BSD-3-Clause
"""torch.accelerator.memory: memory statistics of the accelerator; without one, all are 0."""
import collections

from .. import cuda
from ._utils import device_index as _index

__all__ = ["empty_cache", "empty_host_cache", "get_memory_info", "max_memory_allocated", "max_memory_reserved", "memory_allocated",
           "memory_reserved", "memory_stats", "reset_accumulated_memory_stats", "reset_peak_memory_stats"]


def empty_cache():
    """Returns cached memory that no tensor uses to the driver."""
    cuda.empty_cache()


def empty_host_cache():
    """Does nothing: pinned memory is not cached."""


def memory_stats(device_index=None, /):
    """Returns allocator statistics under PyTorch's names such as "allocated_bytes.all.current"; empty before first use of a GPU."""
    return cuda.memory_stats(_index(device_index)) if cuda.is_initialized() else collections.OrderedDict()


def memory_allocated(device_index=None, /):
    """Returns the bytes that tensors occupy."""
    return memory_stats(device_index).get("allocated_bytes.all.current", 0)


def max_memory_allocated(device_index=None, /):
    """Returns the peak of the bytes that tensors occupied."""
    return memory_stats(device_index).get("allocated_bytes.all.peak", 0)


def memory_reserved(device_index=None, /):
    """Returns the bytes that the allocator holds, in use or cached."""
    return memory_stats(device_index).get("reserved_bytes.all.current", 0)


def max_memory_reserved(device_index=None, /):
    """Returns the peak of the bytes that the allocator held."""
    return memory_stats(device_index).get("reserved_bytes.all.peak", 0)


def reset_accumulated_memory_stats(device_index=None, /):
    """Resets the accumulated statistics to 0."""
    if cuda.is_initialized():
        cuda.reset_accumulated_memory_stats(_index(device_index))


def reset_peak_memory_stats(device_index=None, /):
    """Resets the peak statistics to the current values."""
    if cuda.is_initialized():
        cuda.reset_peak_memory_stats(_index(device_index))


def get_memory_info(device_index=None, /):
    """Returns (free, total) bytes of device memory."""
    return cuda.mem_get_info(_index(device_index))
