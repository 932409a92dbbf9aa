# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.tensor.debug: looking at tensors that are divided among processes.

Corten does not have this; each name says what to use instead.
"""
from ..._missing import missing_class, missing_function

__all__ = ["CommDebugMode", "visualize_sharding"]

_INSTEAD = "train with DistributedDataParallel, which keeps all parameters in every process"
CommDebugMode = missing_class("torch.distributed.tensor.debug.CommDebugMode", _INSTEAD)
visualize_sharding = missing_function("torch.distributed.tensor.debug.visualize_sharding", _INSTEAD)
