# SPDX-License-Identifier: BSD-3-Clause
"""Automatic differentiation: backward() and grad() for lists of tensors. The engine itself is in C."""
import warnings
from collections.abc import Mapping

from .. import _C
from .._C import _is_checkpoint_valid  # noqa: F401
from . import function, grad_mode, graph, variable
from .anomaly_mode import detect_anomaly, set_detect_anomaly
from .function import Function, NestedIOFunction
from .grad_mode import (enable_grad, enforce_grad_layout_policy, inference_mode, is_multithreading_enabled, no_grad,
                        set_grad_enabled, set_multithreading_enabled)
from .graph import GradientEdge, Node
from .variable import Variable

__all__ = ["Function", "NestedIOFunction", "Node", "Variable", "backward", "detect_anomaly", "enable_grad",
           "enforce_grad_layout_policy", "functional", "grad", "grad_mode", "gradcheck", "gradgradcheck", "graph",
           "inference_mode", "is_multithreading_enabled", "kineto_available", "no_grad", "set_detect_anomaly", "set_grad_enabled",
           "set_multithreading_enabled", "variable"]


def _tuple(tensors):
    return (tensors,) if isinstance(tensors, (_C.Tensor, GradientEdge)) else tuple(tensors)


def _inputs(inputs, where):
    if isinstance(inputs, Mapping):
        if type(inputs) is not dict:
            raise TypeError(f"`inputs` argument to `{where}()` must be a dict, not {type(inputs).__name__}. Other Mapping "
                            "types are not supported.")
        inputs = tuple(inputs.values())
    inputs = _tuple(inputs)
    if not inputs:
        raise RuntimeError(f"`inputs` argument to `{where}()` cannot be empty.")
    return inputs


def _outputs(outputs):
    outputs = _tuple(outputs)
    if not all(isinstance(t, (_C.Tensor, GradientEdge)) for t in outputs):
        raise AssertionError("Expected output to be a torch.Tensor")
    return outputs


def _at(edges):
    """Replace gradient edges with placeholder tensors."""
    return tuple(_C._edge_tensor(e.node, e.output_nr) if isinstance(e, GradientEdge) else e for e in edges)


def _gradients_for(tensors, gradients):
    if gradients is None:
        return None
    gradients = _tuple(gradients)[:len(tensors)]
    if len(gradients) != len(tensors):
        raise RuntimeError(f"got {len(tensors)} tensors and {len(gradients)} gradients")
    return gradients


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None):
    """Compute gradients of tensors and add them to the .grad of the leaves they depend on.

    For several tensors the result is the gradient of sum_i (grad_tensors[i] * tensors[i]).sum(). Gradients accumulate: they are
    added to what .grad holds.

    Args:
        tensors: a tensor or a sequence of them; gradient edges are accepted too.
        grad_tensors: the weight of each tensor, of its shape: the gradient that arrives from outside. None is allowed for
            tensors with one element, and means 1. Default: None
        retain_graph: True keeps the saved tensors, so that backward can run again; False frees them. Default: None, for
            the value of create_graph
        create_graph: True records the computation of the gradients, so that they can be differentiated. Default: False
        grad_variables: the deprecated name of grad_tensors.
        inputs: the only tensors whose .grad changes. Default: None, for all leaves

        >>> x = torch.tensor([1., 2.], requires_grad=True)
        >>> torch.autograd.backward([x.square(), 3 * x], [torch.tensor([1., 1.]), torch.tensor([0., 1.])])
        >>> x.grad  # 2 * x, and 3 more for the second element
        tensor([2., 7.])
    """
    if grad_variables is not None:
        warnings.warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning, stacklevel=2)
        if grad_tensors is not None:
            raise RuntimeError("`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. "
                               "Please only use `grad_tensors`.")
        grad_tensors = grad_variables
    if inputs is not None:
        inputs = _at(_inputs(inputs, "backward"))
    tensors = _at(_outputs(tensors))
    grad_tensors = _gradients_for(tensors, grad_tensors)
    retain_graph = create_graph if retain_graph is None else retain_graph
    _C._backward(tensors, grad_tensors, retain_graph, create_graph, inputs)


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None,
         is_grads_batched=False, materialize_grads=False):
    """Compute and return the gradients of outputs with respect to inputs; .grad is not touched.

    Args:
        outputs: a tensor or a sequence of them (or gradient edges).
        inputs: a tensor, a sequence or a dict of tensors that outputs were computed from; they need not be leaves.
        grad_outputs: the weight of each output, of its shape; the function returns the gradient of
            sum_i (grad_outputs[i] * outputs[i]).sum(). None is allowed for outputs with one element, and means 1.
            Default: None
        retain_graph: True keeps the saved tensors for another call; False frees them. Default: None, for create_graph
        create_graph: True records the computation of the gradients, so that they can be differentiated. Default: False
        only_inputs: deprecated, without effect.
        allow_unused: True returns None for inputs that outputs do not depend on; False raises RuntimeError. Default:
            None, for the value of materialize_grads
        is_grads_batched: True means that grad_outputs have one more dim at the front; one gradient per row is computed
            and they are stacked. Default: False
        materialize_grads: True returns zeros instead of None for unused inputs. Default: False

    Returns a tuple with one gradient per input, or a dict if inputs is one.

        >>> x = torch.tensor(3., requires_grad=True)
        >>> slope, = torch.autograd.grad(x ** 3, x, create_graph=True)
        >>> curvature, = torch.autograd.grad(slope, x)
        >>> slope.item(), curvature.item()  # 3 * x^2 and 6 * x
        (27.0, 18.0)
    """
    if materialize_grads and allow_unused is False:
        raise ValueError("Expected allow_unused to be True or not passed when materialize_grads=True, "
                         "but got: allow_unused=False.")
    allow_unused = materialize_grads if allow_unused is None else allow_unused
    given, outputs = _inputs(inputs, "grad"), _outputs(outputs)
    asked = (*outputs, *given)
    if _C._has_torch_function(asked):
        return _C._handle_torch_function(grad, asked, (outputs, inputs), dict(
            grad_outputs=grad_outputs, retain_graph=retain_graph, create_graph=create_graph, only_inputs=only_inputs,
            allow_unused=allow_unused, is_grads_batched=is_grads_batched, materialize_grads=materialize_grads))
    if not only_inputs:
        warnings.warn("only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for "
                      "other parts of the graph, please use torch.autograd.backward.", FutureWarning, stacklevel=2)
    edges = any(isinstance(e, GradientEdge) for e in outputs)
    outputs, inputs_at = _at(outputs), _at(given)
    grad_outputs = _gradients_for(outputs, grad_outputs)
    retain_graph = create_graph if retain_graph is None else retain_graph
    if is_grads_batched:
        if edges:
            raise RuntimeError("Batched grads are not supported with GradientEdge")
        found = _batched(outputs, inputs_at, grad_outputs, retain_graph, create_graph, allow_unused)
    else:
        found = _C._gradients(outputs, inputs_at, grad_outputs, retain_graph, create_graph, allow_unused)
    if materialize_grads:
        if any(g is None and isinstance(x, GradientEdge) for g, x in zip(found, given)):
            raise RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge")
        found = tuple(_C.zeros_like(x, requires_grad=create_graph) if g is None else g for g, x in zip(found, given))
    return dict(zip(inputs, found)) if type(inputs) is dict else found


def _batched(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused):
    """Run one backward pass for each row of the batch."""
    weights = grad_outputs or (None,) * len(outputs)
    for i, (g, output) in enumerate(zip(weights, outputs)):
        if g is not None and g[0].shape != output.shape:
            raise RuntimeError(
                "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. "
                "The sizes of the remaining dimensions are expected to match the shape of corresponding output, but a "
                f"mismatch was detected: grad_output[{i}] has a shape of {g.shape[2:]} and output[{i}] has a shape of "
                f"{output.shape}. If you only want some tensors in `grad_output` to be considered batched, consider using "
                "vmap.")
    sizes = {g.shape[0] for g in weights if g is not None}
    if len(sizes) != 1:
        raise ValueError("vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
                         f"{sorted(sizes)} for the mapped dimension")
    rows = []
    for k in range(size := sizes.pop()):
        row = tuple(None if g is None else g[k] for g in weights)
        rows.append(_C._gradients(outputs, inputs, row, retain_graph or k < size - 1, create_graph, allow_unused))
    return tuple(None if all(g is None for g in column) else _C.stack([_C.zeros_like(x) if g is None else g for g in column])
                 for column, x in zip(zip(*rows), inputs))


from . import forward_ad, functional  # noqa: E402  needs grad, defined above
from .gradcheck import gradcheck, gradgradcheck  # noqa: E402  needs grad too


def variable(*args, **kwargs):  # noqa: F811  PyTorch gives function and module one name
    """Raise RuntimeError, as in PyTorch: create tensors with torch.tensor."""
    raise RuntimeError("torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead")


variable.Variable = Variable  # keeps torch.autograd.variable.Variable working


from .._parts import part  # noqa: E402


def __getattr__(name):
    if name == "kineto_available":
        from .profiler import kineto_available
        return kineto_available
    return part(__name__, name)
