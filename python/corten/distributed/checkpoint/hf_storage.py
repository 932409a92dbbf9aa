# SPDX-License-Identifier: BSD-3-Clause
"""Names of torch.distributed.checkpoint.hf_storage, which is not there."""
from .._absent import absent

__all__ = ["HuggingFaceStorageReader", "HuggingFaceStorageWriter"]

HuggingFaceStorageReader, HuggingFaceStorageWriter = absent("checkpoint.hf_storage", *__all__)
