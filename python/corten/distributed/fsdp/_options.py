# SPDX-License-Identifier: BSD-3-Clause
"""Options of FullyShardedDataParallel and fully_shard, so that scripts can construct them."""
import enum
from dataclasses import dataclass, field
from typing import Any

__all__ = ["BackwardPrefetch", "CPUOffload", "CPUOffloadPolicy", "DataParallelMeshDims", "FullOptimStateDictConfig",
           "FullStateDictConfig", "LocalOptimStateDictConfig", "LocalStateDictConfig", "MixedPrecision", "MixedPrecisionPolicy",
           "OffloadPolicy", "OptimStateDictConfig", "OptimStateKeyType", "ShardedOptimStateDictConfig", "ShardedStateDictConfig",
           "ShardingStrategy", "StateDictConfig", "StateDictSettings", "StateDictType"]


class ShardingStrategy(enum.Enum):
    """What FSDP shards: parameters, gradients and optimizer states."""
    FULL_SHARD, SHARD_GRAD_OP, NO_SHARD, HYBRID_SHARD, _HYBRID_SHARD_ZERO2 = range(1, 6)


class BackwardPrefetch(enum.Enum):
    """When backward fetches the parameters of the next module."""
    BACKWARD_PRE, BACKWARD_POST = 1, 2


class StateDictType(enum.Enum):
    """What a state_dict contains: all parameters, or the shard of this process."""
    FULL_STATE_DICT, LOCAL_STATE_DICT, SHARDED_STATE_DICT = range(1, 4)


class OptimStateKeyType(enum.Enum):
    """Whether the optimizer state is keyed by parameter name or by index."""
    PARAM_NAME, PARAM_ID = 1, 2


@dataclass
class MixedPrecision:
    """Data types of parameters, gradient reduction and buffers."""
    param_dtype: Any = None
    reduce_dtype: Any = None
    buffer_dtype: Any = None
    keep_low_precision_grads: bool = False
    cast_forward_inputs: bool = False
    cast_root_forward_inputs: bool = True
    _module_classes_to_ignore: Any = ()


@dataclass(frozen=True)
class MixedPrecisionPolicy:
    """Data types of parameters, gradient reduction and outputs, for fully_shard."""
    param_dtype: Any = None
    reduce_dtype: Any = None
    output_dtype: Any = None
    cast_forward_inputs: bool = True
    param_dtype_override_fn: Any = field(default=None, kw_only=True)


@dataclass
class CPUOffload:
    """Whether parameters are offloaded to CPU memory."""
    offload_params: bool = False


@dataclass
class OffloadPolicy:
    """Policy of fully_shard without offloading."""


@dataclass
class CPUOffloadPolicy(OffloadPolicy):
    """Policy of fully_shard that offloads parameters to CPU memory."""
    pin_memory: bool = True


@dataclass
class DataParallelMeshDims:
    """Mesh dimensions along which parameters are sharded or replicated."""
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
    """Options of a full state_dict."""
    rank0_only: bool = False


@dataclass
class LocalStateDictConfig(StateDictConfig):
    """Options of a local state_dict."""


@dataclass
class ShardedStateDictConfig(StateDictConfig):
    """Options of a sharded state_dict."""
    _use_dtensor: bool = False


@dataclass
class OptimStateDictConfig:
    """Options of an optimizer's state_dict."""
    offload_to_cpu: bool = True


@dataclass
class FullOptimStateDictConfig(OptimStateDictConfig):
    """Options of a full optimizer state_dict."""
    rank0_only: bool = False


@dataclass
class LocalOptimStateDictConfig(OptimStateDictConfig):
    """Options of a local optimizer state_dict."""
    offload_to_cpu: bool = False


@dataclass
class ShardedOptimStateDictConfig(OptimStateDictConfig):
    """Options of a sharded optimizer state_dict."""
    _use_dtensor: bool = False


@dataclass
class StateDictSettings:
    """The state_dict type with its options."""
    state_dict_type: StateDictType
    state_dict_config: StateDictConfig
    optim_state_dict_config: OptimStateDictConfig
