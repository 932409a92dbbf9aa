# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.checkpoint.planner: who reads and writes what.

Corten does not have this; each name says what to use instead.
"""
from ..._missing import missing_class

__all__ = ["BytesIOWriteData", "LoadItemType", "LoadPlan", "LoadPlanner", "ReadItem", "SavePlan", "SavePlanner",
           "TensorWriteData", "WriteItem", "WriteItemType"]

_INSTEAD = "save the state_dict() with torch.save in one process, and read it with torch.load in all"
(BytesIOWriteData, LoadItemType, LoadPlan, LoadPlanner, ReadItem, SavePlan, SavePlanner, TensorWriteData, WriteItem,
 WriteItemType) = (
    missing_class(f"torch.distributed.checkpoint.planner.{name}", _INSTEAD) for name in (
        "BytesIOWriteData", "LoadItemType", "LoadPlan", "LoadPlanner", "ReadItem", "SavePlan", "SavePlanner",
        "TensorWriteData", "WriteItem", "WriteItemType"))
