# SPDX-License-Identifier: BSD-3-Clause
"""torch.device as a context manager and as a decorator, under the names of PyTorch's file."""
from .. import _C
from ._contextlib import context_decorator

__all__ = ["DeviceContext", "device_decorator", "set_device"]


class DeviceContext:
    """Context manager: new tensors are created on `device` unless the call names another."""

    def __init__(self, device):
        self.device, self._blocks = _C.device(device), []

    def __enter__(self):
        self._blocks.append(_C.device(self.device))
        self._blocks[-1].__enter__()
        return self

    def __exit__(self, *error):
        return self._blocks.pop().__exit__(*error)


def device_decorator(device, func):
    """Wraps `func` so that it creates its tensors on `device`."""
    return context_decorator(lambda: DeviceContext(device), func)


def set_device(device):
    """Returns a decorator that makes a function create its tensors on `device`."""
    return lambda func: device_decorator(device, func)
