# SPDX-License-Identifier: BSD-3-Clause
"""Training on several devices: DistributedDataParallel with one process per device, DataParallel with one process for all."""
from ..._C import Tensor
from .data_parallel import DataParallel, data_parallel
from .parallel_apply import parallel_apply
from .replicate import replicate
from .scatter_gather import gather, scatter

__all__ = ["DataParallel", "DistributedDataParallel", "data_parallel", "gather", "parallel_apply", "replicate", "scatter"]


def _moved(value, device):
    """Move all tensors in a nested value to a device."""
    if isinstance(value, Tensor):
        return value.to(device)
    if isinstance(value, dict):
        return type(value)((key, _moved(part, device)) for key, part in value.items())
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_moved(part, device) for part in value))
    if isinstance(value, (tuple, list)):
        return type(value)(_moved(part, device) for part in value)
    return value


def __getattr__(name):
    if name == "DistributedDataParallel":  # importing it loads torch.distributed
        from .distributed import DistributedDataParallel
        return DistributedDataParallel
    from ..._parts import part
    return part(__name__, name)
