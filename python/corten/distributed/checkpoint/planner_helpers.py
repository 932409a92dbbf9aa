# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.checkpoint.planner_helpers: helper functions for planners.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_function

__all__ = ["create_read_items_for_chunk_list"]

_INSTEAD = "save the state_dict() with torch.save in one process, and read it with torch.load in all"
create_read_items_for_chunk_list = missing_function("torch.distributed.checkpoint.planner_helpers.create_read_items_for_chunk_list", _INSTEAD)
