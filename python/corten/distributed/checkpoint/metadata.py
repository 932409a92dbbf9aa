# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.checkpoint.metadata: the records that describe the tensors of a checkpoint.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_class

__all__ = ["BytesStorageMetadata", "ChunkStorageMetadata", "Metadata", "MetadataIndex", "StorageMeta", "TensorProperties",
           "TensorStorageMetadata"]

_INSTEAD = "save the state_dict() with torch.save in one process, and read it with torch.load in all"
(BytesStorageMetadata, ChunkStorageMetadata, Metadata, MetadataIndex, StorageMeta, TensorProperties,
 TensorStorageMetadata) = (
    missing_class(f"torch.distributed.checkpoint.metadata.{name}", _INSTEAD) for name in (
        "BytesStorageMetadata", "ChunkStorageMetadata", "Metadata", "MetadataIndex", "StorageMeta", "TensorProperties",
        "TensorStorageMetadata"))
