# SPDX-License-Identifier: BSD-3-Clause
"""The names that a file may use with weights_only=True, and the objects they stand for.

The C library interprets the pickle and executes nothing by itself. It looks up every name here; a name that is neither on the
list below nor added by `add_safe_globals` raises PyTorch's error.
"""
import _compat_pickle
import functools
from collections import Counter, OrderedDict
from pickle import UnpicklingError

from . import _C

_BLOCKED = ("sys", "os", "posix", "nt")  # modules refused even if the user allows a name in them
user_globals = set()


class StorageType:
    """Stands for FloatStorage, LongStorage and so on while a file is read."""

    def __init__(self, name):
        from .storage import _TYPES
        self._dtype = _TYPES[name.removesuffix("Storage")]

    @property
    def dtype(self):
        """The data type of the storage."""
        return self._dtype

    def __str__(self):
        return f"StorageType(dtype={self.dtype})"


@functools.lru_cache(maxsize=1)
def allowed():
    """Returns the fixed list as {name: object}."""
    from . import _tensor, serialization, storage
    from ._utils import REBUILDERS
    table = {
        "collections.OrderedDict": OrderedDict, "collections.Counter": Counter, "torch.Size": _C.Size,
        "torch.Tensor": _C.Tensor, "torch.device": _C.device, "torch.serialization._get_layout": serialization._get_layout,
        "_codecs.encode": _encode, "builtins.bytearray": _bytearray, "builtins.set": _set, "builtins.complex": complex,
        "torch.storage.UntypedStorage": storage.UntypedStorage, "torch.storage.TypedStorage": storage.TypedStorage,
        "torch._tensor._rebuild_from_type_v2": _tensor._rebuild_from_type_v2,
    }
    table.update({f"torch._utils.{name}": function for name, function in REBUILDERS.items()})
    table.update({str(value): value for value in vars(_C).values() if isinstance(value, _C.dtype)})
    table.update({f"torch.{name}Storage": StorageType(f"{name}Storage") for name in storage._TYPES})
    return table


def _encode(text, encoding):
    """_codecs.encode, restricted to the form in which pickles store bytes."""
    if encoding != "latin1":
        raise UnpicklingError(f"expected bytes encoded as latin1, but got {encoding!r}")
    return text.encode("latin1")


def _bytearray(data=b"", encoding=None):
    """bytearray, except of an int: a file must not allocate memory that it does not fill."""
    if isinstance(data, int):
        raise UnpicklingError("bytearray must be created from bytes")
    return bytearray(data, encoding) if encoding else bytearray(data)


def _set(items=()):
    return set(items)


def user_allowed():
    """Returns the user's additions as {name: object}."""
    table = {}
    for item in user_globals:
        if isinstance(item, tuple):
            if len(item) != 2:
                raise ValueError(
                    f"Expected tuple of length 2 (global, str of callable full path), but got tuple of length: {len(item)}")
            if type(item[1]) is not str:
                raise TypeError(f"Expected second item in tuple to be str of callable full path, but got: {type(item[1])}")
            table[item[1]] = item[0]
        else:
            table[_public(f"{item.__module__}.{item.__qualname__}")] = item
    return table


def _public(name):
    return "torch" + name[6:] if name.startswith("corten.") else name


def modern(module, name):
    """Translates module and class names of Python 2, which protocol 2 uses, to those of Python 3."""
    if (module, name) in _compat_pickle.NAME_MAPPING:
        return _compat_pickle.NAME_MAPPING[module, name]
    return _compat_pickle.IMPORT_MAPPING.get(module, module), name


def find(module, name):
    """Returns the object for a name, or raises UnpicklingError."""
    module, name = modern(module, name)
    path = f"{module}.{name}"
    if module in _BLOCKED:
        raise UnpicklingError(f"Trying to load unsupported GLOBAL {path} whose module {module} is blocked.")
    if path == "torch.nn.parameter.Parameter":
        from .nn import Parameter
        return Parameter
    for table in (allowed(), user_allowed()):
        if path in table:
            return table[path]
    path = path.removeprefix("builtins.")
    raise UnpicklingError(
        f"Unsupported global: GLOBAL {path} was not an allowed global by default. Please use "
        f"`torch.serialization.add_safe_globals([{path}])` or the `torch.serialization.safe_globals([{path}])` context "
        "manager to allowlist this global if you trust this class/function.")


def build(instance, state):
    """Implements pickle's BUILD for the classes that allow it."""
    kind = type(instance)
    if kind is _C.Tensor:
        instance.set_(*state)
    elif kind is OrderedDict:
        instance.__dict__.update(state)
    elif kind.__name__ == "Parameter" and kind.__module__.startswith(("torch.", "corten.")):
        instance.__setstate__(state)
    elif kind in user_allowed().values() or kind in (Counter,):
        if hasattr(instance, "__setstate__"):
            instance.__setstate__(state)
            return
        slots = None
        if isinstance(state, tuple) and len(state) == 2:
            state, slots = state
        if state:
            instance.__dict__.update(state)
        for key, value in (slots or {}).items():
            setattr(instance, key, value)
    else:
        raise UnpicklingError("Can only build Tensor, Parameter, OrderedDict or types allowlisted via `add_safe_globals`, "
                              f"but got {kind}")
