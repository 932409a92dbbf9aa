# SPDX-License-Identifier: BSD-3-Clause
"""torch.ops: operations by namespace and name, including those that programs register (library.py)."""
import functools

from . import _C
from ._missing import missing_function

_counters = []  # active FlopCounterMode contexts
_ADDED = {}  # (namespace, name): {overload: CustomOpDef}


# ---- aten operations that are methods or have other names in Corten ----

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
    if layout is not None and layout != x.layout:
        raise RuntimeError(f"to(options) doesn't support converting to a different layout, but got self.layout being "
                           f"{x.layout} and options.layout set as {layout}")
    result = x.to(device=device, dtype=dtype, non_blocking=non_blocking, copy=True, **more)
    return result.pin_memory() if pin_memory else result


def _not_here(name):
    """Returns a function that raises MissingFeature for an operation that only PyTorch's own code calls."""
    return missing_function(f"torch.ops.aten.{name}",
                            "call the function of torch or torch.nn.functional that PyTorch builds on it")


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
    """Returns the function for a name, or None."""
    if (namespace, name) in _ADDED:
        return _Added(_ADDED[namespace, name])
    if namespace in ("torchvision", "image"):
        from .vision import _registered
        return _registered.of(namespace).get(name)
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


@functools.lru_cache(None)
def _overloads():
    from . import _overloads
    return _overloads.overloads()


class _Added:
    """A registered operation with all its overloads."""

    def __init__(self, overloads):
        self.overloads = overloads

    def __call__(self, *args, **kwargs):
        if len(self.overloads) == 1:
            return next(iter(self.overloads.values()))(*args, **kwargs)
        from ._schema import match_call
        errors = []
        for op in self.overloads.values():
            try:
                match_call(op._schema, args, kwargs)
            except RuntimeError as e:
                errors.append(str(e))
                continue
            return op(*args, **kwargs)
        raise RuntimeError("no overload fits the arguments:\n" + "\n".join(errors))


class OpOverload:
    """One overload of an operation. Registered operations have a schema; others select the overload by their arguments."""

    def __init__(self, packet, overload):
        self._packet, self._overloadname, self.namespace, self._op = packet, overload, packet._namespace, packet._op
        self.tags = []
        if isinstance(self._op, _Added):
            self._op = self._op.overloads["" if overload == "default" else overload]
            self._schema, self.tags = self._op._schema, list(self._op._tags)

    def __call__(self, *args, **kwargs):
        return self._op(*args, **kwargs)

    @property
    def overloadpacket(self):
        """The OpOverloadPacket that this overload belongs to."""
        return self._packet

    @property
    def __name__(self):
        return f"{self._packet.__name__}.{self._overloadname}"

    def name(self):
        """Returns the name, such as aten::add.Tensor."""
        plain = f"{self.namespace}::{self._packet.__name__}"
        return plain if self._overloadname == "default" else f"{plain}.{self._overloadname}"

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return getattr, (self._packet, self._overloadname)

    def __repr__(self):
        return f"<OpOverload(op='{self.namespace}.{self._packet.__name__}', overload='{self._overloadname}')>"

    def __str__(self):
        return f"{self._packet}.{self._overloadname}"


class OpOverloadPacket:
    """An operation with all its overloads: `torch.ops.aten.add` has the overload `torch.ops.aten.add.Tensor`."""

    def __init__(self, namespace, name, op):
        self._namespace, self.__name__, self._op, self._known = namespace, name, op, {}

    def __call__(self, *args, **kwargs):
        return self._op(*args, **kwargs)

    def __getattr__(self, overload):
        if overload.startswith("__"):
            raise AttributeError(f"'{self._namespace}::{self.__name__}' object has no attribute '{overload}'")
        known = self._names()
        if known is not None and overload not in known:
            raise AttributeError(f"The underlying op of '{self}' has no overload name '{overload}'")
        return self._known.setdefault(overload, OpOverload(self, overload))

    def _names(self):
        """Returns the names of the overloads, or None if they are unknown."""
        if isinstance(self._op, _Added):
            return [name or "default" for name in self._op.overloads]
        return _overloads().get(self.__name__) if self._namespace == "aten" else None

    @property
    def _schemas(self):
        if not isinstance(self._op, _Added):
            raise AttributeError(f"'{self._namespace}::{self.__name__}' object has no attribute '_schemas'")
        return {name: op._schema for name, op in self._op.overloads.items()}

    def overloads(self):
        """Returns the names of the overloads."""
        known = self._names()
        if known is not None:
            return list(known)
        if self.__name__.startswith("_foreach_"):
            return ["Scalar", "List", "ScalarList", "Tensor"]
        return list(self._known) or ["default"]

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return _packet_of, (self._namespace, self.__name__)

    def __repr__(self):
        return f"<OpOverloadPacket(op='{self._namespace}.{self.__name__}')>"

    def __str__(self):
        return f"{self._namespace}.{self.__name__}"


def _packet_of(namespace, name):
    """Unpickles an operation."""
    return getattr(getattr(ops, namespace), name)


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
    """The class of `torch.ops`."""
    loaded_libraries = set()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        space = _OpNamespace(name)
        self.__dict__[name] = space
        return space

    def load_library(self, path):
        """Raises OSError: operator libraries are compiled against PyTorch and cannot be loaded."""
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
    """The class of `torch.classes`, which is empty: its classes come from libraries compiled against PyTorch."""
    loaded_libraries = set()
    __path__ = []
    load_library = _Ops.load_library

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _ClassNamespace(name)


ops, classes = _Ops(), _Classes()
