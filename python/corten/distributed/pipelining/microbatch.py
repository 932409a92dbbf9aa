# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.pipelining.microbatch: splitting of batches into microbatches.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_class, missing_function

__all__ = ["TensorChunkSpec", "merge_chunks", "split_args_kwargs_into_chunks"]

_INSTEAD = "train with DistributedDataParallel, or move parts of a model between devices by hand"
TensorChunkSpec = missing_class("torch.distributed.pipelining.microbatch.TensorChunkSpec", _INSTEAD)
(merge_chunks, split_args_kwargs_into_chunks) = (
    missing_function(f"torch.distributed.pipelining.microbatch.{name}", _INSTEAD) for name in (
        "merge_chunks", "split_args_kwargs_into_chunks"))
