# SPDX-License-Identifier: BSD-3-Clause
"""Modules as functions of their parameters and buffers."""
from .. import stack
from ..nn.utils.stateless import _functional_call as _call

__all__ = ["debug_unwrap", "functional_call", "stack_module_state"]


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """module(*args, **kwargs) with these tensors in place of its own."""
    given = parameter_and_buffer_dicts
    if isinstance(given, dict):
        given = dict(given)
    elif isinstance(given, (list, tuple)):
        if not all(isinstance(part, dict) for part in given):
            raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
        names = [name for part in given for name in part]
        repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
        if repeated:
            raise ValueError(f"{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous")
        given = {name: value for part in given for name, value in part.items()}
    else:
        raise ValueError("Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got "
                         f"{type(parameter_and_buffer_dicts)}")
    return _call(module, given, () if args is None else args, kwargs, tie_weights=tie_weights, strict=strict)


def stack_module_state(models):
    """Parameters and buffers of several modules of one kind, each stacked: ({name: tensor}, {name: tensor})."""
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if not (all(m.training for m in models) or all(not m.training for m in models)):
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if not all(type(m) is type(models[0]) for m in models):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")

    def together(tensors):
        joined = stack(list(tensors))
        return joined.detach().requires_grad_() if all(t.requires_grad and t.is_leaf for t in tensors) else joined

    params = {name: together([dict(m.named_parameters())[name] for m in models]) for name, _ in models[0].named_parameters()}
    buffers = {name: stack([dict(m.named_buffers())[name] for m in models]) for name, _ in models[0].named_buffers()}
    return params, buffers


def debug_unwrap(tensor, *, recurse=True):
    """The tensor itself: nothing wraps it."""
    return tensor
