# SPDX-License-Identifier: BSD-3-Clause
"""Modules whose parameters are spread over processes: not there."""
from .._absent import absent

_NAMES = ("BackwardPrefetch CPUOffload CPUOffloadPolicy FSDPModule FullOptimStateDictConfig FullStateDictConfig "
          "FullyShardedDataParallel MixedPrecision MixedPrecisionPolicy OffloadPolicy OptimStateKeyType "
          "ShardedOptimStateDictConfig ShardedStateDictConfig ShardingStrategy StateDictType fully_shard").split()
__all__ = list(_NAMES)
globals().update(zip(_NAMES, absent("fsdp", *_NAMES), strict=True))
