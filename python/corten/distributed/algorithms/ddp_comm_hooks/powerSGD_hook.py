# SPDX-License-Identifier: BSD-3-Clause
"""Gradients as products of thin matrices: not there."""
from ..._absent import absent

__all__ = ["PowerSGDState", "batched_powerSGD_hook", "powerSGD_hook"]

PowerSGDState, batched_powerSGD_hook, powerSGD_hook = absent("algorithms.ddp_comm_hooks", *__all__)
