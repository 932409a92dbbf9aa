# SPDX-License-Identifier: BSD-3-Clause
"""The state dict of a module: saving and loading.

A load that fails leaves the module unchanged, so values are copied only after all checks. The exception: if a class or
a hook with user code takes part, it may read the values, so they are copied at once, and the old values are kept
until the load has succeeded.
"""
import warnings
from collections import OrderedDict, namedtuple
from collections.abc import Mapping

from ... import __future__ as conversion
from ..._C import Tensor, no_grad
from ...utils._identity import swap_tensors
from ...utils.hooks import RemovableHandle
from ..parameter import Parameter, is_lazy
from ._hooked import _WrappedHook

_EXTRA_STATE_KEY_SUFFIX = "_extra_state"
_LOADING = "_loading"  # the key under which the metadata of a module carries the current load
_NEVER = ("Reached a code path in Module.{}() that should never be called. Please file an issue at "
          "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug.")


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    __slots__ = ()

    def __repr__(self):
        return super().__repr__() if self.missing_keys or self.unexpected_keys else "<All keys matched successfully>"

    __str__ = __repr__


class _Loading:
    """The copies of one load_state_dict: deferred to the end, or made at once with functions to undo them."""

    def __init__(self, at_once):
        self.at_once = at_once
        self.left, self.undo = [], []

    def add(self, change, undo, errors):
        """Register a change: `change` sets the value, `undo` returns a function that restores the old one."""
        if not self.at_once:
            self.left.append((change, errors))
            return
        self.undo.append(undo())
        change(errors)

    def finish(self):
        for change, errors in self.left:
            change(errors)

    def take_back(self):
        for undo in reversed(self.undo):
            undo()


def _complaint_about(key, param, value, assign):
    """Return the reason why a value cannot be loaded into a parameter, or None if it can."""
    if not (isinstance(value, Tensor) or hasattr(type(value), "__torch_function__")):
        return (f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from checkpoint but '
                f"received {type(value)}")
    if not is_lazy(param) and value.shape != param.shape:
        return (f"size mismatch for {key}: copying a param with shape {value.shape} from checkpoint, the shape in current "
                f"model is {param.shape}.")
    if param.is_meta and not value.is_meta and not assign:
        warnings.warn(f"for {key}: copying from a non-meta parameter in the checkpoint to a meta parameter in the current "
                      "model, which is a no-op. (Did you mean to pass `assign=True` to assign items in the state dictionary "
                      "to their corresponding key in the module instead of copying them in place?)", stacklevel=6)
    return None


def _setting(module, name, key, param, value, assign):
    """Return the functions (change, undo) that _Loading.add takes, for a parameter or buffer."""
    swapped = []

    def swap_in(new):
        if new is param:
            raise RuntimeError("module_load returned one of self or other, please .detach() the result if returning one of the "
                               "inputs in module_load")
        if isinstance(param, Parameter):
            new = new if isinstance(new, Parameter) else Parameter(new, requires_grad=param.requires_grad)
            new.requires_grad_(param.requires_grad)
        swap_tensors(param, new)
        swapped.append(new)

    def change(errors):
        try:
            with no_grad():
                if conversion.get_swap_module_params_on_conversion() and not is_lazy(param):
                    swap_in(param.module_load(value, assign=assign))
                elif not assign:
                    param.copy_(value)
                elif not isinstance(param, Parameter):
                    setattr(module, name, value)
                elif isinstance(value, Parameter):
                    setattr(module, name, value.requires_grad_(param.requires_grad))
                else:
                    setattr(module, name, Parameter(value, requires_grad=param.requires_grad))
        except Exception as error:
            errors.append(f'While copying the parameter named "{key}", whose dimensions in the model are {param.size()} and '
                          f"whose dimensions in the checkpoint are {value.size()}, an exception occurred : {error.args}.")

    def undo():
        if conversion.get_swap_module_params_on_conversion() and not is_lazy(param):
            return lambda: swapped and swap_tensors(param, swapped.pop())
        if assign or is_lazy(param):
            return lambda: setattr(module, name, param)
        old = param.detach().clone()

        def restore():
            with no_grad():
                param.copy_(old)
        return restore

    return change, undo


class Stateful:
    """The part of Module that creates and loads state dicts."""

    __slots__ = ()

    # ---- creating ----

    def register_state_dict_pre_hook(self, hook):
        """Call a hook before `state_dict()` collects this module.

        Returns a handle; its `remove()` unregisters the hook.

        Args:
            hook: called as hook(module, prefix, keep_vars).
        """
        handle = RemovableHandle(self._state_dict_pre_hooks)
        self._state_dict_pre_hooks[handle.id] = hook
        return handle

    def register_state_dict_post_hook(self, hook):
        """Call a hook when `state_dict()` has collected this module; it may change the dict in place.

        Returns a handle; its `remove()` unregisters the hook.

        Args:
            hook: called as hook(module, state_dict, prefix, local_metadata); it must return None.
        """
        hook._from_public_api = True
        handle = RemovableHandle(self._state_dict_hooks)
        self._state_dict_hooks[handle.id] = hook
        return handle

    def _register_state_dict_hook(self, hook):
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError("Cannot register the same function as the state dict post hook that was previously registered "
                               "via register_state_dict_post_hook")
        handle = RemovableHandle(self._state_dict_hooks)
        self._state_dict_hooks[handle.id] = hook
        return handle

    def get_extra_state(self):
        """Return additional state to store in the state dict, any picklable object; override it together with `set_extra_state`."""
        raise RuntimeError(_NEVER.format("get_extra_state"))

    def set_extra_state(self, state):
        """Restore what `get_extra_state` returned; called by `load_state_dict`.

        Args:
            state: the object from the state dict.
        """
        raise RuntimeError(_NEVER.format("set_extra_state"))

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        """Put the tensors of this module, not of its children, into `destination`."""
        for name, value in self._parameters.items():
            if value is not None:
                destination[prefix + name] = value if keep_vars else value.detach()
        for name, value in self._buffers.items():
            if value is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = value if keep_vars else value.detach()
        if type(self).get_extra_state is not Stateful.get_extra_state:
            destination[prefix + _EXTRA_STATE_KEY_SUFFIX] = self.get_extra_state()

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        """Collect all parameters and persistent buffers in a dict, by their paths.

        The tensors share memory with the module: training changes them, so copy them if you want to
        keep a state. Save the dict with `torch.save`; restore it with `load_state_dict`.

        Args:
            destination: a dict to fill. Default: None, a new OrderedDict.
            prefix: put before all paths. Default: "".
            keep_vars: keep the parameters themselves instead of tensors detached from autograd.
                Default: False.

        Example:
            >>> net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
            >>> list(net.state_dict())
            ['0.weight', '0.bias', '1.weight', '1.bias', '1.running_mean', '1.running_var', '1.num_batches_tracked']
        """
        if args:
            warnings.warn("Positional args are being deprecated, use kwargs instead. Refer to "
                          "https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict for "
                          "details.", FutureWarning, stacklevel=2)
            destination = args[0] if destination is None else destination
            prefix = args[1] if len(args) > 1 and prefix == "" else prefix
            keep_vars = args[2] if len(args) > 2 and keep_vars is False else keep_vars
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        local_metadata = dict(version=self._version)
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = local_metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=prefix + name + ".", keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            answer = hook(self, destination, prefix, local_metadata)
            if answer is None:
                continue
            if getattr(hook, "_from_public_api", False):
                raise RuntimeError("state_dict post-hook must return None")
            destination = answer
        return destination

    # ---- loading ----

    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        handle = RemovableHandle(self._load_state_dict_pre_hooks)
        self._load_state_dict_pre_hooks[handle.id] = _WrappedHook(hook, self if with_module else None)
        return handle

    def register_load_state_dict_pre_hook(self, hook):
        """Call a hook before `load_state_dict` loads this module, for example to rename old keys.

        Returns a handle; its `remove()` unregisters the hook.

        Args:
            hook: called as hook(module, state_dict, prefix, local_metadata, strict, missing_keys,
                unexpected_keys, error_msgs); it may change all of them in place.
        """
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def register_load_state_dict_post_hook(self, hook):
        """Call a hook when `load_state_dict` has loaded this module.

        Returns a handle; its `remove()` unregisters the hook.

        Args:
            hook: called as hook(module, incompatible_keys), whose lists it may change in place; it
                must return None.
        """
        handle = RemovableHandle(self._load_state_dict_post_hooks)
        self._load_state_dict_post_hooks[handle.id] = hook
        return handle

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        """Load the tensors of this module, not of its children, and record missing, unexpected and invalid keys."""
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        loading = local_metadata.get(_LOADING) or _Loading(at_once=True)
        assign = local_metadata.get("assign_to_params_buffers", False)
        saved = {name: value for name, value in self._buffers.items() if name not in self._non_persistent_buffers_set}
        own = {name: value for name, value in (*self._parameters.items(), *saved.items()) if value is not None}
        for name, param in own.items():
            key = prefix + name
            if key not in state_dict:
                if strict:
                    missing_keys.append(key)
                continue
            value = state_dict[key]
            if not is_lazy(param) and isinstance(value, Tensor) and param.dim() == 0 and value.shape == (1,):
                value = value[0]  # old files store 0-d tensors as one element
            complaint = _complaint_about(key, param, value, assign)
            if complaint:
                error_msgs.append(complaint)
            else:
                loading.add(*_setting(self, name, key, param, value, assign), error_msgs)
        self._load_extra_state(state_dict, prefix + _EXTRA_STATE_KEY_SUFFIX, strict, missing_keys, unexpected_keys)
        if strict:
            self._note_unexpected(state_dict, prefix, own, unexpected_keys)

    def _load_extra_state(self, state_dict, key, strict, missing_keys, unexpected_keys):
        if type(self).set_extra_state is not Stateful.set_extra_state:
            if key in state_dict:
                self.set_extra_state(state_dict[key])
            elif strict:
                missing_keys.append(key)
        elif strict and key in state_dict:
            unexpected_keys.append(key)

    def _note_unexpected(self, state_dict, prefix, own, unexpected_keys):
        """Add the keys that name no member of this module to `unexpected_keys`."""
        for key in state_dict:
            if key.startswith(prefix) and key != prefix + _EXTRA_STATE_KEY_SUFFIX:
                first, dot, _ = key[len(prefix):].partition(".")
                if first not in (self._modules if dot else own):
                    unexpected_keys.append(key)

    def load_state_dict(self, state_dict, strict=True, assign=False):
        """Load parameters and buffers from a state dict.

        If anything is wrong, one RuntimeError names all of it and the module stays as it was
        (PyTorch leaves it half loaded).

        Returns a named tuple of two lists, `missing_keys` and `unexpected_keys`.

        Args:
            state_dict: a dict from paths to tensors, as returned by `state_dict()`.
            strict: whether every key must be known and none may be missing. Sizes have to match in
                any case. Default: True.
            assign: replace the module's tensors with those of the dict instead of copying their
                values; types and devices then are those of the dict, and an optimizer has to be
                made afterwards. Default: False.

        Example:
            >>> a, b = nn.Linear(2, 1), nn.Linear(2, 1)
            >>> b.load_state_dict(a.state_dict())
            <All keys matched successfully>
            >>> bool((a.weight == b.weight).all())
            True
            >>> b.load_state_dict({"weight": torch.zeros(1, 2)}, strict=False)
            _IncompatibleKeys(missing_keys=['bias'], unexpected_keys=[])
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        metadata = getattr(state_dict, "_metadata", None)
        state_dict = OrderedDict(state_dict)
        if metadata is not None:
            state_dict._metadata = metadata
        watched = any(module._load_state_dict_post_hooks or not _loads_plainly(module) for module in self.modules())
        loading = _Loading(at_once=watched)
        try:
            keys, errors = _load_tree(self, state_dict, metadata, loading, assign)
            if strict:
                for text, some in (("Unexpected", keys.unexpected_keys), ("Missing", keys.missing_keys)):
                    if some:
                        errors.insert(0, f"{text} key(s) in state_dict: {', '.join(f'{chr(34)}{k}{chr(34)}' for k in some)}. ")
            if not errors:
                loading.finish()
            if errors:
                raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(errors))
        except BaseException:
            loading.take_back()
            raise
        return keys


def _loads_plainly(module):
    """Return whether loading this module runs only code of this package, so that no user code can see values before the end."""
    home = type(module)._load_from_state_dict.__module__
    return home.startswith(__package__) and type(module).set_extra_state is Stateful.set_extra_state


def _load_tree(root, state_dict, metadata, loading, assign):
    """Load a module and its submodules; return the incompatible keys and the error messages."""
    missing_keys, unexpected_keys, errors = [], [], []

    def load(module, state, prefix):
        local = dict((metadata or {}).get(prefix[:-1], {}))
        local[_LOADING] = loading
        if assign:
            local["assign_to_params_buffers"] = assign
        module._load_from_state_dict(state, prefix, local, True, missing_keys, unexpected_keys, errors)
        for name, child in module._modules.items():
            if child is not None:
                below = prefix + name + "."
                load(child, {key: value for key, value in state.items() if key.startswith(below)}, below)
        keys = _IncompatibleKeys(missing_keys, unexpected_keys)
        for hook in module._load_state_dict_post_hooks.values():
            if hook(module, keys) is not None:
                raise AssertionError(
                    "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new values, if "
                    "incompatible_keys need to be modified, it should be done inplace.")
        return keys

    return load(root, state_dict, ""), errors
