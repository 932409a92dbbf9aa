# SPDX-License-Identifier: BSD-3-Clause
"""torch.accelerator.memory: the memory of the GPU, of whatever kind. Without one, everything counts 0."""
import collections

from .. import cuda
from ._utils import device_index as _index

__all__ = ["empty_cache", "empty_host_cache", "get_memory_info", "max_memory_allocated", "max_memory_reserved", "memory_allocated",
           "memory_reserved", "memory_stats", "reset_accumulated_memory_stats", "reset_peak_memory_stats"]


def empty_cache():
    """Gives cached memory that no tensor uses back to the driver."""
    cuda.empty_cache()


def empty_host_cache():
    """Pinned memory goes back to the driver when its tensors do: nothing is kept."""


def memory_stats(device_index=None, /):
    """What the allocator counts, by PyTorch's names such as "allocated_bytes.all.current"; empty before a GPU was used."""
    return cuda.memory_stats(_index(device_index)) if cuda.is_initialized() else collections.OrderedDict()


def memory_allocated(device_index=None, /):
    """Bytes in use by tensors."""
    return memory_stats(device_index).get("allocated_bytes.all.current", 0)


def max_memory_allocated(device_index=None, /):
    """The most bytes that were in use by tensors."""
    return memory_stats(device_index).get("allocated_bytes.all.peak", 0)


def memory_reserved(device_index=None, /):
    """Bytes taken from the driver, for tensors now and later."""
    return memory_stats(device_index).get("reserved_bytes.all.current", 0)


def max_memory_reserved(device_index=None, /):
    """The most bytes that were taken from the driver."""
    return memory_stats(device_index).get("reserved_bytes.all.peak", 0)


def reset_accumulated_memory_stats(device_index=None, /):
    """What is counted in all begins anew."""
    if cuda.is_initialized():
        cuda.reset_accumulated_memory_stats(_index(device_index))


def reset_peak_memory_stats(device_index=None, /):
    """The peaks begin anew at the current values."""
    if cuda.is_initialized():
        cuda.reset_peak_memory_stats(_index(device_index))


def get_memory_info(device_index=None, /):
    """Bytes of the card that are free, and all."""
    return cuda.mem_get_info(_index(device_index))
