# SPDX-License-Identifier: BSD-3-Clause
"""Names around `__torch_dispatch__`, by which PyTorch asks classes of tensors and modes about every operation after autograd. Corten asks
them before it (`__torch_function__`, overrides.py) and about no other: the first tensor of a class with a `__torch_dispatch__` is an
error, and so is entering a TorchDispatchMode."""
import contextlib

from .._C import Tensor
from .._missing import MISSING, MissingFeature, missing_function

__all__ = ["BaseTorchDispatchMode", "TorchDispatchMode", "is_in_torch_dispatch_mode", "is_traceable_wrapper_subclass",
           "is_traceable_wrapper_subclass_type", "return_and_correct_aliasing"]

_HERE = "torch.utils._python_dispatch"
_INSTEAD = "derive from torch.overrides.TorchFunctionMode, which is asked about every operation before autograd"
MISSING[f"{_HERE}.TorchDispatchMode"] = _INSTEAD
MISSING["torch.Tensor.__torch_dispatch__"] = "define __torch_function__, which is asked about every operation"
MISSING["torch.Tensor._make_wrapper_subclass"] = ("use Tensor._make_subclass, or an object with __torch_function__ that holds the "
                                                  "tensor")


def is_traceable_wrapper_subclass(t):
    """Whether a tensor is made of others that it names itself."""
    return isinstance(t, Tensor) and is_traceable_wrapper_subclass_type(type(t))


def is_traceable_wrapper_subclass_type(t):
    """The same of a class."""
    return issubclass(t, Tensor) and t is not Tensor and hasattr(t, "__tensor_flatten__") and hasattr(t, "__tensor_unflatten__")


class TorchDispatchMode:
    """A class that libraries derive from while they are imported; entering a mode is an error."""

    def __init__(self, _dispatch_key=None):
        if _dispatch_key is not None:
            raise MissingFeature(f"{_HERE}.TorchDispatchMode(_dispatch_key=...)", _INSTEAD)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        """What the mode does with an operation; to be defined by the program."""
        raise NotImplementedError

    def __enter__(self):
        raise MissingFeature(f"{_HERE}.TorchDispatchMode", _INSTEAD)

    def __exit__(self, *error):
        return None

    @classmethod
    def push(cls, *args, **kwargs):
        """An instance, to be entered."""
        return cls(*args, **kwargs)


class BaseTorchDispatchMode(TorchDispatchMode):
    """A mode that runs what it is asked about."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def is_in_torch_dispatch_mode(include_infra_modes=True):
    """False: no mode can be entered, whether of a program or of PyTorch's own."""
    return False


def _get_current_dispatch_mode():
    """None: no mode can be entered."""


def _get_current_dispatch_mode_stack():
    return []


def _disable_current_modes():
    """A context without modes, as every one is."""
    return contextlib.nullcontext([])


return_and_correct_aliasing = missing_function(f"{_HERE}.return_and_correct_aliasing", "define __torch_function__ and return the result")
