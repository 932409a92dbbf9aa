# SPDX-License-Identifier: BSD-3-Clause
"""Names around `__torch_dispatch__`, PyTorch's hook for operations below autograd.

Corten dispatches only above autograd (`__torch_function__`, overrides.py). Creating a tensor of a class that defines
`__torch_dispatch__` raises an error, and so does entering a TorchDispatchMode.
"""
import contextlib

from .._C import Tensor
from .._missing import MISSING, MissingFeature, missing_function

__all__ = ["BaseTorchDispatchMode", "TorchDispatchMode", "is_in_torch_dispatch_mode", "is_traceable_wrapper_subclass",
           "is_traceable_wrapper_subclass_type", "return_and_correct_aliasing"]

_HERE = "torch.utils._python_dispatch"
_INSTEAD = "derive from torch.overrides.TorchFunctionMode, which intercepts every operation before autograd"
MISSING[f"{_HERE}.TorchDispatchMode"] = _INSTEAD
MISSING["torch.Tensor.__torch_dispatch__"] = "define __torch_function__, which intercepts every operation"
MISSING["torch.Tensor._make_wrapper_subclass"] = ("use Tensor._make_subclass, or an object with __torch_function__ that holds the "
                                                  "tensor")


def is_traceable_wrapper_subclass(t):
    """Returns whether a tensor is of a subclass that wraps other tensors and names them in __tensor_flatten__."""
    return isinstance(t, Tensor) and is_traceable_wrapper_subclass_type(type(t))


def is_traceable_wrapper_subclass_type(t):
    """Returns whether a class defines __tensor_flatten__ and __tensor_unflatten__."""
    return issubclass(t, Tensor) and t is not Tensor and hasattr(t, "__tensor_flatten__") and hasattr(t, "__tensor_unflatten__")


class TorchDispatchMode:
    """Base class for libraries that derive from it at import time; entering a mode raises an error."""

    def __init__(self, _dispatch_key=None):
        if _dispatch_key is not None:
            raise MissingFeature(f"{_HERE}.TorchDispatchMode(_dispatch_key=...)", _INSTEAD)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        """Handles an operation; subclasses define it."""
        raise NotImplementedError

    def __enter__(self):
        raise MissingFeature(f"{_HERE}.TorchDispatchMode", _INSTEAD)

    def __exit__(self, *error):
        return None

    @classmethod
    def push(cls, *args, **kwargs):
        """Returns a new instance, to be used in a `with` statement."""
        return cls(*args, **kwargs)


class BaseTorchDispatchMode(TorchDispatchMode):
    """A mode that calls each operation unchanged."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def is_in_torch_dispatch_mode(include_infra_modes=True):
    """Returns False: no mode can be entered."""
    return False


def _get_current_dispatch_mode():
    """Returns None: no mode can be entered."""


def _get_current_dispatch_mode_stack():
    return []


def _disable_current_modes():
    """Returns a context without modes; since no mode exists, it does nothing."""
    return contextlib.nullcontext([])


return_and_correct_aliasing = missing_function(f"{_HERE}.return_and_correct_aliasing", "define __torch_function__ and return the result")
