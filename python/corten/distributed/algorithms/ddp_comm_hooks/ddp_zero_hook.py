# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.algorithms.ddp_comm_hooks.ddp_zero_hook: ZeroRedundancyOptimizer steps that overlap backward.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ...._missing import missing_function

__all__ = ["hook_with_zero_step", "hook_with_zero_step_interleaved"]

_INSTEAD = "call step() of the ZeroRedundancyOptimizer after backward"
(hook_with_zero_step, hook_with_zero_step_interleaved) = (
    missing_function(f"torch.distributed.algorithms.ddp_comm_hooks.ddp_zero_hook.{name}", _INSTEAD) for name in (
        "hook_with_zero_step", "hook_with_zero_step_interleaved"))
