# SPDX-License-Identifier: BSD-3-Clause
"""Objects that stand in for tensors: what a library needs beside `__torch_function__`.

An object with a method `__torch_function__(func, types, args, kwargs)` is asked about every operation that it is an
argument of. `TorchFunctionMode` is asked about all operations inside a `with`. Who is asked, and in what order, is
decided in the C extension; here are the functions around it.
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

# ---- asking ----


def has_torch_function(relevant_args):
    """Whether one of the arguments, or a mode, is to be asked."""
    return _C._has_torch_function(tuple(relevant_args), None)


def has_torch_function_unary(arg):
    """The same of one argument."""
    return _C._has_torch_function((arg,), None)


def has_torch_function_variadic(*args):
    """The same of several."""
    return _C._has_torch_function(args, None)


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    """Asks the arguments in turn; what the first answers that does not decline."""
    return _C._handle_torch_function(public_api, tuple(relevant_args), args, kwargs)


def wrap_torch_function(dispatcher):
    """Decorates a function whose relevant arguments are what `dispatcher` makes of all of them."""
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
    """Whether it is a tensor or can stand in for one."""
    return isinstance(inp, _C.Tensor) or hasattr(inp, "__torch_function__")


def redispatch_function(func, types, args, kwargs):
    """Calls func without asking about func itself; a function that is written in Python asks again about what it calls."""
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
    """Asks again, where asking was switched off."""
    before = _C._disable_torch_function(False)
    try:
        yield
    finally:
        _C._disable_torch_function(before)


# ---- modes ----

class TorchFunctionMode:
    """Asked about every operation inside `with mode:`, before the arguments; derive from it."""

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
        """An instance, to be entered."""
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    """A mode that runs what it is asked about."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def _get_current_function_mode():
    modes = _C._modes()
    return modes[-1] if modes else None


def _get_current_function_mode_stack():
    return list(_C._modes())


# ---- which functions there are ----

_IGNORED = ("is_tensor", "is_storage", "tensor", "as_tensor", "from_numpy", "frombuffer", "zeros", "ones", "empty", "full", "eye",
            "arange", "range", "linspace", "logspace", "rand", "randn", "randint", "randperm", "manual_seed", "seed",
            "set_default_dtype", "get_default_dtype", "set_num_threads", "get_num_threads", "promote_types", "result_type",
            "can_cast", "is_grad_enabled", "set_grad_enabled", "broadcast_shapes", "compile", "vmap", "typename", "save", "load")


@functools.lru_cache(None)
def get_ignored_functions():
    """Functions that ask nobody."""
    import corten
    return {getattr(corten, name) for name in _IGNORED if hasattr(corten, name)}


@functools.lru_cache(None)
def get_default_nowrap_functions():
    """Properties whose answer keeps its class."""
    return {_C.Tensor.grad.__get__, _C.Tensor._base.__get__} if hasattr(_C.Tensor, "_base") else {_C.Tensor.grad.__get__}


def _homes():
    import corten
    return {corten: "torch", corten.functional: "torch.functional", corten.nn.functional: "torch.nn.functional",
            corten.linalg: "torch.linalg", corten.special: "torch.special", corten.fft: "torch.fft"}


@functools.lru_cache(None)
def _names():
    """{function: its name}, by where programs find it."""
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
    """The name of a function as programs write it, or None."""
    return _names().get(f)


def get_overridable_functions():
    """{module or class: functions} that ask their arguments."""
    ignored = get_ignored_functions()
    found = {}
    for home, path in _homes().items():
        mine = [f for f, name in _names().items() if name.rpartition(".")[0] == path and f not in ignored]
        found[home] = mine
    found[_C.Tensor] = [f for f, name in _names().items() if name.startswith("torch.Tensor.")]
    return found


@functools.lru_cache(None)
def get_testing_overrides():
    """{function: one with its arguments that answers -1}."""
    def answer(*args, **kwargs):
        return -1
    return {f: answer for functions in get_overridable_functions().values() for f in functions}


def is_tensor_method_or_property(func):
    """Whether it is one of Tensor's."""
    name = resolve_name(func)
    return name is not None and name.startswith("torch.Tensor.") or getattr(func, "__name__", "") == "__get__"
