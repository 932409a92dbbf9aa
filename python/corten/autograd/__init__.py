# SPDX-License-Identifier: BSD-3-Clause
"""Gradients of lists of tensors; the engine itself is in C."""
from .. import _C
from .._C import enable_grad, inference_mode, no_grad, set_grad_enabled

from .function import Function, NestedIOFunction

__all__ = ["Function", "NestedIOFunction", "Node", "Variable", "backward", "enable_grad", "functional", "grad",
           "inference_mode", "no_grad", "set_grad_enabled"]

Node = _C._Node


def _tuple(tensors):
    return (tensors,) if isinstance(tensors, _C.Tensor) else tuple(tensors)


def _gradients_for(tensors, gradients):
    if gradients is None:
        return None
    gradients = _tuple(gradients)
    if len(gradients) != len(tensors):
        raise RuntimeError(f"got {len(tensors)} tensors and {len(gradients)} gradients")
    return gradients


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None):
    """Adds the gradients of `tensors` to the leaves they were computed from."""
    if inputs is not None:
        inputs = _tuple(inputs)
        if not inputs:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    tensors = _tuple(tensors)
    grad_tensors = _gradients_for(tensors, grad_tensors)
    retain_graph = create_graph if retain_graph is None else retain_graph
    _C._backward(tensors, grad_tensors, retain_graph, create_graph, inputs)


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, allow_unused=None,
         is_grads_batched=False, materialize_grads=False):
    """The gradients of `outputs` with respect to `inputs`, as a tuple."""
    if is_grads_batched:
        raise NotImplementedError("grad(): is_grads_batched is not supported")
    if materialize_grads and allow_unused is False:
        raise ValueError("Expected allow_unused to be True or not passed when materialize_grads=True, "
                         "but got: allow_unused=False.")
    outputs, inputs = _tuple(outputs), _tuple(inputs)
    grad_outputs = _gradients_for(outputs, grad_outputs)
    retain_graph = create_graph if retain_graph is None else retain_graph
    allow_unused = materialize_grads if allow_unused is None else allow_unused
    found = _C._gradients(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused)
    if materialize_grads:
        found = tuple(_C.zeros_like(x) if g is None else g for g, x in zip(found, inputs))
    return found


class _VariableMeta(type):
    def __instancecheck__(cls, instance):
        return isinstance(instance, _C.Tensor)


class Variable(metaclass=_VariableMeta):
    """torch.autograd.Variable(data, requires_grad=False): since 2018 a tensor itself; this gives one on data's memory."""

    def __new__(cls, data=None, requires_grad=False, volatile=None):
        data = _C.empty(0) if data is None else data.detach()
        return data.requires_grad_(requires_grad)


Variable.__module__ = "torch.autograd.variable"

from . import functional  # noqa: E402  it is made of grad
