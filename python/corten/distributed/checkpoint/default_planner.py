# SPDX-License-Identifier: BSD-3-Clause
"""Names of torch.distributed.checkpoint.default_planner, which is not there."""
from .._absent import absent

__all__ = ["DefaultLoadPlanner", "DefaultSavePlanner"]

DefaultLoadPlanner, DefaultSavePlanner = absent("checkpoint.default_planner", *__all__)
