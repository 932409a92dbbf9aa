# SPDX-License-Identifier: BSD-3-Clause
"""Communication hooks: what DistributedDataParallel does with a bucket of gradients instead of averaging it."""
import enum

from ...._parts import parts_of
from . import debugging_hooks, default_hooks, powerSGD_hook, quantization_hooks

__all__ = ["DDPCommHookType", "debugging_hooks", "default_hooks", "powerSGD_hook", "register_ddp_comm_hook"]


class _Hook:
    """Registers one hook on a model; PowerSGD hooks need a state object for the group."""

    def __init__(self, hook, rank=None):
        self._hook, self._rank = hook, rank

    def __call__(self, model, state=None):
        if self._rank is not None:
            state = powerSGD_hook.PowerSGDState(state, matrix_approximation_rank=self._rank)
        model.register_comm_hook(state, self._hook)


class DDPCommHookType(enum.Enum):
    """Communication hooks by name, for register_ddp_comm_hook."""
    ALLREDUCE = _Hook(default_hooks.allreduce_hook)
    FP16_COMPRESS = _Hook(default_hooks.fp16_compress_hook)
    BF16_COMPRESS = _Hook(default_hooks.bf16_compress_hook)
    QUANTIZE_PER_TENSOR = _Hook(quantization_hooks.quantization_pertensor_hook)
    QUANTIZE_PER_CHANNEL = _Hook(quantization_hooks.quantization_perchannel_hook)
    POWER_SGD = _Hook(powerSGD_hook.powerSGD_hook, 1)
    POWER_SGD_RANK2 = _Hook(powerSGD_hook.powerSGD_hook, 2)
    BATCHED_POWER_SGD = _Hook(powerSGD_hook.batched_powerSGD_hook, 1)
    BATCHED_POWER_SGD_RANK2 = _Hook(powerSGD_hook.batched_powerSGD_hook, 2)
    NOOP = _Hook(debugging_hooks.noop_hook)


def register_ddp_comm_hook(comm_hook_type, model, state=None):
    """Registers the hook `comm_hook_type` on a DistributedDataParallel model; the hook is called with `state` and a bucket."""
    comm_hook_type.value(model=model, state=state)


__getattr__ = parts_of(__name__)
