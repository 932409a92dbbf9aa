# SPDX-License-Identifier: BSD-3-Clause
"""torch.compile and torch.compiler. Corten has no compiler: programs run as they are.

torch.compile returns functions unchanged and wraps modules in an OptimizedModule, as in PyTorch; the first call warns. User
backends would need a graph, which does not exist, so they are refused.
"""
import types

from .._missing import MissingFeature, missing_function, no_effect

__all__ = ["PrecompileError", "allow_in_graph", "assume_constant_result", "compile", "config", "cudagraph_mark_step_begin",
           "cudagraph_mark_warmup_incomplete", "disable", "get_default_backend", "is_compiling", "is_dynamo_compiling", "is_exporting",
           "keep_portable_guards_unsafe", "keep_tensor_guards_unsafe", "list_backends", "load_cache_artifacts",
           "load_compiled_function", "nested_compile_region", "nonstrict_trace", "precompile", "reset", "save_cache_artifacts",
           "set_default_backend", "set_enable_guard_collectives", "set_stance", "skip_all_guards_unsafe",
           "skip_guard_on_all_nn_modules_unsafe", "skip_guard_on_globals_unsafe", "skip_guard_on_inbuilt_nn_modules_unsafe",
           "substitute_in_graph", "wrap_numpy"]

_MODES = ("default", "lite", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune")
_STANCES = ("default", "eager_then_compile", "aot_eager_then_compile", "force_eager", "eager_on_recompile", "fail_on_recompile")
_FAST = ("cudagraphs", "inductor")  # backends that PyTorch uses for speed
_EAGER = ("aot_eager", "aot_eager_decomp_partition", "aot_eager_default_partitioner", "eager", "eager_debug", "eager_noexcept",
          "pre_dispatch_eager")  # backends that run the program unchanged
_OTHERS = ("aot_ts", "openxla", "openxla_eval", "ts", "tvm")
_chosen = {"backend": "inductor", "guard_collectives": False}


class PrecompileError(RuntimeError):
    """Raised in PyTorch if a precompiled program cannot be used."""


def _check_backend(backend):
    if not isinstance(backend, str) or backend in _OTHERS:
        raise MissingFeature(f"torch.compile(backend={backend if isinstance(backend, str) else 'a function'})",
                             "leave the backend out; programs run as they are")
    if backend not in _FAST + _EAGER:
        from .._dynamo.exc import InvalidBackend
        raise InvalidBackend(f"Invalid backend: '{backend}'. See `torch._dynamo.list_backends()` for available backends.")


def compile(model=None, *, fullgraph=False, dynamic=None, backend=None, mode=None, options=None, name=None, disable=False,
            recompile_limit=None, isolate_recompiles=False, dynamic_shapes=None):
    """Returns the function unchanged, or an OptimizedModule around a module; without a model, a decorator.

    Results are the same as without it. A warning, once per process, says so unless the backend is "eager" or `disable` is set.
    Unknown backends and modes raise PyTorch's errors.
    """
    if model is None:
        return lambda f: compile(f, fullgraph=fullgraph, dynamic=dynamic, backend=backend, mode=mode, options=options, name=name,
                                 disable=disable, recompile_limit=recompile_limit, isolate_recompiles=isolate_recompiles,
                                 dynamic_shapes=dynamic_shapes)
    if mode is not None and options is not None:
        raise RuntimeError("Either mode or options can be specified, but both can't be specified at the same time.")
    if not callable(model):
        raise AssertionError(f"A callable function is expected, but {type(model)} is provided.")
    if disable:
        return model
    backend = _chosen["backend"] if backend is None else backend
    _check_backend(backend)
    if mode not in (None, *_MODES) and backend == "inductor":
        raise RuntimeError(f"Unrecognized mode={mode}, should be one of: {', '.join(_MODES)}")
    if backend in _FAST:
        no_effect("torch.compile", "functions and modules run as they are, with the same results")
    from ..nn import Module
    if not isinstance(model, Module):
        return model
    from .._dynamo.eval_frame import OptimizedModule
    return OptimizedModule(model)


def _needs_function(fn, what):
    if not callable(fn):
        raise AssertionError(f"{what} expects a callable")
    return fn


def disable(fn=None, recursive=True, *, reason=None):
    """Returns the function unchanged, since nothing is compiled; without one, a decorator."""
    return (lambda function: function) if fn is None else fn


def allow_in_graph(fn):
    """Returns the function, or list of functions, unchanged."""
    if isinstance(fn, (list, tuple)):
        return [allow_in_graph(f) for f in fn]
    return _needs_function(fn, "allow_in_graph")


def nonstrict_trace(traceable_fn):
    """Returns the function unchanged."""
    return _needs_function(traceable_fn, "nonstrict_trace")


def assume_constant_result(fn):
    """Returns the function unchanged; its result is computed at each call."""
    return fn


def wrap_numpy(fn):
    """Wraps a function of NumPy arrays as a function of tensors; arguments and results are converted."""
    import functools

    from .. import Tensor, as_tensor
    from ..utils._pytree import tree_map

    @functools.wraps(fn)
    def wrapped(*args, **kwargs):
        import numpy
        args, kwargs = tree_map(lambda x: x.numpy() if isinstance(x, Tensor) else x, (args, kwargs))
        return tree_map(lambda x: as_tensor(x) if isinstance(x, (numpy.ndarray, numpy.generic)) else x, fn(*args, **kwargs))
    return wrapped


def substitute_in_graph(original_fn, *, can_constant_fold_through=False, skip_signature_check=False):
    """Returns a decorator that returns its function unchanged: there is no tracer that would substitute it."""
    if not isinstance(original_fn, (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType)):
        raise TypeError(f"substitute_in_graph expects a function but got {type(original_fn)}")
    return lambda traceable_fn: _needs_function(traceable_fn, "substitute_in_graph")


def nested_compile_region(fn=None, *, options=None, max_reuse_entries=8, reuse_hash_fn=None):
    """Returns the function unchanged; without one, a decorator."""
    return (lambda function: function) if fn is None else fn


def is_compiling():
    """Returns False: nothing is compiled."""
    return False


is_dynamo_compiling = is_exporting = is_compiling


def list_backends(exclude_tags=("debug", "experimental")):
    """Lists the backends that torch.compile accepts, without those that have an excluded tag."""
    return sorted(_FAST + (() if "debug" in (exclude_tags or ()) else _EAGER))


def get_default_backend():
    """Returns the backend that torch.compile uses by default."""
    return _chosen["backend"]


def set_default_backend(backend):
    """Sets the default backend; None means "inductor"."""
    _chosen["backend"] = "inductor" if backend is None else backend


def reset():
    """Resets the default backend; there is no compiled code to discard."""
    set_default_backend(None)


def cudagraph_mark_step_begin():
    """Does nothing: in PyTorch, marks the start of an iteration so that CUDA graphs can reuse memory."""


cudagraph_mark_warmup_incomplete = cudagraph_mark_step_begin


def set_enable_guard_collectives(enabled):
    """Stores whether ranks should agree on recompilation, which never happens; returns the old value."""
    before, _chosen["guard_collectives"] = _chosen["guard_collectives"], enabled
    return before


def save_cache_artifacts():
    """Returns None: there is no compile cache."""
    return None


def load_cache_artifacts(serialized_artifacts):
    """Returns None: there is no compile cache."""
    return None


class set_stance:
    """Sets how compiled functions are called, as a function, context manager or decorator; without effect, since nothing is compiled."""

    def __init__(self, stance="default", *, skip_guard_eval_unsafe=False, force_backend=None):
        if stance not in _STANCES:
            raise RuntimeError(f"invalid torch.compile stance {stance!r}, should be one of: {', '.join(_STANCES)}")
        if force_backend is not None:
            if stance != "default":
                raise RuntimeError("non-default stance cannot have force_backend set")
            _check_backend(force_backend)
        self.stance = stance

    def __call__(self, fn):
        return fn

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


_guards = "leave guard_filter_fn out: nothing is compiled, so there are no guards"
keep_portable_guards_unsafe = missing_function("torch.compiler.keep_portable_guards_unsafe", _guards)
keep_tensor_guards_unsafe = missing_function("torch.compiler.keep_tensor_guards_unsafe", _guards)
skip_all_guards_unsafe = missing_function("torch.compiler.skip_all_guards_unsafe", _guards)
skip_guard_on_all_nn_modules_unsafe = missing_function("torch.compiler.skip_guard_on_all_nn_modules_unsafe", _guards)
skip_guard_on_globals_unsafe = missing_function("torch.compiler.skip_guard_on_globals_unsafe", _guards)
skip_guard_on_inbuilt_nn_modules_unsafe = missing_function("torch.compiler.skip_guard_on_inbuilt_nn_modules_unsafe", _guards)
load_compiled_function = missing_function("torch.compiler.load_compiled_function", "load the state_dict() of the model")
PrecompileError.__module__ = "torch.compiler"

from . import config, precompile  # noqa: E402
