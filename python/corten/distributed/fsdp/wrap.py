# SPDX-License-Identifier: BSD-3-Clause
"""Policies that select which submodules of a model to wrap, for example in FullyShardedDataParallel.

A policy is called as policy(module, recurse, nonwrapped_numel). With recurse=True it returns whether to visit the
children of the module, with recurse=False whether to wrap it; nonwrapped_numel counts the elements of its parameters that
are not in wrapped children.
"""
import contextlib
import copy
from abc import ABC, abstractmethod

from ... import nn

__all__ = ["CustomPolicy", "ModuleWrapPolicy", "always_wrap_policy", "enable_wrap", "lambda_auto_wrap_policy",
           "size_based_auto_wrap_policy", "transformer_auto_wrap_policy", "wrap"]

_context = None  # (class, keywords) inside enable_wrap


def always_wrap_policy(*args, **kwargs):
    """Wraps every module."""
    return True


def lambda_auto_wrap_policy(module, recurse, nonwrapped_numel, lambda_fn):
    """Wraps the modules for which lambda_fn(module) is true, regardless of size."""
    return recurse or lambda_fn(module)


def transformer_auto_wrap_policy(module, recurse, nonwrapped_numel, transformer_layer_cls):
    """Wraps instances of the given classes, normally the layers of a transformer, regardless of size."""
    return recurse or isinstance(module, tuple(transformer_layer_cls))


def size_based_auto_wrap_policy(module, recurse, nonwrapped_numel, min_num_params=int(1e8), force_leaf_modules=None,
                                exclude_wrap_modules=None):
    """Wraps modules with at least `min_num_params` elements.

    Modules of the classes in `exclude_wrap_modules` are never wrapped; children of `force_leaf_modules` are not visited.
    """
    leaves = size_based_auto_wrap_policy.FORCE_LEAF_MODULES if force_leaf_modules is None else force_leaf_modules
    never = size_based_auto_wrap_policy.EXCLUDE_WRAP_MODULES if exclude_wrap_modules is None else exclude_wrap_modules
    return nonwrapped_numel >= min_num_params and not isinstance(module, tuple(leaves if recurse else never))


size_based_auto_wrap_policy.EXCLUDE_WRAP_MODULES = {nn.ModuleList, nn.ModuleDict}
size_based_auto_wrap_policy.FORCE_LEAF_MODULES = {nn.MultiheadAttention}


class _Policy(ABC):
    """Base class of policies that see the whole model at once."""

    @abstractmethod
    def _run_policy(self, root_module, ignored_modules, root_kwargs):
        """Returns {module to wrap: keywords of its wrapper}."""


class ModuleWrapPolicy(_Policy):
    """Wraps instances of the given classes."""

    def __init__(self, module_classes):
        self._module_classes = set(module_classes)

    def _run_policy(self, root_module, ignored_modules, root_kwargs):
        return {module: copy.copy(root_kwargs) for module in root_module.modules()
                if module not in ignored_modules and isinstance(module, tuple(self._module_classes))}

    def __call__(self, module, recurse, *args, **kwargs):
        return recurse or isinstance(module, tuple(self._module_classes))

    def __repr__(self):
        return f"{super().__repr__()}({self._module_classes})"


class CustomPolicy(_Policy):
    """Wraps the modules for which lambda_fn(module) returns True, or a dict of keywords for the wrapper."""

    def __init__(self, lambda_fn):
        self._lambda_fn = lambda_fn

    def _run_policy(self, root_module, ignored_modules, root_kwargs):
        found = {}
        for module in root_module.modules():
            if module in ignored_modules:
                continue
            answer = self._lambda_fn(module)
            if not isinstance(answer, (dict, bool)):
                raise ValueError("The lambda_fn passed to CustomPolicy should return False/True or a kwarg dict, but it returned "
                                 f"{answer}")
            if answer:
                found[module] = {**root_kwargs, **(answer if isinstance(answer, dict) else {})}
        return found


@contextlib.contextmanager
def enable_wrap(*, wrapper_cls, **wrapper_kwargs):
    """Context manager in which wrap(module) returns wrapper_cls(module, **wrapper_kwargs)."""
    global _context
    if _context is not None:
        raise NotImplementedError("You are already within an autowrap context and we currently do not supported nested autowrap.")
    _context = wrapper_cls, wrapper_kwargs
    try:
        yield
    finally:
        _context = None


def wrap(module, **wrap_overrides):
    """Wraps the module inside of enable_wrap, otherwise returns it unchanged; keywords override those of enable_wrap."""
    if _context is None:
        return module
    wrapper, kwargs = _context
    return wrapper(module, **{**kwargs, **wrap_overrides, **getattr(module, "_wrap_overrides", {})})
