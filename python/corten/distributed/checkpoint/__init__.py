# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.checkpoint: sharded checkpoints that all processes write in parallel.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_class, missing_function
from ..._parts import parts_of

__all__ = ["BytesStorageMetadata", "CheckpointException", "ChunkStorageMetadata", "DefaultLoadPlanner", "DefaultSavePlanner", "FileSystemReader",
           "FileSystemWriter", "HuggingFaceStorageReader", "HuggingFaceStorageWriter", "LoadPlan", "LoadPlanner", "Metadata",
           "QuantizedHuggingFaceStorageReader", "ReadItem", "SavePlan", "SavePlanner", "StorageReader", "StorageWriter",
           "async_save", "load", "load_state_dict", "save", "save_state_dict"]

_INSTEAD = "save the state_dict() with torch.save in one process, and read it with torch.load in all"
(DefaultLoadPlanner, DefaultSavePlanner, FileSystemReader, FileSystemWriter, HuggingFaceStorageReader, HuggingFaceStorageWriter,
 LoadPlan, LoadPlanner, QuantizedHuggingFaceStorageReader, ReadItem, SavePlan, SavePlanner, StorageReader, StorageWriter,
 BytesStorageMetadata, ChunkStorageMetadata, Metadata) = (
    missing_class(f"torch.distributed.checkpoint.{name}", _INSTEAD) for name in (
        "DefaultLoadPlanner", "DefaultSavePlanner", "FileSystemReader", "FileSystemWriter", "HuggingFaceStorageReader",
        "HuggingFaceStorageWriter", "LoadPlan", "LoadPlanner", "QuantizedHuggingFaceStorageReader", "ReadItem",
        "SavePlan", "SavePlanner", "StorageReader", "StorageWriter", "BytesStorageMetadata", "ChunkStorageMetadata",
        "Metadata"))
(load, load_state_dict, save, save_state_dict, async_save) = (
    missing_function(f"torch.distributed.checkpoint.{name}", _INSTEAD) for name in (
        "load", "load_state_dict", "save", "save_state_dict", "async_save"))
CheckpointException = missing_class("torch.distributed.checkpoint.CheckpointException", _INSTEAD, BaseException)

__getattr__ = parts_of(__name__)
