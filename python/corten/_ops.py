# SPDX-License-Identifier: BSD-3-Clause
"""torch.ops: operations by namespace and name, and those that programs add (library.py)."""
from . import _C

_ADDED = {}  # (namespace, name): what torch.library made


# ---- operations of "aten" that programs know as methods, or by other names ----

def _slice(x, dim=0, start=None, end=None, step=1):
    return x[(slice(None),) * (dim % x.dim()) + (slice(start, end, step),)]


def _index(x, indices):
    return x[tuple(slice(None) if i is None else i for i in indices)]


def _index_put(x, indices, values, accumulate=False):
    return x.index_put(tuple(indices), values, accumulate)


def _index_put_(x, indices, values, accumulate=False):
    return x.index_put_(tuple(indices), values, accumulate)


def _to_copy(x, *, dtype=None, layout=None, device=None, pin_memory=None, non_blocking=False, memory_format=None):
    more = {} if memory_format is None else {"memory_format": memory_format}
    return x.to(device=device, dtype=dtype, non_blocking=non_blocking, copy=True, **more)


def _not_here(name):
    def refuse(*args, **kwargs):
        raise NotImplementedError(f"torch.ops.aten.{name}: an inner operation of PyTorch that Corten has not got")
    return refuse


_ATEN = {
    "slice": _slice, "index": _index, "index_put": _index_put, "index_put_": _index_put_, "_to_copy": _to_copy,
    "alias": lambda x: x.view_as(x), "sym_size": lambda x, dim=None: x.size() if dim is None else x.size(dim),
    "to": lambda x, *args, **kwargs: x.to(*args, **kwargs), "view": lambda x, size: x.view(size),
    "_unsafe_view": lambda x, size: x.view(size), "expand": lambda x, size, *, implicit=False: x.expand(size),
    "_local_scalar_dense": lambda x: x.item(), "_pin_memory": lambda x, device=None: x.pin_memory(),
    **{name: _not_here(name) for name in ("_sparse_addmm", "_sparse_mm_reduce_impl", "_assert_tensor_metadata", "_assert_scalar",
                                          "sym_constrain_range_for_size")},
}


def _find(namespace, name):
    """The function of a name, or None."""
    if (namespace, name) in _ADDED:
        return _ADDED[namespace, name]
    if namespace == "torchvision":
        from .vision import ops
        return getattr(ops, name, None) if name in ops.__all__ else None
    if namespace not in ("aten", "prims"):
        return None
    if name in _ATEN:
        return _ATEN[name]
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
