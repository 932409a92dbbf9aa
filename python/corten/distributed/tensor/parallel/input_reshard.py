# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.tensor.parallel.input_reshard: sharding of saved activations.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ...._missing import missing_function

__all__ = ["input_reshard"]

_INSTEAD = "train with DistributedDataParallel, which keeps all parameters in every process"
input_reshard = missing_function("torch.distributed.tensor.parallel.input_reshard.input_reshard", _INSTEAD)
