# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.tensor.experimental: experimental features of sharded tensors.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_function

__all__ = ["context_parallel", "implicit_replication", "local_map", "register_sharding"]

_INSTEAD = "train with DistributedDataParallel, which keeps all parameters in every process"
(context_parallel, implicit_replication, local_map, register_sharding) = (
    missing_function(f"torch.distributed.tensor.experimental.{name}", _INSTEAD) for name in (
        "context_parallel", "implicit_replication", "local_map", "register_sharding"))
