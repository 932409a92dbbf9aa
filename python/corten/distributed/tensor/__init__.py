# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.tensor: Corten has the placement types, but no DTensor."""
from ..._C import Tensor
from ..._missing import missing_class, missing_function
from ..._parts import parts_of
from .placement_types import Partial, Placement, Replicate, Shard

__all__ = ["DTensor", "Partial", "Placement", "Replicate", "Shard", "distribute_module", "distribute_tensor", "empty", "full", "linspace",
           "logspace", "ones", "rand", "randn", "zeros"]

_INSTEAD = "keep whole tensors in every process and train with DistributedDataParallel"
DTensor = missing_class("torch.distributed.tensor.DTensor", _INSTEAD, Tensor)
DTensor.from_local = missing_function("torch.distributed.tensor.DTensor.from_local", _INSTEAD)
(distribute_module, distribute_tensor, empty, full, linspace, logspace, ones, rand, randn, zeros) = (
    missing_function(f"torch.distributed.tensor.{name}", _INSTEAD) for name in (
        "distribute_module", "distribute_tensor", "empty", "full", "linspace", "logspace", "ones", "rand", "randn", "zeros"))

__getattr__ = parts_of(__name__)
