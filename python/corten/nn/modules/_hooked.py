# SPDX-License-Identifier: BSD-3-Clause
"""Hooks of modules: for one module, for all modules, and the call that runs them.

A module without hooks does not use this file: its call is C (python/src/nn/modules.c), which only checks
four dicts of the module and one flag. The dicts of global hooks below maintain that flag.
"""
import functools
import warnings
import weakref
from collections import OrderedDict

from ... import _C
from ..._C import Tensor
from ...utils.hooks import BackwardHook, RemovableHandle

_BOTH_KINDS = "Cannot use both regular backward hooks and full backward hooks {}. Please use only one of them."


class _CallHooks(OrderedDict):
    """A dict of global hooks, which updates the flag that the C call checks."""

    dicts = []

    def __init__(self):
        super().__init__()
        _CallHooks.dicts.append(self)

    def __setitem__(self, key, hook):
        super().__setitem__(key, hook)
        _C._set_module_hooks(True)

    def __delitem__(self, key):
        super().__delitem__(key)
        _C._set_module_hooks(any(_CallHooks.dicts))

    def clear(self):
        super().clear()
        _C._set_module_hooks(any(_CallHooks.dicts))


_global_buffer_registration_hooks = OrderedDict()
_global_module_registration_hooks = OrderedDict()
_global_parameter_registration_hooks = OrderedDict()
_global_backward_pre_hooks = _CallHooks()
_global_backward_hooks = _CallHooks()
_global_forward_pre_hooks = _CallHooks()
_global_forward_hooks = _CallHooks()
_global_forward_hooks_always_called = OrderedDict()
_global_forward_hooks_with_kwargs = OrderedDict()
_global_is_full_backward_hook = None


def _has_any_global_hook():
    return any(_CallHooks.dicts)


def _add(hooks, hook, prepend=False, **marks):
    """Register a hook and return its handle; the dicts in `marks` store the properties of the hook."""
    handle = RemovableHandle(hooks, extra_dict=list(marks.values()))
    hooks[handle.id] = hook
    for mark in marks.values():
        if mark is not None:
            mark[handle.id] = True
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def _add_marked(hooks, hook, prepend, *marks):
    """Call `_add` with pairs (wanted, dict) instead of keyword arguments."""
    return _add(hooks, hook, prepend, **{str(i): mark for i, (wanted, mark) in enumerate(marks) if wanted})


# ---- hooks of all modules ----

def register_module_buffer_registration_hook(hook):
    """Call a hook whenever any module registers a buffer.

    Returns a handle; its `remove()` unregisters the hook.

    Args:
        hook: called as hook(module, name, buffer) before the registration; a result other than None
            replaces the buffer.
    """
    return _add(_global_buffer_registration_hooks, hook)


def register_module_module_registration_hook(hook):
    """Call a hook whenever any module registers a submodule.

    Returns a handle; its `remove()` unregisters the hook.

    Args:
        hook: called as hook(module, name, submodule) before the registration; a result other than
            None replaces the submodule.
    """
    return _add(_global_module_registration_hooks, hook)


def register_module_parameter_registration_hook(hook):
    """Call a hook whenever any module registers a parameter.

    Returns a handle; its `remove()` unregisters the hook.

    Args:
        hook: called as hook(module, name, parameter) before the registration; a result other than
            None replaces the parameter.
    """
    return _add(_global_parameter_registration_hooks, hook)


def register_module_forward_pre_hook(hook):
    """Call a hook before the forward of every module, before the module's own hooks.

    Meant for debugging and profiling. Returns a handle; its `remove()` unregisters the hook.

    Args:
        hook: called as hook(module, args); a result other than None replaces the positional
            arguments.
    """
    return _add(_global_forward_pre_hooks, hook)


def register_module_forward_hook(hook, *, with_kwargs=False, always_call=False):
    """Call a hook after the forward of every module, before the module's own hooks.

    Meant for debugging and profiling. Returns a handle; its `remove()` unregisters the hook.

    Args:
        hook: called as hook(module, args, output); a result other than None replaces the output.
        with_kwargs: call hook(module, args, kwargs, output) instead. Default: False.
        always_call: call the hook even if forward raises. Default: False.

    Example:
        >>> def show(module, args, output):
        ...     print(type(module).__name__, tuple(output.shape))
        >>> handle = nn.modules.module.register_module_forward_hook(show)
        >>> _ = nn.Sequential(nn.Linear(4, 2), nn.ReLU())(torch.zeros(3, 4))
        Linear (3, 2)
        ReLU (3, 2)
        Sequential (3, 2)
        >>> handle.remove()
    """
    return _add_marked(_global_forward_hooks, hook, False, (with_kwargs, _global_forward_hooks_with_kwargs),
                       (always_call, _global_forward_hooks_always_called))


def _register_global_backward(hook, full):
    global _global_is_full_backward_hook
    if _global_is_full_backward_hook is not None and _global_is_full_backward_hook != full:
        raise RuntimeError(_BOTH_KINDS.format("as a global Module hook"))
    _global_is_full_backward_hook = full
    return _add(_global_backward_hooks, hook)


def register_module_backward_hook(hook):
    """Deprecated form of `register_module_full_backward_hook`; it sees only the last operation of a module.

    Returns a handle; its `remove()` unregisters the hook.

    Args:
        hook: called as hook(module, grad_input, grad_output).
    """
    return _register_global_backward(hook, False)


def register_module_full_backward_pre_hook(hook):
    """Call a hook in backward before the gradients of every module are computed.

    Returns a handle; its `remove()` unregisters the hook.

    Args:
        hook: called as hook(module, grad_output); a result other than None replaces grad_output.
    """
    return _add(_global_backward_pre_hooks, hook)


def register_module_full_backward_hook(hook):
    """Call a hook in backward when the gradients of a module's inputs are known, for every module.

    Returns a handle; its `remove()` unregisters the hook.

    Args:
        hook: called as hook(module, grad_input, grad_output); a result other than None replaces
            grad_input.
    """
    return _register_global_backward(hook, True)


class _WrappedHook:
    """A hook that receives its module as first argument, through a weak reference."""

    def __init__(self, hook, module=None):
        self.hook = hook
        functools.update_wrapper(self, hook)
        self.with_module = module is not None
        if self.with_module:
            self.module = weakref.ref(module)

    def __call__(self, *args, **kwargs):
        if not self.with_module:
            return self.hook(*args, **kwargs)
        module = self.module()
        if module is None:
            raise RuntimeError("You are trying to call the hook of a dead Module!")
        return self.hook(module, *args, **kwargs)

    def __getstate__(self):
        state = {"hook": self.hook, "with_module": self.with_module}
        if self.with_module:
            state["module"] = self.module()
        return state

    def __setstate__(self, state):
        self.hook, self.with_module = state["hook"], state["with_module"]
        if self.with_module:
            if state["module"] is None:
                raise RuntimeError("You are trying to revive the hook of a dead Module!")
            self.module = weakref.ref(state["module"])


# ---- hooks of one module ----

class Hooked:
    """The part of Module that registers hooks and calls them."""

    __slots__ = ()

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        """Call a hook before every forward of this module.

        Returns a handle; its `remove()` unregisters the hook.

        Args:
            hook: called as hook(module, args); a result other than None replaces the arguments (a
                single value counts as one).
            prepend: run it before the hooks already there. Default: False.
            with_kwargs: call hook(module, args, kwargs) instead; its result must be None or a pair
                (args, kwargs). Default: False.

        Example:
            >>> net = nn.ReLU()
            >>> handle = net.register_forward_pre_hook(lambda module, args: (args[0] - 1,))
            >>> net(torch.tensor([1., 3.]))
            tensor([0., 2.])
            >>> handle.remove()
            >>> net(torch.tensor([1., 3.]))
            tensor([1., 3.])
        """
        return _add_marked(self._forward_pre_hooks, hook, prepend, (with_kwargs, self._forward_pre_hooks_with_kwargs))

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        """Call a hook after every forward of this module, for example to record activations.

        Returns a handle; its `remove()` unregisters the hook.

        Args:
            hook: called as hook(module, args, output); a result other than None replaces the
                output.
            prepend: run it before the hooks already there. Default: False.
            with_kwargs: call hook(module, args, kwargs, output) instead. Default: False.
            always_call: call the hook even if forward raises. Default: False.

        Example:
            >>> net, seen = nn.Sequential(nn.Linear(4, 8), nn.ReLU()), []
            >>> handle = net[0].register_forward_hook(lambda module, args, output: seen.append(output.shape))
            >>> _ = net(torch.zeros(3, 4))
            >>> seen
            [torch.Size([3, 8])]
        """
        return _add_marked(self._forward_hooks, hook, prepend, (with_kwargs, self._forward_hooks_with_kwargs),
                           (always_call, self._forward_hooks_always_called))

    def register_full_backward_pre_hook(self, hook, prepend=False):
        """Call a hook in backward before the gradients of this module are computed.

        Returns a handle; its `remove()` unregisters the hook.

        Args:
            hook: called as hook(module, grad_output); a result other than None replaces
                grad_output.
            prepend: run it before the hooks already there. Default: False.
        """
        return _add(self._backward_pre_hooks, hook, prepend)

    def register_full_backward_hook(self, hook, prepend=False):
        """Call a hook in backward when the gradients of this module's inputs are known.

        Inputs and outputs must not be changed in place while it is registered. Returns a
        handle; its `remove()` unregisters the hook.

        Args:
            hook: called as hook(module, grad_input, grad_output), tuples with one entry per
                positional tensor argument and per output, None for those without a gradient; a
                result other than None replaces grad_input.
            prepend: run it before the hooks already there. Default: False.

        Example:
            >>> net, x = nn.ReLU(), torch.tensor([-1., 2.], requires_grad=True)
            >>> handle = net.register_full_backward_hook(lambda module, grad_input, grad_output: print(grad_input, grad_output))
            >>> net(x).sum().backward()
            (tensor([0., 1.]),) (tensor([1., 1.]),)
        """
        if self._is_full_backward_hook is False:
            raise RuntimeError(_BOTH_KINDS.format("on a single Module"))
        self._is_full_backward_hook = True
        return _add(self._backward_hooks, hook, prepend)

    def register_backward_hook(self, hook):
        """Deprecated form of `register_full_backward_hook`; it sees only the last operation of the module.

        Both forms cannot be mixed on one module. Returns a handle; its `remove()` unregisters the hook.

        Args:
            hook: called as hook(module, grad_input, grad_output).
        """
        if self._is_full_backward_hook is True:
            raise RuntimeError(_BOTH_KINDS.format("on a single Module"))
        self._is_full_backward_hook = False
        return _add(self._backward_hooks, hook)

    def _get_backward_hooks(self):
        """Return two lists: the full backward hooks and the deprecated ones, global hooks first."""
        kinds = [], []
        for full, hooks in ((_global_is_full_backward_hook, _global_backward_hooks),
                            (self._is_full_backward_hook, self._backward_hooks)):
            if full is not None:
                kinds[not full].extend(hooks.values())
        return kinds

    def _get_backward_pre_hooks(self):
        return [*_global_backward_pre_hooks.values(), *self._backward_pre_hooks.values()]

    def _call_with_hooks(self, *args, **kwargs):
        call = _Call(self, args, kwargs)
        try:
            return call.run()
        except Exception:
            call.run_left_hooks()
            raise


class _Call:
    """One call of a module that has hooks."""

    def __init__(self, module, args, kwargs):
        self.module, self.args, self.kwargs = module, args, kwargs
        self.result = None
        self.done = set()  # keys of the always_call hooks that have run

    def run(self):
        module = self.module
        full, old = module._get_backward_hooks()
        pre = module._get_backward_pre_hooks()
        self._before()
        backward = BackwardHook(module, full, pre) if full or pre else None
        if backward:
            self.args = backward.setup_input_hook(self.args)
        self.result = module.forward(*self.args, **self.kwargs)
        self._after()
        if backward:
            if not isinstance(self.result, (Tensor, tuple)):
                warnings.warn("For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but "
                              f"received {type(self.result)}", stacklevel=4)
            self.result = backward.setup_output_hook(self.result)
        if old:
            self._hang_old_hooks(old)
        return self.result

    def _before(self):
        module = self.module
        for key, hook in (*_global_forward_pre_hooks.items(), *module._forward_pre_hooks.items()):
            if key in module._forward_pre_hooks_with_kwargs:
                given = hook(module, self.args, self.kwargs)
                if given is None:
                    continue
                if not (isinstance(given, tuple) and len(given) == 2):
                    raise RuntimeError("forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got "
                                       f"{given}.")
                self.args, self.kwargs = given
            else:
                given = hook(module, self.args)
                if given is not None:
                    self.args = given if isinstance(given, tuple) else (given,)

    def _run_forward_hook(self, key, hook):
        module = self.module
        if key in module._forward_hooks_with_kwargs or key in _global_forward_hooks_with_kwargs:
            given = hook(module, self.args, self.kwargs, self.result)
        else:
            given = hook(module, self.args, self.result)
        if given is not None:
            self.result = given

    def _after(self):
        module = self.module
        for key, hook in (*_global_forward_hooks.items(), *module._forward_hooks.items()):
            if key in module._forward_hooks_always_called or key in _global_forward_hooks_always_called:
                self.done.add(key)
            self._run_forward_hook(key, hook)

    def run_left_hooks(self):
        """After an exception, run the hooks with always_call=True that have not run yet."""
        module = self.module
        for prefix, hooks, always in (
                ("global module", _global_forward_hooks, _global_forward_hooks_always_called),
                ("module", module._forward_hooks, module._forward_hooks_always_called)):
            for key, hook in list(hooks.items()):
                if key not in always or key in self.done:
                    continue
                try:
                    self._run_forward_hook(key, hook)
                except Exception as error:
                    warnings.warn(f"{prefix} forward hook with ``always_call=True`` raised an exception that was silenced "
                                  f"as another error was raised in forward: {error}", stacklevel=3)

    def _hang_old_hooks(self, hooks):
        """Register the deprecated backward hooks at the autograd node of the (first) output."""
        first = self.result
        while not isinstance(first, Tensor):
            first = next(v for v in first.values() if isinstance(v, Tensor)) if isinstance(first, dict) else first[0]
        node = first.grad_fn
        if node is None:
            return
        for hook in hooks:
            node.register_hook(_WrappedHook(hook, self.module))
        complaint = _what_old_hooks_miss(self.args, self.result, node)
        if complaint:
            warnings.warn(complaint, FutureWarning, stacklevel=5)


def _what_old_hooks_miss(args, result, node):
    """Return the warning for a module whose gradients a deprecated hook sees only in part, or None."""
    full = "Please use register_full_backward_hook to get the documented behavior."
    results = (result,) if isinstance(result, Tensor) else result
    if not (isinstance(results, tuple) and all(isinstance(r, Tensor) for r in results)):
        return ("Using non-full backward hooks on a Module that does not return a single Tensor or a tuple of Tensors is "
                "deprecated and will be removed in future versions. This hook will be missing some of the grad_output. " + full)
    args = (args,) if isinstance(args, Tensor) else args
    if not (isinstance(args, tuple) and all(isinstance(a, Tensor) for a in args)):
        return ("Using non-full backward hooks on a Module that does not take as input a single Tensor or a tuple of Tensors "
                "is deprecated and will be removed in future versions. This hook will be missing some of the grad_input. "
                + full)
    nodes = {r.grad_fn for r in results if r.grad_fn is not None}
    if not nodes or (len(nodes) == 1 and node not in nodes):
        return ("Using a non-full backward hook when outputs are nested in python data structure is deprecated and will be "
                "removed in future versions. This hook will be missing some grad_output.")
    if len(nodes) > 1:
        return ("Using a non-full backward hook when outputs are generated by different autograd Nodes is deprecated and "
                "will be removed in future versions. This hook will be missing some grad_output. " + full)
    if {a.grad_fn for a in args if a.grad_fn is not None} != {n for n, _ in node.next_functions}:
        return ("Using a non-full backward hook when the forward contains multiple autograd Nodes is deprecated and will be "
                "removed in future versions. This hook will be missing some grad_input. " + full)
    return None
