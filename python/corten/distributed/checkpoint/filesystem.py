# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.checkpoint.filesystem: storage of sharded checkpoints in a directory.

Corten has only the enum SerializationFormat; other names raise an error that says what to use instead.
"""
import enum

from ..._missing import missing_class

__all__ = ["SerializationFormat", "FileSystem", "FileSystemBase", "FileSystemReader", "FileSystemWriter"]

_INSTEAD = "save the state_dict() with torch.save in one process, and read it with torch.load in all"
(FileSystem, FileSystemBase, FileSystemReader, FileSystemWriter) = (
    missing_class(f"torch.distributed.checkpoint.filesystem.{name}", _INSTEAD) for name in (
        "FileSystem", "FileSystemBase", "FileSystemReader", "FileSystemWriter"))


class SerializationFormat(enum.Enum):
    """File formats of a sharded checkpoint."""
    TORCH_SAVE = "torch_save"
    SAFETENSORS = "safetensors"
