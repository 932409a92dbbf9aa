# SPDX-License-Identifier: BSD-3-Clause
"""torch.mtia: Corten does not support MTIA accelerators."""
from ._no_device import *  # noqa: F403
from ._no_device import block, counting, nothing_counted, raising

globals().update(raising((
    "current_device", "current_stream", "default_stream", "get_device_capability", "get_device_properties", "get_rng_state", "init",
    "initial_seed", "set_device", "set_rng_state", "set_stream", "snapshot", "stream", "synchronize"),
    RuntimeError, "Cannot execute {}() without MTIA backend."))
globals().update(counting(("max_memory_allocated", "memory_allocated", "reset_peak_memory_stats")))
device = block(globals())
memory_stats = nothing_counted


def is_initialized():
    """Returns False: there is no such device."""
    return False


def get_rng_state_all():
    """Returns the generator states of all devices, of which there are none."""
    return []


__all__ = [name for name in globals() if name[0] != "_" and name not in ("block", "counting", "nothing_counted", "raising")]
