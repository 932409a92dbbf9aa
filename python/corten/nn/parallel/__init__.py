# SPDX-License-Identifier: BSD-3-Clause
"""Modules on several devices, of which there is one: DataParallel runs its module there."""
from ... import cuda
from ..._C import Tensor
from ..modules.module import Module

__all__ = ["DataParallel", "DistributedDataParallel", "data_parallel"]


def _moved(value, device):
    """Tensors of arguments on a device, in whatever they lie."""
    if isinstance(value, Tensor):
        return value.to(device)
    if isinstance(value, dict):
        return type(value)((key, _moved(part, device)) for key, part in value.items())
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_moved(part, device) for part in value))
    if isinstance(value, (tuple, list)):
        return type(value)(_moved(part, device) for part in value)
    return value


class DataParallel(Module):
    """Calls its module, on the first GPU if there is one."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module, self.device_ids, self.dim = module, [], dim
        if cuda.is_available():
            first = (device_ids or [0])[0]
            self.device_ids = [first if isinstance(first, int) else first.index or 0]
            self.output_device = self.device_ids[0]
            self.module.to(f"cuda:{self.output_device}")

    def forward(self, *inputs, **kwargs):
        if self.device_ids:
            inputs, kwargs = _moved((inputs, kwargs), f"cuda:{self.output_device}")
        return self.module(*inputs, **kwargs)


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    """Calls a module as DataParallel does."""
    inputs = inputs if isinstance(inputs, tuple) else () if inputs is None else (inputs,)
    return DataParallel(module, device_ids, output_device, dim)(*inputs, **(module_kwargs or {}))


def __getattr__(name):
    if name == "DistributedDataParallel":  # which loads torch.distributed
        from .distributed import DistributedDataParallel
        return DistributedDataParallel
    raise AttributeError(f"module 'torch.nn.parallel' has no attribute '{name}'")
