# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.tensor.experimental: trials with tensors that are divided among processes.

Corten does not have this; each name says what to use instead.
"""
from ..._missing import missing_function

__all__ = ["context_parallel", "implicit_replication", "local_map", "register_sharding"]

_INSTEAD = "train with DistributedDataParallel, which keeps all parameters in every process"
(context_parallel, implicit_replication, local_map, register_sharding) = (
    missing_function(f"torch.distributed.tensor.experimental.{name}", _INSTEAD) for name in (
        "context_parallel", "implicit_replication", "local_map", "register_sharding"))
