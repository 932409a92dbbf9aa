# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.checkpoint.staging: copies of the state that are written in the background.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_class

__all__ = ["AsyncStager", "BlockingAsyncStager", "DefaultStager", "StagingOptions"]

_INSTEAD = "copy the state_dict() and write it in a thread"
(AsyncStager, BlockingAsyncStager, DefaultStager, StagingOptions) = (
    missing_class(f"torch.distributed.checkpoint.staging.{name}", _INSTEAD) for name in (
        "AsyncStager", "BlockingAsyncStager", "DefaultStager", "StagingOptions"))
