# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.algorithms.ddp_comm_hooks.powerSGD_hook: low-rank gradient compression (Vogels et al., 2019).

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ...._missing import missing_class, missing_function

__all__ = ["PowerSGDState", "batched_powerSGD_hook", "powerSGD_hook"]

_INSTEAD = "default_hooks.bf16_compress_hook halves what is sent"
PowerSGDState = missing_class("torch.distributed.algorithms.ddp_comm_hooks.powerSGD_hook.PowerSGDState", _INSTEAD)
(batched_powerSGD_hook, powerSGD_hook) = (
    missing_function(f"torch.distributed.algorithms.ddp_comm_hooks.powerSGD_hook.{name}", _INSTEAD) for name in (
        "batched_powerSGD_hook", "powerSGD_hook"))
