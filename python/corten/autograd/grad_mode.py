# SPDX-License-Identifier: BSD-3-Clause
"""The modes of autograd. Those that change what is recorded are in C; the two here only keep a setting.

Corten's engine runs on the calling thread and gives gradients the layout of their leaves, so these settings have no effect.
"""
import threading

from .._C import enable_grad, inference_mode, no_grad, set_grad_enabled
from .._decorate import decorate

__all__ = ["no_grad", "enable_grad", "set_grad_enabled", "inference_mode", "set_multithreading_enabled",
           "enforce_grad_layout_policy"]

_switches = threading.local()


class _Switch:
    """A setting that takes effect when the object is created.

    It is restored at the end of a `with` block, or applies to each call of a decorated function.
    """

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
        """Return another object with the same mode."""
        return type(self)(self.mode)


class set_multithreading_enabled(_Switch):
    """Set whether backward may use one thread per device; without effect, since Corten's backward uses the calling thread.

    Takes effect at once; also a context manager or decorator that restores the setting.

    Args:
        mode: the setting.
    """
    _name = "multithreading"

    def __init__(self, mode):
        super().__init__(mode)


class enforce_grad_layout_policy(_Switch):
    """Set whether gradients must have the layout of their leaves; kept for compatibility, since Corten's always have it.

    Takes effect at once; also a context manager or decorator that restores the setting.

    Args:
        enable: the setting. Default: True
    """
    _name = "layout"

    def __init__(self, enable=True):
        super().__init__(enable)


def is_multithreading_enabled():
    """Return the setting of set_multithreading_enabled."""
    return set_multithreading_enabled._get()


for _class in (set_multithreading_enabled, enforce_grad_layout_policy):
    _class.__module__ = "torch.autograd.grad_mode"
