# SPDX-License-Identifier: BSD-3-Clause
"""Averages of parameters in the place of those of gradients: not there."""
from ..._absent import absent

__all__ = ["PostLocalSGDState", "post_localSGD_hook"]

PostLocalSGDState, post_localSGD_hook = absent("algorithms.ddp_comm_hooks", *__all__)
