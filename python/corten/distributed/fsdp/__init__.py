# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.fsdp: Corten has the options and wrapping policies, but not the sharded modules themselves."""
from ..._missing import missing_class, missing_function
from ..._parts import parts_of
from ._options import *  # noqa: F403
from ._options import __all__ as _options

__all__ = [*_options, "FSDPModule", "FullyShardedDataParallel", "GradientReductionHandle", "UnshardHandle", "fully_shard",
           "register_fsdp_forward_method", "share_comm_ctx"]

_INSTEAD = "train with DistributedDataParallel, which keeps all parameters in every process"
(FSDPModule, FullyShardedDataParallel, GradientReductionHandle, UnshardHandle) = (
    missing_class(f"torch.distributed.fsdp.{name}", _INSTEAD) for name in (
        "FSDPModule", "FullyShardedDataParallel", "GradientReductionHandle", "UnshardHandle"))
(fully_shard, register_fsdp_forward_method, share_comm_ctx) = (
    missing_function(f"torch.distributed.fsdp.{name}", _INSTEAD) for name in (
        "fully_shard", "register_fsdp_forward_method", "share_comm_ctx"))

__getattr__ = parts_of(__name__)
