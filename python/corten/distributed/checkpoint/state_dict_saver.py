# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.checkpoint.state_dict_saver: saving of sharded checkpoints.

Corten has only the enum AsyncCheckpointerType; other names raise an error that says what to use instead.
"""
import enum

from ..._missing import missing_class, missing_function

__all__ = ["AsyncCheckpointerType", "AsyncSaveResponse", "async_save", "save", "save_state_dict"]

_INSTEAD = "save the state_dict() with torch.save in one process, and read it with torch.load in all"
AsyncSaveResponse = missing_class("torch.distributed.checkpoint.state_dict_saver.AsyncSaveResponse", _INSTEAD)
(async_save, save, save_state_dict) = (
    missing_function(f"torch.distributed.checkpoint.state_dict_saver.{name}", _INSTEAD) for name in (
        "async_save", "save", "save_state_dict"))


class AsyncCheckpointerType(enum.Enum):
    """Whether a thread or a process writes a checkpoint in the background."""
    THREAD = "thread"
    PROCESS = "process"
