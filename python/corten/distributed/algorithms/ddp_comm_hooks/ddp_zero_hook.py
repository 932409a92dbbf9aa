# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.algorithms.ddp_comm_hooks.ddp_zero_hook: optimizer steps inside of backward.

Corten does not have this; each name says what to use instead.
"""
from ...._missing import missing_function

__all__ = ["hook_with_zero_step", "hook_with_zero_step_interleaved"]

_INSTEAD = "call step() of the ZeroRedundancyOptimizer after backward"
(hook_with_zero_step, hook_with_zero_step_interleaved) = (
    missing_function(f"torch.distributed.algorithms.ddp_comm_hooks.ddp_zero_hook.{name}", _INSTEAD) for name in (
        "hook_with_zero_step", "hook_with_zero_step_interleaved"))
