# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.tensor.parallel: tensor parallelism.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ...._missing import missing_class, missing_function
from ...._parts import parts_of

__all__ = ["ColwiseParallel", "ParallelStyle", "PrepareModuleInput", "PrepareModuleInputOutput", "PrepareModuleOutput",
           "RowwiseParallel", "SequenceParallel", "loss_parallel", "parallelize_module"]

_INSTEAD = "train with DistributedDataParallel, which keeps all parameters in every process"
(ColwiseParallel, ParallelStyle, PrepareModuleInput, PrepareModuleInputOutput, PrepareModuleOutput, RowwiseParallel,
 SequenceParallel) = (
    missing_class(f"torch.distributed.tensor.parallel.{name}", _INSTEAD) for name in (
        "ColwiseParallel", "ParallelStyle", "PrepareModuleInput", "PrepareModuleInputOutput", "PrepareModuleOutput",
        "RowwiseParallel", "SequenceParallel"))
(loss_parallel, parallelize_module) = (
    missing_function(f"torch.distributed.tensor.parallel.{name}", _INSTEAD) for name in (
        "loss_parallel", "parallelize_module"))

__getattr__ = parts_of(__name__)
