# SPDX-License-Identifier: BSD-3-Clause
"""Overriding of torch functions by `__torch_function__` and TorchFunctionMode.

If an argument defines `__torch_function__(func, types, args, kwargs)`, operations call it instead of running. A
`TorchFunctionMode` intercepts all operations inside a `with` block. The C extension implements the dispatch; this module has
the functions around it.
"""
import contextlib
import functools
import types

from . import _C

__all__ = [
    "get_ignored_functions", "get_overridable_functions", "get_testing_overrides", "handle_torch_function",
    "has_torch_function", "resolve_name", "is_tensor_like", "is_tensor_method_or_property", "wrap_torch_function",
    "enable_reentrant_dispatch", "redispatch_function",
]


_FUNCTIONS = types.FunctionType, types.MethodType

# ---- dispatch ----


def has_torch_function(relevant_args):
    """Returns whether an argument overrides __torch_function__, or a mode is active."""
    return _C._has_torch_function(tuple(relevant_args), None)


def has_torch_function_unary(arg):
    """Same as has_torch_function((arg,))."""
    return _C._has_torch_function((arg,), None)


def has_torch_function_variadic(*args):
    """Same as has_torch_function(args)."""
    return _C._has_torch_function(args, None)


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    """Calls the overrides of the arguments in order; returns the first result that is not NotImplemented."""
    return _C._handle_torch_function(public_api, tuple(relevant_args), args, kwargs)


def wrap_torch_function(dispatcher):
    """Decorator that adds dispatch to a function; `dispatcher(*args, **kwargs)` returns the relevant arguments."""
    def decorate(function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            relevant = dispatcher(*args, **kwargs)
            if has_torch_function(relevant):
                return handle_torch_function(wrapped, relevant, *args, **kwargs)
            return function(*args, **kwargs)
        return wrapped
    return decorate


def is_tensor_like(inp):
    """Returns whether `inp` is a tensor or overrides __torch_function__."""
    return isinstance(inp, _C.Tensor) or hasattr(inp, "__torch_function__")


def redispatch_function(func, types, args, kwargs):
    """Calls func without dispatching it again; functions written in Python still dispatch what they call."""
    if isinstance(func, _FUNCTIONS):
        _C._skip_next_dispatch(True)
        try:
            return func(*args, **(kwargs or {}))
        finally:
            _C._skip_next_dispatch(False)
    before = _C._disable_torch_function(True)
    try:
        return func(*args, **(kwargs or {}))
    finally:
        _C._disable_torch_function(before)


@contextlib.contextmanager
def enable_reentrant_dispatch():
    """Context manager that enables dispatch again inside of a handler, where it is disabled."""
    before = _C._disable_torch_function(False)
    try:
        yield
    finally:
        _C._disable_torch_function(before)


# ---- modes ----

class TorchFunctionMode:
    """Base class of modes: inside `with mode:` every operation calls its __torch_function__ first, before the arguments'."""

    inner = None

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        _C._push_mode(self)
        return self

    def __exit__(self, *unused):
        _C._pop_mode()

    @classmethod
    def push(cls, *args, **kwargs):
        """Returns a new instance, to be used in a `with` statement."""
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    """A mode that calls each operation unchanged."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def _get_current_function_mode():
    modes = _C._modes()
    return modes[-1] if modes else None


def _get_current_function_mode_stack():
    return list(_C._modes())


# ---- lists of functions ----

_IGNORED = ("is_tensor", "is_storage", "tensor", "as_tensor", "from_numpy", "frombuffer", "zeros", "ones", "empty", "full", "eye",
            "arange", "range", "linspace", "logspace", "rand", "randn", "randint", "randperm", "manual_seed", "seed",
            "set_default_dtype", "get_default_dtype", "set_num_threads", "get_num_threads", "promote_types", "result_type",
            "can_cast", "is_grad_enabled", "set_grad_enabled", "broadcast_shapes", "compile", "vmap", "typename", "save", "load")


@functools.lru_cache(None)
def get_ignored_functions():
    """Returns the functions that never dispatch."""
    import corten
    return {getattr(corten, name) for name in _IGNORED if hasattr(corten, name)}


@functools.lru_cache(None)
def get_default_nowrap_functions():
    """Returns the properties whose results are not converted to the subclass."""
    return {_C.Tensor.grad.__get__, _C.Tensor._base.__get__} if hasattr(_C.Tensor, "_base") else {_C.Tensor.grad.__get__}


def _homes():
    import corten
    return {corten: "torch", corten.functional: "torch.functional", corten.nn.functional: "torch.nn.functional",
            corten.linalg: "torch.linalg", corten.special: "torch.special", corten.fft: "torch.fft"}


@functools.lru_cache(None)
def _names():
    """Returns {function: qualified name}."""
    names = {}
    for name in dir(_C.Tensor):
        value = getattr(_C.Tensor, name)
        if callable(value) and name[:2] != "__" or name in ("__getitem__", "__setitem__", "__len__"):
            names.setdefault(value, f"torch.Tensor.{name}")
        elif isinstance(value, types.GetSetDescriptorType):
            names[value.__get__] = f"torch.Tensor.{name}.__get__"
    for home, path in reversed(_homes().items()):
        for name in dir(home):
            value = getattr(home, name, None)
            if name[0] != "_" and isinstance(value, (types.BuiltinFunctionType, types.FunctionType, _C._FunctionalFunction)):
                names[value] = f"{path}.{name}"
    return names


def resolve_name(f):
    """Returns the qualified name of a function such as "torch.nn.functional.relu", or None."""
    return _names().get(f)


def get_overridable_functions():
    """Returns {module or class: list of functions that dispatch}."""
    ignored = get_ignored_functions()
    found = {}
    for home, path in _homes().items():
        mine = [f for f, name in _names().items() if name.rpartition(".")[0] == path and f not in ignored]
        found[home] = mine
    found[_C.Tensor] = [f for f, name in _names().items() if name.startswith("torch.Tensor.")]
    return found


@functools.lru_cache(None)
def get_testing_overrides():
    """Returns {function: dummy that accepts any arguments and returns -1}."""
    def answer(*args, **kwargs):
        return -1
    return {f: answer for functions in get_overridable_functions().values() for f in functions}


def is_tensor_method_or_property(func):
    """Returns whether a function is a method or property of Tensor."""
    name = resolve_name(func)
    return name is not None and name.startswith("torch.Tensor.") or getattr(func, "__name__", "") == "__get__"
