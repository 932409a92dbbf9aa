# SPDX-License-Identifier: BSD-3-Clause
"""torch.ops: operations by namespace and name, and those that programs add (library.py)."""
from . import _C

_ADDED = {}  # (namespace, name): what torch.library made


def _find(namespace, name):
    """The function of a name, or None."""
    if (namespace, name) in _ADDED:
        return _ADDED[namespace, name]
    if namespace == "torchvision":
        from .vision import ops
        return getattr(ops, name, None) if name in ops.__all__ else None
    if namespace not in ("aten", "prims"):
        return None
    import corten
    for home in (corten, corten.nn.functional, corten._VF):
        found = getattr(home, name, None)
        if callable(found) and not isinstance(found, type):
            return found
    return getattr(_C.Tensor, name, None)


class OpOverload:
    """An operation; torch.ops has no separate code for the kinds of its arguments."""

    def __init__(self, packet, overload):
        self._packet, self._overloadname, self.namespace = packet, overload, packet._namespace

    def __call__(self, *args, **kwargs):
        return self._packet._op(*args, **kwargs)

    @property
    def overloadpacket(self):
        return self._packet

    @property
    def __name__(self):
        return f"{self._packet.__name__}.{self._overloadname}"

    def name(self):
        plain = f"{self.namespace}::{self._packet.__name__}"
        return plain if self._overloadname == "default" else f"{plain}.{self._overloadname}"

    def __repr__(self):
        return f"<OpOverload(op='{self.namespace}.{self._packet.__name__}', overload='{self._overloadname}')>"

    __str__ = __name__.fget


class OpOverloadPacket:
    """An operation under all its overloads: `torch.ops.aten.add`, `torch.ops.aten.add.Tensor`."""

    def __init__(self, namespace, name, op):
        self._namespace, self.__name__, self._op, self._known = namespace, name, op, {}

    def __call__(self, *args, **kwargs):
        return self._op(*args, **kwargs)

    def __getattr__(self, overload):
        if overload.startswith("__"):
            raise AttributeError(f"'{self._namespace}::{self.__name__}' object has no attribute '{overload}'")
        return self._known.setdefault(overload, OpOverload(self, overload))

    def overloads(self):
        """The names of kinds of arguments."""
        if self.__name__.startswith("_foreach_"):
            return ["Scalar", "List", "ScalarList", "Tensor"]
        return list(self._known) or ["default"]

    def __repr__(self):
        return f"<OpOverloadPacket(op='{self._namespace}.{self.__name__}')>"

    def __str__(self):
        return f"{self._namespace}.{self.__name__}"


class _OpNamespace:
    def __init__(self, name):
        self.__dict__["name"] = name

    def __getattr__(self, name):
        op = None if name.startswith("__") else _find(self.__dict__["name"], name)
        if op is None:
            raise AttributeError(f"'_OpNamespace' '{self.__dict__['name']}' object has no attribute '{name}'")
        packet = OpOverloadPacket(self.__dict__["name"], name, op)
        self.__dict__[name] = packet
        return packet


class _Ops:
    """`torch.ops`."""
    loaded_libraries = set()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        space = _OpNamespace(name)
        self.__dict__[name] = space
        return space

    def load_library(self, path):
        """An error: libraries of operations are compiled for PyTorch."""
        raise OSError(f"{path}: libraries of operations that were compiled for PyTorch cannot be loaded")

    def import_module(self, module):
        import importlib
        importlib.import_module(module)

    def __repr__(self):
        return "<module 'torch.ops'>"


class _ClassNamespace:
    def __init__(self, name):
        self.__dict__["name"] = name

    def __getattr__(self, name):
        raise RuntimeError(f"Tried to instantiate class '{self.__dict__['name']}.{name}', but it does not exist! "
                           "Ensure that it is registered via torch::class_")


class _Classes:
    """`torch.classes`: of libraries that were compiled for PyTorch, so there are none."""
    loaded_libraries = set()
    __path__ = []
    load_library = _Ops.load_library

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _ClassNamespace(name)


ops, classes = _Ops(), _Classes()
