# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.tensor.debug: inspection of sharded tensors.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_class, missing_function

__all__ = ["CommDebugMode", "visualize_sharding"]

_INSTEAD = "train with DistributedDataParallel, which keeps all parameters in every process"
CommDebugMode = missing_class("torch.distributed.tensor.debug.CommDebugMode", _INSTEAD)
visualize_sharding = missing_function("torch.distributed.tensor.debug.visualize_sharding", _INSTEAD)
