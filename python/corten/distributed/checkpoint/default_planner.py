# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.checkpoint.default_planner: the default plans for saving and loading.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_class, missing_function

__all__ = ["DefaultLoadPlanner", "DefaultSavePlanner", "create_default_global_load_plan", "create_default_global_save_plan",
           "create_default_local_load_plan", "create_default_local_save_plan"]

_INSTEAD = "save the state_dict() with torch.save in one process, and read it with torch.load in all"
(DefaultLoadPlanner, DefaultSavePlanner) = (
    missing_class(f"torch.distributed.checkpoint.default_planner.{name}", _INSTEAD) for name in (
        "DefaultLoadPlanner", "DefaultSavePlanner"))
(create_default_global_load_plan, create_default_global_save_plan, create_default_local_load_plan,
 create_default_local_save_plan) = (
    missing_function(f"torch.distributed.checkpoint.default_planner.{name}", _INSTEAD) for name in (
        "create_default_global_load_plan", "create_default_global_save_plan", "create_default_local_load_plan",
        "create_default_local_save_plan"))
