# SPDX-License-Identifier: BSD-3-Clause
"""The base of all optimizers: parameter groups, states, hooks and state dicts.

`param_groups` and `state` are plain lists and dictionaries, as in PyTorch. Every step reads them again, so a program may
edit them at any time. An optimizer whose formula is in the C library derives from `Stepped`, sets `_kind` to the name of the
formula, and creates the initial states of a parameter.
"""
import functools
import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Iterable
from copy import deepcopy
from itertools import chain
from typing import Any

from .. import _C, Tensor, enable_grad, full_like, is_complex, no_grad, set_grad_enabled, sparse_coo_tensor, tensor, zeros_like
from .._missing import MissingFeature
from .._text import typename
from ..utils.hooks import RemovableHandle

__all__ = ['Optimizer', 'register_optimizer_step_post_hook', 'register_optimizer_step_pre_hook']

_pre_hooks, _post_hooks = OrderedDict(), OrderedDict()


class _Required:
    def __repr__(self):
        return '<required parameter>'


required = _Required()
ParamsT = Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]]
StateDict = dict[str, Any]


def _register(hooks, hook, prepend=False):
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def register_optimizer_step_pre_hook(hook):
    """Call `hook(optimizer, args, kwargs)` before every step of every optimizer.

    Args:
        hook: a function that gets the arguments of step(). It may return a tuple (new_args, new_kwargs) to replace them,
            or None to leave them.

    Returns a handle whose remove() unregisters the hook. These hooks run before those of the optimizer itself.
    """
    return _register(_pre_hooks, hook)


def register_optimizer_step_post_hook(hook):
    """Call `hook(optimizer, args, kwargs)` after every step of every optimizer; its result is ignored.

    Returns a handle whose remove() unregisters the hook. These hooks run after those of the optimizer itself.
    """
    return _register(_post_hooks, hook)


def _with_hooks(step):
    """Wrap a step method so that registered hooks and the profiler see each call."""

    @functools.wraps(step)
    def wrapped(*args, **kwargs):
        self = args[0]
        for hook in chain(_pre_hooks.values(), self._optimizer_step_pre_hooks.values()):
            changed = hook(self, args, kwargs)
            if changed is None:
                continue
            if not (isinstance(changed, tuple) and len(changed) == 2):
                raise RuntimeError(f'{step} must return None or a tuple of (new_args, new_kwargs), '
                                   f'but got {changed}.')
            args, kwargs = changed
        block = _C._profile_begin(f'Optimizer.step#{type(self).__name__}.step') if _C._profile_is_on() else -1
        result = step(*args, **kwargs)
        if block >= 0:
            _C._profile_end(block)
        for hook in chain(self._optimizer_step_post_hooks.values(), _post_hooks.values()):
            hook(self, args, kwargs)
        return result

    wrapped.hooked = True
    return wrapped


_HOOKS = ('step_pre', 'step_post', 'state_dict_pre', 'state_dict_post', 'load_state_dict_pre',
          'load_state_dict_post')


class Optimizer:
    """Base class of all optimizers: parameters in groups, a state per parameter, and hooks.

    Args:
        params: what to train, in one of these forms:
            an iterable of tensors, usually model.parameters();
            an iterable of (name, tensor) pairs, such as model.named_parameters(), which also keeps the names;
            an iterable of dictionaries, one per group: 'params' holds tensors or pairs, other keys override defaults.
        defaults: {option: value} for groups that do not set the option themselves.

    Attributes:
        param_groups: a list of dictionaries, each with 'params' and one entry per option. Change an option during training
            by assignment: optimizer.param_groups[0]['lr'] = 1e-4.
        state: {parameter: {name: tensor}}, such as running averages. It fills at a parameter's first step with a gradient.

    Only leaf tensors can be trained. An empty list, or a parameter in two groups, raises ValueError. Subclasses define
    step(); see the example.

        >>> class SignSGD(torch.optim.Optimizer):
        ...     def __init__(self, params, lr):
        ...         super().__init__(params, {"lr": lr})
        ...     @torch.no_grad()
        ...     def step(self):
        ...         for group in self.param_groups:
        ...             for p in group["params"]:
        ...                 if p.grad is not None:
        ...                     p.sub_(p.grad.sign(), alpha=group["lr"])
        >>> w, b = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(1))
        >>> optimizer = SignSGD([{"params": [w]}, {"params": [b], "lr": 0.5}], lr=0.25)
        >>> (w.sum() - b).sum().backward()
        >>> optimizer.step()
        >>> w.detach(), b.detach()
        (tensor([0.7500, 0.7500]), tensor([1.5000]))
    """

    def __init__(self, params, defaults):
        self.defaults = defaults
        self._make_hooks()
        if isinstance(params, Tensor):
            raise TypeError('params argument given to the optimizer should be an iterable of '
                            f'Tensors or dicts, but got {typename(params)}')
        if isinstance(params, set):
            warnings.warn('optimizer parameters need to be organized in ordered collections, but '
                          'the ordering of tensors in sets will change between runs. Please use a '
                          'list instead. This will be an error in a future release.',
                          FutureWarning, stacklevel=2)
        self.state = defaultdict(dict)
        self.param_groups = []
        groups = list(params)
        if not groups:
            raise ValueError('optimizer got an empty parameter list')
        if not isinstance(groups[0], dict):
            groups = [{'params': groups}]
        for group in groups:
            self.add_param_group(group)

    def _make_hooks(self):
        for name in _HOOKS:
            self.__dict__.setdefault(f'_optimizer_{name}_hooks', OrderedDict())
        if not getattr(type(self).step, 'hooked', False):
            type(self).step = _with_hooks(type(self).step)

    # ---- groups ----

    def add_param_group(self, param_group):
        """Add a group of parameters, for example layers that are unfrozen during training.

        Args:
            param_group: a dictionary with 'params' (a tensor, or tensors or (name, tensor) pairs in order, not a set) and
                options that differ from the defaults. The optimizer fills in missing options and keeps this dictionary.

        Raises ValueError if a parameter is already in another group, or is not a leaf.
        """
        if not isinstance(param_group, dict):
            raise TypeError(f'param_group must be a dict, but got {type(param_group)}')
        params = param_group['params']
        if isinstance(params, set):
            raise TypeError('optimizer parameters need to be organized in ordered collections, but '
                            'the ordering of tensors in sets will change between runs. Please use '
                            'a list instead.')
        params = [params] if isinstance(params, Tensor) else list(params)
        names = [p[0] for p in params if isinstance(p, tuple)]
        if names and len(names) != len(params):
            raise ValueError('all optimizer params should be with/without names. Some param names '
                             'are missing')
        params = [p[1] if isinstance(p, tuple) else p for p in params]
        param_group['params'] = params
        if names:
            param_group['param_names'] = names
        for param in params:
            self._check_param(param)
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError("parameter group didn't specify a value of required optimization "
                                 f'parameter {name}')
            param_group.setdefault(name, default)
        self._check_apart(param_group)
        self.param_groups.append(param_group)

    def _check_param(self, param):
        if not isinstance(param, Tensor):
            raise TypeError('optimizer can only optimize Tensors, but one of the params is '
                            f'{typename(param)}')
        if not (self.defaults.get('differentiable') or param.is_leaf or param.retains_grad):
            raise ValueError("can't optimize a non-leaf Tensor")

    def _check_apart(self, param_group):
        """Check that no parameter appears twice, and that either all groups have names or none has."""
        params = set(param_group['params'])
        if len(params) != len(param_group['params']):
            warnings.warn('optimizer contains a parameter group with duplicate parameters; in '
                          'future, this will cause an error; see '
                          'github.com/pytorch/pytorch/issues/40967 for more information',
                          stacklevel=4)
        named = 'param_names' in param_group
        for group in self.param_groups:
            if ('param_names' in group) != named:
                raise ValueError('all optimizer param groups should be with/without names. cannot '
                                 f'add param group {"with" if named else "without"} names to the '
                                 'optimizer')
            if not params.isdisjoint(group['params']):
                raise ValueError('some parameters appear in more than one parameter group')

    def zero_grad(self, set_to_none=True):
        """Clear the gradients of all parameters before the next backward(), which would otherwise add to them.

        Args:
            set_to_none: True (the default) sets .grad to None, which frees memory and lets step() skip parameters that the
                next backward() does not reach. False fills .grad with zeros in place.
        """
        for group in self.param_groups:
            for p in group['params']:
                if p.grad is None:
                    continue
                if set_to_none:
                    p.grad = None
                    continue
                if p.grad.grad_fn is not None:
                    p.grad.detach_()
                else:
                    p.grad.requires_grad_(False)
                p.grad.zero_()

    def step(self, closure=None):
        """Update the parameters once, from their .grad. Subclasses define it.

        Args:
            closure: a function that clears the gradients, computes the loss, calls backward() and returns the loss. Most
                optimizers do not need it; if given, it runs first and step() returns its result.
        """
        raise NotImplementedError

    # ---- hooks ----

    def register_step_pre_hook(self, hook):
        """Call `hook(optimizer, args, kwargs)` before each step of this optimizer.

        The hook may return (new_args, new_kwargs) to replace the arguments, or None. Returns a handle with remove().
        """
        return _register(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook):
        """Call `hook(optimizer, args, kwargs)` after each step of this optimizer. Returns a handle with remove()."""
        return _register(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook, prepend=False):
        """Call `hook(optimizer)` at the start of state_dict(). Returns a handle with remove().

        Args:
            hook: the function to call.
            prepend: True runs it before the hooks registered so far. Default: False
        """
        return _register(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook, prepend=False):
        """Call `hook(optimizer, state_dict)` at the end of state_dict(). Returns a handle with remove().

        Args:
            hook: the function to call; it may return a dictionary to replace the result, or None.
            prepend: True runs it before the hooks registered so far. Default: False
        """
        return _register(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook, prepend=False):
        """Call `hook(optimizer, state_dict)` at the start of load_state_dict(). Returns a handle with remove().

        Args:
            hook: the function to call with a shallow copy of the dictionary; it may return a replacement, or None.
            prepend: True runs it before the hooks registered so far. Default: False
        """
        return _register(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(self, hook, prepend=False):
        """Call `hook(optimizer)` at the end of load_state_dict(). Returns a handle with remove().

        Args:
            hook: the function to call.
            prepend: True runs it before the hooks registered so far. Default: False
        """
        return _register(self._optimizer_load_state_dict_post_hooks, hook, prepend)

    # ---- saving ----

    def state_dict(self):
        """Return the states and options as a dictionary, to be saved in a checkpoint.

        Returns {'state': {index: {name: tensor}}, 'param_groups': [...]}. Parameters appear as indices, counted through all
        groups from 0. The tensors are the optimizer's own, not copies.

            >>> optimizer = torch.optim.SGD([nn.Parameter(torch.ones(2))], lr=0.1, momentum=0.9)
            >>> saved = optimizer.state_dict()
            >>> saved["param_groups"][0]["lr"], saved["param_groups"][0]["params"], saved["state"]
            (0.1, [0], {})
        """
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        number, groups = {}, []
        for group in self.param_groups:
            packed = {k: v for k, v in group.items() if k != 'params'}
            for p in group['params']:
                number.setdefault(id(p), len(number))
            packed['params'] = [number[id(p)] for p in group['params']]
            groups.append(packed)
        state = {number[id(k)] if isinstance(k, Tensor) else k: v for k, v in self.state.items()}
        result = {'state': state, 'param_groups': groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            result = _or_else(hook(self, result), result)
        return result

    def load_state_dict(self, state_dict):
        """Restore states and options from a result of state_dict().

        Args:
            state_dict: a dictionary from an optimizer with as many groups, of as many parameters each. Parameters are matched
                by order, not by name or shape. Floating states are copied to the dtype and device of their parameter.

        Raises ValueError if groups or their sizes differ. Create a learning-rate scheduler before this call, or load its state
        too: creating one changes the rates.
        """
        state_dict = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            state_dict = _or_else(hook(self, state_dict), state_dict)
        saved = deepcopy(state_dict['param_groups'])
        if len(saved) != len(self.param_groups):
            raise ValueError('loaded state dict has a different number of parameter groups')
        if any(len(a['params']) != len(b['params']) for a, b in zip(self.param_groups, saved)):
            raise ValueError("loaded state dict contains a parameter group that doesn't match the "
                             "size of optimizer's group")
        params = {i: (p, group)
                  for group, mine in zip(saved, self.param_groups)
                  for i, p in zip(group['params'], mine['params'])}
        state = defaultdict(dict)
        for key, value in state_dict['state'].items():
            if key in params:
                param, group = params[key]
                state[param] = _cast_state(value, param, group)
            else:
                state[key] = value
        for group, mine in zip(saved, self.param_groups):
            group['params'] = mine['params']
            if 'param_names' in mine:
                group.setdefault('param_names', mine['param_names'])
        self.__setstate__({'state': state, 'param_groups': saved})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    def __getstate__(self):
        return {'defaults': self.defaults, 'state': self.state, 'param_groups': self.param_groups}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._make_hooks()
        self.defaults.setdefault('differentiable', False)

    def __repr__(self):
        groups = ''
        for i, group in enumerate(self.param_groups):
            groups += f'\nParameter Group {i}\n'
            groups += ''.join(f'    {key}: {group[key]}\n' for key in sorted(group) if key != 'params')
        return f'{type(self).__name__} ({groups})'


def _or_else(value, default):
    return default if value is None else value


def _cast_state(value, param, group, key=None):
    """Return a copy of a loaded state: floating tensors take the dtype and device of their parameter.

    The step counter is the exception: it stays on the CPU in its own dtype.
    """
    if isinstance(value, Tensor):
        if key == 'step':
            if group.get('capturable') or group.get('fused'):
                return value.to(dtype=_C.float32, device=param.device)
            return value
        if param.is_floating_point():
            return value.to(dtype=param.dtype, device=param.device)
        return value.to(device=param.device)
    if isinstance(value, dict):
        return {k: _cast_state(v, param, group, k) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_cast_state(v, param, group) for v in value)
    return value


def _check_capturable(params, what, supported):
    if any(p.grad is not None and p.device.type not in supported for p in params):
        raise AssertionError(f'If capturable=True, {what} must be on supported devices: {supported}.')


# ---- optimizers whose formula is in the C library ----

SGD, ADAM, ADAMAX, NADAM, RADAM, ADAGRAD, ADADELTA, RMSPROP, RPROP, ASGD = range(10)


class ByGroups(Optimizer):
    """An optimizer that steps one group after the other; subclasses define _step_group."""

    def step(self, closure=None):
        """Update the parameters once, from their .grad.

        Args:
            closure: None, or a function that clears the gradients, computes the loss, calls backward() and returns the loss.
                It runs first, with gradients enabled.

        Returns the result of closure, or None.
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        for group in self.param_groups:
            self._step_group(group)
        return loss


class ByParameters(ByGroups):
    """An optimizer that updates one parameter after the other, in Python; subclasses define _update."""

    @no_grad()
    def _step_group(self, group):
        for param in group['params']:
            if param.grad is not None:
                self._update(group, param)


class Stepped(ByGroups):
    """An optimizer that steps each group in one call of the C library."""

    _kind = None
    _capturable = 'params and state_steps', ['cuda', 'xpu', 'hpu', 'privateuseone', 'xla']
    _old_defaults = {'maximize': False, 'foreach': None, 'differentiable': False,
                     'capturable': False}  # options that groups in older files lack

    def step(self, closure=None):
        """Update the parameters once, from their .grad.

        Args:
            closure: None, or a function that clears the gradients, computes the loss, calls backward() and returns the loss.
                It runs first, with gradients enabled.

        Returns the result of closure, or None. A parameter whose .grad is None is skipped.
        """
        if _C._cuda_is_initialized() and self._kind != SGD:
            self._check_capture()
        return super().step(closure)

    def _check_capture(self):
        from ..cuda import is_current_stream_capturing
        if not is_current_stream_capturing():
            return
        name = type(self).__name__
        if not all(group.get('capturable', False) for group in self.param_groups):
            raise RuntimeError(f"Attempting CUDA graph capture of step() for an instance of {name} but param_groups' capturable is "
                               "False.")
        raise MissingFeature(f'torch.optim.{name}(capturable=True) within the capture of a CUDA graph',
                             'capture forward and backward, and call step() after each replay')

    def _step_group(self, group):
        if group.get('capturable') and not group.get('fused'):
            _check_capturable(group['params'], *self._capturable)
        if _C._optim_step(self._kind, self.state, group, self._begin):
            with no_grad():
                self._step_sparse(group)

    def _step_sparse(self, group):
        """Step a group in which some gradients are sparse; optimizers without support raise."""
        raise RuntimeError(f'{type(self).__name__} does not support sparse gradients')

    def _step_dense_part(self, group):
        """Step the parameters with dense gradients; return those with sparse ones."""
        sparse = [p for p in group['params'] if p.grad is not None and p.grad.is_sparse]
        apart = set(map(id, sparse))
        _C._optim_step(self._kind, self.state, {**group, 'params': [p for p in group['params'] if id(p) not in apart]}, self._begin)
        return sparse

    def _begin(self, group, param):
        """Create the states of a parameter at its first gradient."""
        state = self.state[param]
        with set_grad_enabled(False):
            state['step'] = tensor(0., dtype=_counter_dtype())
            self._begin_states(state, group, param)
        return state

    def _begin_states(self, state, group, param):
        """Add the states that follow 'step', in the order of PyTorch's keys."""

    def __setstate__(self, state):
        super().__setstate__(state)
        for group in self.param_groups:
            for key, default in self._old_defaults.items():
                if key in self.defaults:
                    group.setdefault(key, default)
            for p in group['params']:
                _counters_are_tensors(self.state.get(p))


def _counter_dtype():
    return _C.float64 if _C.get_default_dtype() == _C.float64 else _C.float32


def _counters_are_tensors(state):
    """Convert counters to tensors; files of older versions store them as numbers."""
    for key in ('step', 'mu_product', 'eta', 'mu'):
        if state and key in state and not isinstance(state[key], Tensor):
            state[key] = tensor(float(state[key]), dtype=_C.float32)


def zeros(state, param, *names):
    """Add states that are zero and shaped like the parameter."""
    for name in names:
        state[name] = zeros_like(param)


def full(param, value):
    """Return a tensor like param filled with value; for a complex dtype both parts are value."""
    return full_like(param, complex(value, value) if is_complex(param) else value)


def first_number(group, key):
    """Return an option as the tensor that a state starts with; autograd records it if the step is differentiable."""
    value = group[key]
    if group['differentiable'] and isinstance(value, Tensor) and value.requires_grad:
        with enable_grad():
            return value.squeeze().clone()
    return tensor(float(value))


def coalesced(grad, maximize):
    """Return a sparse gradient with unique indices: a formula that is not linear needs the sum of repeated entries."""
    return (-grad if maximize else grad).coalesce()


def at_places(grad, values):
    """Return a sparse tensor with the indices of a coalesced gradient and other values."""
    return sparse_coo_tensor(grad._indices(), values, grad.shape, is_coalesced=True)


def check(good, text):
    """Raise ValueError with this message unless the condition `good` holds."""
    if not good:
        raise ValueError(text)


def check_lr(lr):
    """Check that a learning rate is not negative and, as a tensor, has one element."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError('Tensor lr must be 1-element')
    check(0.0 <= lr, f'Invalid learning rate: {lr}')


def check_positive(**options):
    """Check that options are not negative; eps is called epsilon in the error."""
    for name, value in options.items():
        check(0.0 <= value, f'Invalid {"epsilon" if name == "eps" else name} value: {value}')


def check_betas(betas):
    """Check that both betas are in [0, 1)."""
    for i in range(2):
        check(0.0 <= betas[i] < 1.0, f'Invalid beta parameter at index {i}: {betas[i]}')


def check_fused(fused, foreach, differentiable):
    """Check that `fused` is not combined with `differentiable` or `foreach`."""
    if fused and differentiable:
        raise RuntimeError('`fused` does not support `differentiable`')
    if fused and foreach:
        raise RuntimeError('`fused` and `foreach` cannot be `True` together.')


# ---- helpers that third-party optimizers import by these names ----

def _default_to_fused_or_foreach(params, differentiable, use_fused=False):
    """Return (fused, foreach): which of PyTorch's implementations suits these parameters if the program did not choose."""
    from ..utils._foreach_utils import _get_foreach_kernels_supported_devices, _get_fused_kernels_supported_devices
    if differentiable:
        return False, False
    plain = [p for p in params if p is not None]

    def all_on(kinds):
        return all(type(p) is Tensor and p.device.type in kinds for p in plain)
    fused = use_fused and all_on(_get_fused_kernels_supported_devices()) and all(p.is_floating_point() for p in plain)
    return fused, not fused and all_on(_get_foreach_kernels_supported_devices())


def _get_capturable_supported_devices(supports_xla=True):
    """Return the device types whose work can be captured in a graph and replayed."""
    return ['cuda', 'xpu', 'hpu', 'privateuseone', *(['xla'] if supports_xla else [])]


def _use_grad_for_differentiable(func):
    """Decorate a step() so that autograd records it if the optimizer was made with differentiable=True."""
    @functools.wraps(func)
    def step(self, *args, **kwargs):
        with set_grad_enabled(self.defaults['differentiable']):
            return func(self, *args, **kwargs)
    return step


def _group_tensors_by_device_and_dtype(tensorlistlist, with_indices=False):
    """Group parallel lists by device and dtype: {(device, dtype): (lists, indices)}; see utils._foreach_utils."""
    from ..utils._foreach_utils import _group_tensors_by_device_and_dtype as group
    return group(tensorlistlist, with_indices)


Optimizer._group_tensors_by_device_and_dtype = staticmethod(_group_tensors_by_device_and_dtype)
