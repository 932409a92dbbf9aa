# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.checkpoint.format_utils: conversion between sharded checkpoints and files of torch.save.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_class, missing_function

__all__ = ["BroadcastingTorchSaveReader", "DynamicMetaLoadPlanner", "dcp_to_torch_save", "torch_save_to_dcp"]

_INSTEAD = "save the state_dict() with torch.save in one process, and read it with torch.load in all"
(BroadcastingTorchSaveReader, DynamicMetaLoadPlanner) = (
    missing_class(f"torch.distributed.checkpoint.format_utils.{name}", _INSTEAD) for name in (
        "BroadcastingTorchSaveReader", "DynamicMetaLoadPlanner"))
(dcp_to_torch_save, torch_save_to_dcp) = (
    missing_function(f"torch.distributed.checkpoint.format_utils.{name}", _INSTEAD) for name in (
        "dcp_to_torch_save", "torch_save_to_dcp"))
