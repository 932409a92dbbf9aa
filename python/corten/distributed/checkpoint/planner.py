# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.checkpoint.planner: interfaces that decide which process reads and writes which tensors.

Not available in Corten: its functions and classes raise an error that says what to use instead.
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
