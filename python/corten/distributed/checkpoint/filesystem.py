# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.checkpoint.filesystem: checkpoints in folders.

Corten does not have this; each name says what to use instead.
"""
import enum

from ..._missing import missing_class

__all__ = ["SerializationFormat", "FileSystem", "FileSystemBase", "FileSystemReader", "FileSystemWriter"]

_INSTEAD = "save the state_dict() with torch.save in one process, and read it with torch.load in all"
(FileSystem, FileSystemBase, FileSystemReader, FileSystemWriter) = (
    missing_class(f"torch.distributed.checkpoint.filesystem.{name}", _INSTEAD) for name in (
        "FileSystem", "FileSystemBase", "FileSystemReader", "FileSystemWriter"))


class SerializationFormat(enum.Enum):
    """Kinds of files."""
    TORCH_SAVE = "torch_save"
    SAFETENSORS = "safetensors"
