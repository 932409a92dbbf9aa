# SPDX-License-Identifier: BSD-3-Clause
"""torch.mps: Corten does not support Apple GPUs."""
from ._no_device import *  # noqa: F403
from ._no_device import raising

_WITHOUT = "Cannot execute {}() without MPS backend."
globals().update(raising((
    "Event", "Stream", "compile_shader", "current_allocated_memory", "current_stream", "default_stream", "driver_allocated_memory",
    "get_rng_state", "load_metallib", "recommended_max_memory", "seed", "set_per_process_memory_fraction", "set_rng_state", "set_stream",
    "stream", "synchronize"), RuntimeError, _WITHOUT))
__all__ = [name for name in globals() if name[0] != "_" and name != "raising"]
