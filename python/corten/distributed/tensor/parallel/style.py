# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.tensor.parallel.style: sharding plans for modules.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ...._missing import missing_class

__all__ = ["ColwiseParallel", "ParallelStyle", "PrepareModuleInput", "PrepareModuleInputOutput", "PrepareModuleOutput",
           "RowwiseParallel", "SequenceParallel"]

_INSTEAD = "train with DistributedDataParallel, which keeps all parameters in every process"
(ColwiseParallel, ParallelStyle, PrepareModuleInput, PrepareModuleInputOutput, PrepareModuleOutput, RowwiseParallel,
 SequenceParallel) = (
    missing_class(f"torch.distributed.tensor.parallel.style.{name}", _INSTEAD) for name in (
        "ColwiseParallel", "ParallelStyle", "PrepareModuleInput", "PrepareModuleInputOutput", "PrepareModuleOutput",
        "RowwiseParallel", "SequenceParallel"))
