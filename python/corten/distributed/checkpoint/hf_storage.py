# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.checkpoint.hf_storage: sharded checkpoints as safetensors files.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_class

__all__ = ["HuggingFaceStorageReader", "HuggingFaceStorageWriter"]

_INSTEAD = "write the state_dict() with safetensors.torch.save_file in one process"
(HuggingFaceStorageReader, HuggingFaceStorageWriter) = (
    missing_class(f"torch.distributed.checkpoint.hf_storage.{name}", _INSTEAD) for name in (
        "HuggingFaceStorageReader", "HuggingFaceStorageWriter"))
