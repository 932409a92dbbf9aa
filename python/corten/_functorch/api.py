# SPDX-License-Identifier: BSD-3-Clause
"""The legacy package `functorch`: the functions of torch.func, and modules as functions of their parameters."""
import copy

from .._missing import missing_function
from ..func import functional_call, functionalize, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp, vmap

__all__ = ["FunctionalModule", "FunctionalModuleWithBuffers", "combine_state_for_ensemble", "functionalize", "grad", "grad_and_value",
           "hessian", "jacfwd", "jacrev", "jvp", "make_functional", "make_functional_with_buffers", "make_fx", "vjp", "vmap"]

combine_state_for_ensemble = missing_function("functorch.combine_state_for_ensemble", "use torch.func.stack_module_state")
make_fx = missing_function("functorch.make_fx", "functions are not traced into graphs")


class FunctionalModuleWithBuffers:
    """Calls a module as a function of its parameters, its buffers and its arguments."""

    def __init__(self, stateless_model, param_names, buffer_names):
        self.stateless_model, self.param_names, self.buffer_names = stateless_model, param_names, buffer_names

    def __call__(self, params, buffers, *args, **kwargs):
        state = dict(zip((*self.param_names, *self.buffer_names), (*params, *buffers), strict=True))
        return functional_call(self.stateless_model, state, args, kwargs)


class FunctionalModule(FunctionalModuleWithBuffers):
    """Calls a module without buffers as a function of its parameters and its arguments."""

    def __init__(self, stateless_model, param_names):
        super().__init__(stateless_model, param_names, ())

    def __call__(self, params, *args, **kwargs):
        return super().__call__(params, (), *args, **kwargs)


def _taken(named, disable_autograd_tracking):
    names, tensors = tuple(zip(*named)) or ((), ())
    if disable_autograd_tracking:
        tensors = tuple(t.detach() for t in tensors)
    return names, tensors


def make_functional(model, disable_autograd_tracking=False):
    """Returns (function of a module's parameters and arguments, tuple of parameters); torch.func.functional_call is newer.

    disable_autograd_tracking: return the parameters without requires_grad.
    """
    if list(model.buffers()):
        raise RuntimeError("make_functional(model): `model` has buffers. Please use make_functional_with_buffers(model) instead.")
    names, params = _taken(model.named_parameters(), disable_autograd_tracking)
    return FunctionalModule(copy.deepcopy(model), names), params


def make_functional_with_buffers(model, disable_autograd_tracking=False):
    """Returns (function of a module's parameters, buffers and arguments, tuple of parameters, tuple of buffers)."""
    names, params = _taken(model.named_parameters(), disable_autograd_tracking)
    buffer_names, buffers = _taken(model.named_buffers(), False)
    return FunctionalModuleWithBuffers(copy.deepcopy(model), names, buffer_names), params, buffers
