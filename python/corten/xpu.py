# SPDX-License-Identifier: BSD-3-Clause
"""torch.xpu: Corten does not support Intel GPUs."""
from ._no_device import *  # noqa: F403
from ._no_device import block, counting, nothing_counted, raising

globals().update(raising((
    "Event", "Stream", "can_device_access_peer", "current_device", "current_stream", "get_device_capability", "get_device_name",
    "get_device_properties", "get_rng_state", "get_stream_from_external", "init", "initial_seed", "mem_get_info", "set_device",
    "set_rng_state", "set_stream", "stream", "synchronize"), AssertionError, "Torch not compiled with XPU enabled"))
globals().update(counting(("max_memory_allocated", "max_memory_reserved", "memory_allocated", "memory_reserved",
                           "reset_accumulated_memory_stats", "reset_peak_memory_stats")))
device = block(globals())
memory_stats = nothing_counted


def is_initialized():
    """Returns False: there is no such device."""
    return False


def is_bf16_supported(including_emulation=True):
    """Returns False: there is no such device."""
    return False


def is_tf32_supported():
    """Returns False: there is no such device."""
    return False


def is_current_stream_capturing():
    """Returns False: there is no such device."""
    return False


def get_arch_list():
    """Returns the architectures that have kernels: none."""
    return []


def get_gencode_flags():
    """Returns the options with which kernels were compiled: none."""
    return ""


def get_rng_state_all():
    """Returns the generator states of all devices: an empty list."""
    return []


def set_rng_state_all(new_states):
    """Sets the generator states of all devices."""
    for i, state in enumerate(new_states):
        set_rng_state(state, i)  # noqa: F821


def seed():
    """Does nothing: there is no device with a generator."""


seed_all = seed
__all__ = [name for name in globals() if name[0] != "_" and name not in ("block", "counting", "nothing_counted", "raising")]
