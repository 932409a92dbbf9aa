# SPDX-License-Identifier: BSD-3-Clause
"""Variable: the name of tensors with gradients before 2018."""
from .. import _C
from .._missing import no_effect

__all__ = ["VariableMeta", "Variable"]


class VariableMeta(type):
    """Make every tensor an instance of Variable."""

    def __instancecheck__(cls, other):
        return isinstance(other, _C.Tensor)


class _Engine:
    """The methods of the engine that programs may call."""

    @staticmethod
    def queue_callback(callback):
        """Call callback() when the running backward pass has computed all its gradients.

        Args:
            callback: a function without arguments.
        """
        _C._engine_queue_callback(callback)


class Variable(metaclass=VariableMeta):
    """The old wrapper of tensors; since 2018 it returns a tensor, which shares the memory of `data`.

    Args:
        data: a tensor. Default: None, for an empty one
        requires_grad: whether to record operations on it. Default: False
        volatile: deprecated, without effect; use torch.no_grad() instead.
    """

    _execution_engine = _Engine

    def __new__(cls, data=None, requires_grad=False, volatile=None):
        if volatile is not None:
            no_effect("torch.autograd.Variable(volatile=...)", "use `with torch.no_grad():` instead")
        data = _C.empty(0) if data is None else data.detach()
        return data.requires_grad_(requires_grad)


for _class in (VariableMeta, Variable):
    _class.__module__ = "torch.autograd.variable"
