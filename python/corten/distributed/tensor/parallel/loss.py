# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.tensor.parallel.loss: losses of sharded outputs.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ...._missing import missing_function

__all__ = ["loss_parallel"]

_INSTEAD = "train with DistributedDataParallel, which keeps all parameters in every process"
loss_parallel = missing_function("torch.distributed.tensor.parallel.loss.loss_parallel", _INSTEAD)
