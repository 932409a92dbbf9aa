# SPDX-License-Identifier: BSD-3-Clause
"""Calls a module with other tensors instead of its parameters and buffers."""
import warnings
from contextlib import contextmanager

from ..._C import Tensor

__all__ = ["functional_call"]

_MISSING = object()


class _Places:
    """Access to the tensors of a module by path, to swap them."""

    def __init__(self, module):
        self.module, self.known = module, {"": module}

    def _parent(self, path):
        if path not in self.known:
            above, _, name = path.rpartition(".")
            parent = self._parent(above)
            if not hasattr(parent, name):
                raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
            self.known[path] = getattr(parent, name)
        return self.known[path]

    def swap(self, path, tensor):
        """Set the tensor at a path, or remove it (_MISSING); return the old value."""
        above, _, name = path.rpartition(".")
        module = self._parent(above)
        if tensor is not _MISSING and tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"{tensor} is not an instance of torch.Tensor")
        for members in (module._parameters, module._buffers):
            if name in members:
                old = members[name]
                if tensor is _MISSING:
                    del members[name]
                else:
                    members[name] = tensor
                return old
        old = getattr(module, name, _MISSING)
        if old is not _MISSING and old is not None and not isinstance(old, Tensor):
            raise TypeError(f"attribute `{name}`: {old} is not an instance of torch.Tensor")
        if tensor is not _MISSING:
            setattr(module, name, tensor)
        elif old is not _MISSING:
            delattr(module, name)
        return old

    def swap_all(self, tensors):
        """Swap all tensors; if one fails, restore the others."""
        old = {}
        try:
            for path, tensor in tensors.items():
                old[path] = self.swap(path, tensor)
        except Exception:
            for path, tensor in old.items():
                self.swap(path, tensor)
            raise
        return old


def _named_tensors(module):
    """Return all parameters and buffers by path; shared ones appear under every path."""
    return {**dict(module.named_parameters(remove_duplicate=False)), **dict(module.named_buffers(remove_duplicate=False))}


def _with_tied(module, given):
    """Add the given tensors under every path that shares one; raise ValueError if a tied tensor has several values."""
    names = {}
    for name, tensor in _named_tensors(module).items():
        names.setdefault(id(tensor), []).append(name)
    whole = dict(given)
    for tied in names.values():
        said = [name for name in tied if name in given]
        if len({id(given[name]) for name in said}) > 1:
            raise ValueError(f"functional_call got multiple values for keys {sorted(tied)}, which are tied. Consider using "
                             "tie_weights=False")
        if said and len(tied) > 1:
            whole.update(dict.fromkeys(tied, given[said[0]]))
    return whole


def _check_keys(module, given):
    """Raise RuntimeError unless exactly the parameters and buffers of the module are given."""
    known = _named_tensors(module)
    errors = [f"{kind} key(s): {', '.join(map(repr, sorted(keys)))}." for kind, keys in (
        ("Unexpected", given.keys() - known.keys()), ("Missing", known.keys() - given.keys())) if keys]
    if errors:
        raise RuntimeError(f"Error(s) in reparametrizing for {module._get_name()}:\n\t" + "\n\t".join(errors))


@contextmanager
def _reparametrize_module(module, parameters_and_buffers, tie_weights=False, strict=False, stack_weights=False):
    """A context in which the module has the given tensors. Afterwards the dict contains the module's tensors at the end of the block."""
    given = _with_tied(module, parameters_and_buffers) if tie_weights else parameters_and_buffers
    if strict:
        _check_keys(module, given)
    places = _Places(module)
    old = places.swap_all(given)
    try:
        yield
    finally:
        if stack_weights:
            old = dict(reversed(old.items()))
        left = places.swap_all(old)
        parameters_and_buffers.update({path: left[path] for path in parameters_and_buffers if path in left})


def _functional_call(module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """Call the module with these tensors; torch.func.functional_call uses this function."""
    from ..parallel import DataParallel
    if isinstance(module, DataParallel):
        raise RuntimeError("The stateless API can't be used with nn.DataParallel module")
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    with _reparametrize_module(module, parameters_and_buffers, tie_weights=tie_weights, strict=strict):
        return module(*args, **(kwargs or {}))


def functional_call(module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """Deprecated name of `torch.func.functional_call`; calling it warns.

    Calls a module with other tensors instead of its parameters and buffers.

    Args:
        module: the module, which is unchanged afterwards.
        parameters_and_buffers: a dict from paths to tensors.
        args: the argument, or a tuple of them. Default: None.
        kwargs: keyword arguments of the call. Default: None.
        tie_weights: use a given tensor under every path that shares the parameter. Default: True.
        strict: every parameter and buffer must be given. Default: False.
    """
    warnings.warn("`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 and will be removed in a future "
                  "version of PyTorch. Please use `torch.func.functional_call` instead which is a drop-in replacement.",
                  FutureWarning, stacklevel=2)
    return _functional_call(module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict)
