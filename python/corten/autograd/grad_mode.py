# SPDX-License-Identifier: BSD-3-Clause
"""The modes of autograd. Those that change what is recorded are in C; the others switch what Corten's engine, which
runs on the calling thread and lays gradients out like their leaves, does anyway."""
import threading

from .._C import enable_grad, inference_mode, no_grad, set_grad_enabled
from .._decorate import decorate

__all__ = ["no_grad", "enable_grad", "set_grad_enabled", "inference_mode", "set_multithreading_enabled",
           "enforce_grad_layout_policy"]

_switches = threading.local()


class _Switch:
    """Set when made; given back at the end of a `with`, or around each call of a decorated function."""

    def __init__(self, mode):
        self.prev, self.mode = self._get(), mode
        setattr(_switches, self._name, mode)

    @classmethod
    def _get(cls):
        return getattr(_switches, cls._name, True)

    def __enter__(self):
        pass

    def __exit__(self, *args):
        setattr(_switches, self._name, self.prev)

    def __call__(self, function):
        setattr(_switches, self._name, self.prev)
        return decorate(self, function)

    def clone(self):
        """Another one of the same mode."""
        return type(self)(self.mode)


class set_multithreading_enabled(_Switch):
    """Whether backward may use a thread for each device; on the CPU it runs on the calling thread."""
    _name = "multithreading"

    def __init__(self, mode):
        super().__init__(mode)


class enforce_grad_layout_policy(_Switch):
    """Whether gradients must lie like their leaves, which Corten's always do."""
    _name = "layout"

    def __init__(self, enable=True):
        super().__init__(enable)


def is_multithreading_enabled():
    """What set_multithreading_enabled has set."""
    return set_multithreading_enabled._get()


for _class in (set_multithreading_enabled, enforce_grad_layout_policy):
    _class.__module__ = "torch.autograd.grad_mode"
