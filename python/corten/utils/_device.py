# SPDX-License-Identifier: BSD-3-Clause
"""torch.device as a block of code and as a decorator, by the names of PyTorch's file."""
from .. import _C
from ._contextlib import context_decorator

__all__ = ["DeviceContext", "device_decorator", "set_device"]


class DeviceContext:
    """In the block new tensors are on a device, unless they are told another."""

    def __init__(self, device):
        self.device, self._blocks = _C.device(device), []

    def __enter__(self):
        self._blocks.append(_C.device(self.device))
        self._blocks[-1].__enter__()
        return self

    def __exit__(self, *error):
        return self._blocks.pop().__exit__(*error)


def device_decorator(device, func):
    """A function whose new tensors are on a device."""
    return context_decorator(lambda: DeviceContext(device), func)


def set_device(device):
    """A decorator: the function's new tensors are on a device."""
    return lambda func: device_decorator(device, func)
