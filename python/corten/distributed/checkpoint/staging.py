# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.checkpoint.staging: copies of a checkpoint that is written meanwhile.

Corten does not have this; each name says what to use instead.
"""
from ..._missing import missing_class

__all__ = ["AsyncStager", "BlockingAsyncStager", "DefaultStager", "StagingOptions"]

_INSTEAD = "copy the state_dict() and write it in a thread"
(AsyncStager, BlockingAsyncStager, DefaultStager, StagingOptions) = (
    missing_class(f"torch.distributed.checkpoint.staging.{name}", _INSTEAD) for name in (
        "AsyncStager", "BlockingAsyncStager", "DefaultStager", "StagingOptions"))
