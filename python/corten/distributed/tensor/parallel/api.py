# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.tensor.parallel.api: an older place of parallelize_module.

Corten does not have this; each name says what to use instead.
"""
from ...._missing import missing_function

__all__ = ["parallelize_module"]

_INSTEAD = "train with DistributedDataParallel, which keeps all parameters in every process"
parallelize_module = missing_function("torch.distributed.tensor.parallel.api.parallelize_module", _INSTEAD)
