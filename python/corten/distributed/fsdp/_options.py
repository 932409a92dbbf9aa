# SPDX-License-Identifier: BSD-3-Clause
"""Options of FullyShardedDataParallel and fully_shard. Scripts make them before they come to use them, so they can be made."""
import enum
from dataclasses import dataclass, field
from typing import Any

__all__ = ["BackwardPrefetch", "CPUOffload", "CPUOffloadPolicy", "DataParallelMeshDims", "FullOptimStateDictConfig",
           "FullStateDictConfig", "LocalOptimStateDictConfig", "LocalStateDictConfig", "MixedPrecision", "MixedPrecisionPolicy",
           "OffloadPolicy", "OptimStateDictConfig", "OptimStateKeyType", "ShardedOptimStateDictConfig", "ShardedStateDictConfig",
           "ShardingStrategy", "StateDictConfig", "StateDictSettings", "StateDictType"]


class ShardingStrategy(enum.Enum):
    """What is divided among the processes."""
    FULL_SHARD, SHARD_GRAD_OP, NO_SHARD, HYBRID_SHARD, _HYBRID_SHARD_ZERO2 = range(1, 6)


class BackwardPrefetch(enum.Enum):
    """When the parameters of the next module are fetched in backward."""
    BACKWARD_PRE, BACKWARD_POST = 1, 2


class StateDictType(enum.Enum):
    """What a state_dict holds: everything, or the part of this process."""
    FULL_STATE_DICT, LOCAL_STATE_DICT, SHARDED_STATE_DICT = range(1, 4)


class OptimStateKeyType(enum.Enum):
    """How the state of an optimizer names parameters."""
    PARAM_NAME, PARAM_ID = 1, 2


@dataclass
class MixedPrecision:
    """Types for forward, exchange and buffers."""
    param_dtype: Any = None
    reduce_dtype: Any = None
    buffer_dtype: Any = None
    keep_low_precision_grads: bool = False
    cast_forward_inputs: bool = False
    cast_root_forward_inputs: bool = True
    _module_classes_to_ignore: Any = ()


@dataclass(frozen=True)
class MixedPrecisionPolicy:
    """Types for forward, exchange and results."""
    param_dtype: Any = None
    reduce_dtype: Any = None
    output_dtype: Any = None
    cast_forward_inputs: bool = True
    param_dtype_override_fn: Any = field(default=None, kw_only=True)


@dataclass
class CPUOffload:
    """Whether parameters rest in the memory of the CPU."""
    offload_params: bool = False


@dataclass
class OffloadPolicy:
    """Nothing rests in the memory of the CPU."""


@dataclass
class CPUOffloadPolicy(OffloadPolicy):
    """Parameters rest in the memory of the CPU."""
    pin_memory: bool = True


@dataclass
class DataParallelMeshDims:
    """Dims of a mesh along which parameters are divided, and along which they are copied."""
    shard: Any = None
    replicate: Any = None

    def __post_init__(self):
        if self.shard is None and self.replicate is None:
            raise ValueError("At least one of shard or replicate must be set in DataParallelMeshDims")


@dataclass
class StateDictConfig:
    """Options of a state_dict."""
    offload_to_cpu: bool = False


@dataclass
class FullStateDictConfig(StateDictConfig):
    """Options of one with everything."""
    rank0_only: bool = False


@dataclass
class LocalStateDictConfig(StateDictConfig):
    """Options of one with the part of this process."""


@dataclass
class ShardedStateDictConfig(StateDictConfig):
    """Options of one with divided tensors."""
    _use_dtensor: bool = False


@dataclass
class OptimStateDictConfig:
    """Options of the state of an optimizer."""
    offload_to_cpu: bool = True


@dataclass
class FullOptimStateDictConfig(OptimStateDictConfig):
    """Options of one with everything."""
    rank0_only: bool = False


@dataclass
class LocalOptimStateDictConfig(OptimStateDictConfig):
    """Options of one with the part of this process."""
    offload_to_cpu: bool = False


@dataclass
class ShardedOptimStateDictConfig(OptimStateDictConfig):
    """Options of one with divided tensors."""
    _use_dtensor: bool = False


@dataclass
class StateDictSettings:
    """The kind of state_dict and its options."""
    state_dict_type: StateDictType
    state_dict_config: StateDictConfig
    optim_state_dict_config: OptimStateDictConfig
