# SPDX-License-Identifier: BSD-3-Clause
"""Variable: what tensors with gradients were called before 2018."""
from .. import _C
from .._missing import no_effect

__all__ = ["VariableMeta", "Variable"]


class VariableMeta(type):
    def __instancecheck__(cls, other):
        return isinstance(other, _C.Tensor)


class _Engine:
    """What programs ask of the engine itself."""

    @staticmethod
    def queue_callback(callback):
        """Calls callback() when the backward pass in progress has computed all its gradients."""
        _C._engine_queue_callback(callback)


class Variable(metaclass=VariableMeta):
    """torch.autograd.Variable(data, requires_grad=False): since 2018 a tensor itself; this gives one on data's memory."""

    _execution_engine = _Engine

    def __new__(cls, data=None, requires_grad=False, volatile=None):
        if volatile is not None:
            no_effect("torch.autograd.Variable(volatile=...)", "use `with torch.no_grad():` instead")
        data = _C.empty(0) if data is None else data.detach()
        return data.requires_grad_(requires_grad)


for _class in (VariableMeta, Variable):
    _class.__module__ = "torch.autograd.variable"
