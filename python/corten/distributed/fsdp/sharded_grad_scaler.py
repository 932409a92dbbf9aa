# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.fsdp.sharded_grad_scaler: loss scaling for sharded modules."""
from ..._missing import missing_class

__all__ = ["ShardedGradScaler"]

ShardedGradScaler = missing_class("torch.distributed.fsdp.sharded_grad_scaler.ShardedGradScaler",
                                  "use torch.amp.GradScaler with DistributedDataParallel")
