# SPDX-License-Identifier: BSD-3-Clause
"""torch.xpu: Corten does not use Intel GPUs."""
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
    """Whether the program has used such a device."""
    return False


def is_bf16_supported(including_emulation=True):
    """Whether such a device computes with bfloat16."""
    return False


def is_tf32_supported():
    """Whether such a device multiplies in TF32."""
    return False


def is_current_stream_capturing():
    """Whether a graph captures the work that the program now sends to such a device."""
    return False


def get_arch_list():
    """The generations of devices that have kernels."""
    return []


def get_gencode_flags():
    """The options with which kernels were compiled."""
    return ""


def get_rng_state_all():
    """The states of all devices' generators."""
    return []


def set_rng_state_all(new_states):
    """Sets the states of all devices' generators."""
    for i, state in enumerate(new_states):
        set_rng_state(state, i)  # noqa: F821


def seed():
    """Seeds a device's generator from the system, as soon as there is one."""


seed_all = seed
__all__ = [name for name in globals() if name[0] != "_" and name not in ("block", "counting", "nothing_counted", "raising")]
