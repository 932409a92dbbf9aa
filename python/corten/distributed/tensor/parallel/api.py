# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.tensor.parallel.api: the old import path of parallelize_module.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ...._missing import missing_function

__all__ = ["parallelize_module"]

_INSTEAD = "train with DistributedDataParallel, which keeps all parameters in every process"
parallelize_module = missing_function("torch.distributed.tensor.parallel.api.parallelize_module", _INSTEAD)
