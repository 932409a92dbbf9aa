# SPDX-License-Identifier: BSD-3-Clause
"""The base of all optimizers: parameter groups, states, hooks and what is saved of them.

`param_groups` and `state` are plain lists and dictionaries, as in PyTorch, and always the truth: a
step reads them anew. An optimizer whose formula lives in the library derives from `Stepped` and
says which (`_kind`) and how the states of a parameter begin.
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
    """Calls `hook(optimizer, args, kwargs)` before every step of every optimizer."""
    return _register(_pre_hooks, hook)


def register_optimizer_step_post_hook(hook):
    """Calls `hook(optimizer, args, kwargs)` after every step of every optimizer."""
    return _register(_post_hooks, hook)


def _with_hooks(step):
    """A step between the hooks that are registered for it."""

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
    """Base class of all optimizers.

    `params` is an iterable of tensors, of (name, tensor) pairs, or of dictionaries that each
    describe a group; `defaults` holds the options of groups that do not say their own.
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
        """Adds a group: a dictionary with `params` and options of its own."""
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
        """No parameter twice, and all groups named or none."""
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
        """Takes the gradients of all parameters away, or sets them to zero."""
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
        """Changes the parameters once."""
        raise NotImplementedError

    # ---- hooks ----

    def register_step_pre_hook(self, hook):
        """Calls `hook(optimizer, args, kwargs)` before each step; it may return new ones."""
        return _register(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook):
        """Calls `hook(optimizer, args, kwargs)` after each step."""
        return _register(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook, prepend=False):
        """Calls `hook(optimizer)` before a state dict is made."""
        return _register(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook, prepend=False):
        """Calls `hook(optimizer, state_dict)` after; it may return another one."""
        return _register(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook, prepend=False):
        """Calls `hook(optimizer, state_dict)` before loading; it may return another one."""
        return _register(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(self, hook, prepend=False):
        """Calls `hook(optimizer)` after a state dict was loaded."""
        return _register(self._optimizer_load_state_dict_post_hooks, hook, prepend)

    # ---- saving ----

    def state_dict(self):
        """The states and options, with parameters counted through all groups."""
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
        """Takes states and options over; parameters are matched by their order."""
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
    """A copy of a loaded state: floating tensors in the type and on the device of their parameter,
    all but the step, which is a counter on the CPU."""
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


# ---- optimizers whose formula lives in the library ----

SGD, ADAM, ADAMAX, NADAM, RADAM, ADAGRAD, ADADELTA, RMSPROP, RPROP, ASGD = range(10)


class ByGroups(Optimizer):
    """An optimizer whose step is one of each group."""

    def step(self, closure=None):
        """Changes the parameters once; `closure` computes the loss anew and returns it."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        for group in self.param_groups:
            self._step_group(group)
        return loss


class ByParameters(ByGroups):
    """An optimizer that changes one parameter after the other, in Python."""

    @no_grad()
    def _step_group(self, group):
        for param in group['params']:
            if param.grad is not None:
                self._update(group, param)


class Stepped(ByGroups):
    """An optimizer whose groups are each stepped by one call of the library."""

    _kind = None
    _capturable = 'params and state_steps', ['cuda', 'xpu', 'hpu', 'privateuseone', 'xla']
    _old_defaults = {'maximize': False, 'foreach': None, 'differentiable': False,
                     'capturable': False}  # of groups that older files lack

    def step(self, closure=None):
        """Changes the parameters once; `closure` computes the loss anew and returns it."""
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
        if group.get('capturable'):
            _check_capturable(group['params'], *self._capturable)
        if _C._optim_step(self._kind, self.state, group, self._begin):
            with no_grad():
                self._step_sparse(group)

    def _step_sparse(self, group):
        """A group of which some gradients are sparse."""
        raise RuntimeError(f'{type(self).__name__} does not support sparse gradients')

    def _step_dense_part(self, group):
        """Steps what has dense gradients; returns the parameters whose are sparse."""
        sparse = [p for p in group['params'] if p.grad is not None and p.grad.is_sparse]
        apart = set(map(id, sparse))
        _C._optim_step(self._kind, self.state, {**group, 'params': [p for p in group['params'] if id(p) not in apart]}, self._begin)
        return sparse

    def _begin(self, group, param):
        """The states of a parameter that has its first gradient."""
        state = self.state[param]
        with set_grad_enabled(False):
            state['step'] = tensor(0., dtype=_counter_dtype())
            self._begin_states(state, group, param)
        return state

    def _begin_states(self, state, group, param):
        """Adds the states beside the step, in PyTorch's order of keys."""

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
    """Older files keep counters as numbers."""
    for key in ('step', 'mu_product', 'eta', 'mu'):
        if state and key in state and not isinstance(state[key], Tensor):
            state[key] = tensor(float(state[key]), dtype=_C.float32)


def zeros(state, param, *names):
    for name in names:
        state[name] = zeros_like(param)


def full(param, value):
    """`value` everywhere, in both parts of complex numbers."""
    return full_like(param, complex(value, value) if is_complex(param) else value)


def first_number(group, key):
    """An option as the number that a state begins with; it is recorded if the step is differentiated."""
    value = group[key]
    if group['differentiable'] and isinstance(value, Tensor) and value.requires_grad:
        with enable_grad():
            return value.squeeze().clone()
    return tensor(float(value))


def coalesced(grad, maximize):
    """A sparse gradient whose places are all different: a step that is not linear needs the sum at each."""
    return (-grad if maximize else grad).coalesce()


def at_places(grad, values):
    """Values at the places of a coalesced gradient."""
    return sparse_coo_tensor(grad._indices(), values, grad.shape, is_coalesced=True)


def check(good, text):
    if not good:
        raise ValueError(text)


def check_lr(lr):
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError('Tensor lr must be 1-element')
    check(0.0 <= lr, f'Invalid learning rate: {lr}')


def check_positive(**options):
    for name, value in options.items():
        check(0.0 <= value, f'Invalid {"epsilon" if name == "eps" else name} value: {value}')


def check_betas(betas):
    for i in range(2):
        check(0.0 <= betas[i] < 1.0, f'Invalid beta parameter at index {i}: {betas[i]}')


def check_fused(fused, foreach, differentiable):
    if fused and differentiable:
        raise RuntimeError('`fused` does not support `differentiable`')
    if fused and foreach:
        raise RuntimeError('`fused` and `foreach` cannot be `True` together.')


# ---- helpers that optimizers of libraries import by these names ----

def _default_to_fused_or_foreach(params, differentiable, use_fused=False):
    """(whether a step as one call suits these parameters, whether steps of lists do), where a program did not say."""
    from ..utils._foreach_utils import _get_foreach_kernels_supported_devices, _get_fused_kernels_supported_devices
    if differentiable:
        return False, False
    plain = [p for p in params if p is not None]

    def all_on(kinds):
        return all(type(p) is Tensor and p.device.type in kinds for p in plain)
    fused = use_fused and all_on(_get_fused_kernels_supported_devices()) and all(p.is_floating_point() for p in plain)
    return fused, not fused and all_on(_get_foreach_kernels_supported_devices())


def _get_capturable_supported_devices(supports_xla=True):
    """Kinds of devices whose work can become a graph that is replayed."""
    return ['cuda', 'xpu', 'hpu', 'privateuseone', *(['xla'] if supports_xla else [])]


def _use_grad_for_differentiable(func):
    """A decorator of step(): autograd records it if the optimizer is differentiable."""
    @functools.wraps(func)
    def step(self, *args, **kwargs):
        with set_grad_enabled(self.defaults['differentiable']):
            return func(self, *args, **kwargs)
    return step


def _group_tensors_by_device_and_dtype(tensorlistlist, with_indices=False):
    """{(device, dtype): (lists, places)}; see utils._foreach_utils."""
    from ..utils._foreach_utils import _group_tensors_by_device_and_dtype as group
    return group(tensorlistlist, with_indices)


Optimizer._group_tensors_by_device_and_dtype = staticmethod(_group_tensors_by_device_and_dtype)
