# SPDX-License-Identifier: BSD-3-Clause
"""Handles of hooks, and the backward hooks of modules."""
import functools
import warnings
import weakref
from collections import OrderedDict

from .. import Tensor, is_grad_enabled

__all__ = ["BackwardHook", "RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]


class RemovableHandle:
    """A handle that removes a hook: through remove(), or at the end of a `with` block."""

    next_id = 0

    def __init__(self, hooks_dict, *, extra_dict=None):
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1
        extra = [extra_dict] if isinstance(extra_dict, dict) else extra_dict or []
        self.extra_dict_ref = tuple(weakref.ref(d) for d in extra)

    def remove(self):
        """Remove the hook."""
        for ref in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = ref()
            if hooks is not None and self.id in hooks:
                del hooks[self.id]

    def __getstate__(self):
        return self.hooks_dict_ref(), self.id, tuple(ref() for ref in self.extra_dict_ref)

    def __setstate__(self, state):
        self.hooks_dict_ref = weakref.ref(OrderedDict() if state[0] is None else state[0])
        self.id = state[1]
        RemovableHandle.next_id = max(RemovableHandle.next_id, self.id + 1)
        self.extra_dict_ref = tuple(weakref.ref(d) for d in (state[2] if len(state) > 2 else None) or ())

    def __enter__(self):
        return self

    def __exit__(self, type, value, trace):
        self.remove()


def unserializable_hook(f):
    """Marks a hook that is left out silently when its tensor is saved."""
    f.__torch_unserializable__ = True
    return f


def warn_if_has_hooks(tensor):
    """Warns if saving the tensor loses hooks."""
    for hook in (tensor._backward_hooks or {}).values():
        if not hasattr(hook, "__torch_unserializable__"):
            warnings.warn(f"backward hook {hook!r} on tensor will not be serialized.  If this is expected, you can decorate "
                          "the function with @torch.utils.hooks.unserializable_hook to suppress this warning", stacklevel=2)


@functools.cache
def _passing():
    """Returns an identity Function, whose graph node carries a module's hooks. Created on first use."""
    from ..autograd import Function

    class BackwardHookFunction(Function):
        @staticmethod
        def forward(ctx, *args):
            ctx.mark_non_differentiable(*[arg for arg in args if not arg.requires_grad])
            return args

        @staticmethod
        def backward(ctx, *grads):
            return grads

    return BackwardHookFunction


def _spread(values, indices, size):
    """Returns a tuple of length `size` with `values` at `indices` and None elsewhere."""
    whole = [None] * size
    for index, value in zip(indices, values):
        whole[index] = value
    return tuple(whole)


class BackwardHook:
    """Backward hooks for one call of a module: inserts a node before the inputs and one after the outputs.

    The output node receives the gradients of the outputs and runs the pre-hooks. The input node receives the gradients of the
    inputs; the hooks run there, because both are known then.
    """

    def __init__(self, module, user_hooks, user_pre_hooks):
        self.module, self.user_hooks, self.user_pre_hooks = module, user_hooks, user_pre_hooks
        self.grad_outputs = None
        self.n_outputs = self.n_inputs = -1
        self.output_tensors_index = self.input_tensors_index = None

    def _pass(self, args, hook):
        """Passes tensor arguments through a node that runs `hook`; returns the new arguments and the indices of tensors.

        Returns None if no graph is recorded.
        """
        indices = [i for i, arg in enumerate(args) if isinstance(arg, Tensor)]
        if not (is_grad_enabled() and any(args[i].requires_grad for i in indices)):
            return args, None
        passed = _passing().apply(*(args[i] for i in indices))
        passed = passed if isinstance(passed, tuple) else (passed,)
        next(t for t in passed if t.grad_fn is not None).grad_fn.register_hook(hook)
        whole = list(args)
        for index, tensor in zip(indices, passed):
            whole[index] = tensor
        return (tuple(whole) if type(args) is tuple else type(args)(*whole)), indices

    def setup_input_hook(self, args):
        """Wraps the inputs of a module call, so that their gradients reach the hooks."""
        self.n_inputs = len(args)
        args, self.input_tensors_index = self._pass(args, self._at_inputs)
        return args

    def setup_output_hook(self, args):
        """Wraps the outputs of a module call, so that their gradients reach the hooks."""
        single = not isinstance(args, tuple)
        args = (args,) if single else args
        self.n_outputs = len(args)
        args, self.output_tensors_index = self._pass(args, self._at_outputs)
        return args[0] if single else args

    def _at_inputs(self, grad_input, _):
        if self.grad_outputs is None:
            return None  # a second backward that did not pass through the outputs
        grads = _spread(grad_input, self.input_tensors_index, self.n_inputs)
        for hook in self.user_hooks:
            out = hook(self.module, grads, self.grad_outputs)
            if out is None:
                continue
            if len(out) != len(grads):
                raise RuntimeError(f"Backward hook returned an invalid number of grad_input, got {len(out)}, but expected "
                                   f"{len(grads)}")
            grads = out
        self.grad_outputs = None
        return tuple(grads[i] for i in self.input_tensors_index)

    def _at_outputs(self, _, grad_output):
        grads = _spread(grad_output, self.output_tensors_index, self.n_outputs)
        for hook in self.user_pre_hooks:
            out = hook(self.module, grads)
            if out is None:
                continue
            if len(out) != self.n_outputs:
                raise RuntimeError(f"Backward pre hook returned an invalid number of grad_output, got {len(out)}, but "
                                   f"expected {self.n_outputs}")
            grads = out
        self.grad_outputs = grads
        if self.input_tensors_index is None:  # no input requires a gradient: run the hooks here
            self._without_inputs(grads)
            self.grad_outputs = None
        return tuple(grads[i] for i in self.output_tensors_index)

    def _without_inputs(self, grads):
        if self.user_hooks:
            warnings.warn("Full backward hook is firing when gradients are computed with respect to module outputs since no "
                          "inputs require gradients. See https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html"
                          "#torch.nn.Module.register_full_backward_hook for more details.", stacklevel=5)
        for hook in self.user_hooks:
            out = hook(self.module, (None,) * self.n_inputs, grads)
            if out is not None and not (isinstance(out, tuple) and all(g is None for g in out)):
                raise RuntimeError("Backward hook for Modules where no input requires gradient should always return None or "
                                   "None for all gradients.")
