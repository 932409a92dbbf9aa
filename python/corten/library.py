# SPDX-License-Identifier: BSD-3-Clause
"""torch.library: definition of new operations with schemas, kernels for device types, and derivatives.

define() parses the schema; calls check their arguments against it (_schema.py). Operations from annotated functions are in
_custom_ops.py.
"""
import contextlib
import weakref

from . import device
from ._custom_ops import (CustomOpDef, _op_of, _split, custom_op, infer_schema, register_autocast, register_autograd, register_fake,
                          register_kernel, register_torch_dispatch, register_vmap, triton_op, wrap_triton)
from ._missing import MissingFeature, missing_function
from ._opcheck import opcheck
from ._ops import _ADDED, OpOverload, OpOverloadPacket
from ._schema import parse_schema

__all__ = ["CustomOpDef", "Library", "custom_op", "define", "fallthrough_kernel", "get_ctx", "get_kernel", "impl", "impl_abstract",
           "infer_schema", "opcheck", "register_autocast", "register_autograd", "register_fake", "register_kernel",
           "register_torch_dispatch", "register_vmap", "triton_op", "wrap_triton"]

# What PyTorch's dispatch keys mean here: a device type, None (any device), "autograd", or "" (unsupported tensors).
_KEYS = {"CPU": "cpu", "CUDA": "cuda", "Meta": "meta", "": None, "CompositeExplicitAutograd": None, "CompositeImplicitAutograd": None,
         "CompositeExplicitAutogradNonFunctional": None, "CatchAll": None, "Autograd": "autograd", "AutogradCPU": "autograd",
         "AutogradCUDA": "autograd",
         **dict.fromkeys(["XLA", "MPS", "XPU", "HPU", "IPU", "VE", "MTIA", "MAIA", "HIP", "PrivateUse1", "Lazy", "Vulkan", "Metal",
                          "FPGA", "MkldnnCPU", "QuantizedCPU", "QuantizedCUDA", "QuantizedMeta", "SparseCPU", "SparseCUDA", "SparseMeta",
                          "SparseCsrCPU", "SparseCsrCUDA", "SparseCsrMeta", "NestedTensorCPU", "NestedTensorCUDA", "NestedTensorMeta",
                          "AutogradXLA", "AutogradMPS", "AutogradXPU", "AutogradHPU", "AutogradMeta", "AutogradMTIA", "AutogradOther",
                          "AutogradPrivateUse1", "AutogradNestedTensor"], "")}
_REFUSED = {"ADInplaceOrView", "BackendSelect", "Functionalize", "FuncTorchBatched", "FuncTorchVmapMode", "Python", "Tracer", "Conjugate",
            "Negative", "ZeroTensor", "PreDispatch", "PythonDispatcher", "PythonTLSSnapshot"}
_keep_alive, _defining = [], {}  # of functions without a Library; {namespace: the Library(..., "DEF")}
_waiting = {}  # {(namespace, name, overload): kernels registered before their operation}


def fallthrough_kernel():
    """A marker to register as a kernel: calls skip it and go on to the next kernel."""
    raise NotImplementedError("fallthrough_kernel() should never be called.")


def _kind_of(key):
    """Returns the kind of kernel for a dispatch key."""
    if key in _KEYS:
        return _KEYS[key]
    if key.startswith("Autocast"):
        raise MissingFeature(f"Library.impl(dispatch_key={key!r})", "use torch.library.register_autocast")
    if key in _REFUSED:
        raise MissingFeature(f"Library.impl(dispatch_key={key!r})", "register kernels for devices, or for Autograd")
    raise RuntimeError(f"could not parse dispatch key: {key}")


def _parts(name):
    """Splits "name" or "name.overload" into (name, overload)."""
    name, _, overload = name.partition(".")
    return name, overload


class _Undo:
    """The registrations of a Library; removes them when the Library is destroyed."""

    def __init__(self):
        self.operators, self.namespace = [], None

    def __call__(self):
        for namespace, name, overload in self.operators:
            found = _ADDED.get((namespace, name), {})
            found.pop(overload, None)
            if not found:
                _ADDED.pop((namespace, name), None)
            CustomOpDef._forget(namespace, name)
        self.operators.clear()
        if self.namespace is not None:
            _defining.pop(self.namespace, None)


class Library:
    """Operations of one namespace, which exist as long as this object.

    kind: "DEF" for the only main definition of a namespace, "FRAGMENT" to add operations, "IMPL" to add kernels only.
    """

    def __init__(self, ns, kind, dispatch_key=""):
        if kind not in ("IMPL", "DEF", "FRAGMENT"):
            raise ValueError(f"Unsupported kind: {kind}")
        if ns == "prim" and kind != "IMPL":
            raise ValueError(f"{ns} is a reserved namespace. Please try creating a library with another name.")
        if kind == "DEF" and (ns in _defining or ns in ("aten", "prims", "quantized")):
            raise RuntimeError(f"Only a single TORCH_LIBRARY can be used to register the namespace {ns}; please put all of your definitions "
                               "in a single TORCH_LIBRARY block. If you really intended to define operators for a single namespace in a "
                               "distributed way, you can use TORCH_LIBRARY_FRAGMENT to explicitly indicate this.")
        if dispatch_key:
            _kind_of(dispatch_key)
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key
        self._undo = _Undo()
        if kind == "DEF":
            _defining[ns] = self._undo
            self._undo.namespace = ns
        weakref.finalize(self, self._undo)

    def __repr__(self):
        return f"Library(kind={self.kind}, ns={self.ns}, dispatch_key={self.dispatch_key})>"

    def _destroy(self):
        """Removes the operations."""
        self._undo()

    def define(self, schema, alias_analysis="", *, tags=()):
        """Defines an operation from a schema such as "name(Tensor x) -> Tensor"; kernels are added by impl."""
        if alias_analysis not in ("", "FROM_SCHEMA", "CONSERVATIVE"):
            raise RuntimeError(f"Invalid alias_analysis type {alias_analysis}")
        parsed = parse_schema(schema)
        if self.kind == "IMPL":
            raise RuntimeError(f'def("{parsed.name}"): Cannot define an operator inside of a TORCH_LIBRARY_IMPL block.  All def()s should '
                               "be placed in the (unique) TORCH_LIBRARY block for their namespace.")
        name, overload = parsed.name.rpartition("::")[2], parsed.overload_name
        parsed.name = f"{self.ns}::{name}"
        if overload in _ADDED.get((self.ns, name), {}):
            raise RuntimeError(f"Tried to register an operator ({parsed}) with the same name and overload name multiple times. Each "
                               "overload's schema should only be registered with a single call to def().")
        op = CustomOpDef(parsed.name, schema=parsed, tags=tags)
        for kind, fn in _waiting.pop((self.ns, name, overload), ()):
            op._set_kernel(kind, fn)
        self._undo.operators.append((self.ns, name, overload))
        return schema.partition("(")[0]

    def impl(self, op_name, fn, dispatch_key="", *, with_keyset=False, allow_override=True):
        """Registers a kernel for a dispatch key: a device type, or "Autograd" for a kernel that runs first.

        A kernel replaces an earlier one; with allow_override=False that is an error.
        """
        if not callable(fn):
            raise TypeError(f"Input function is required to be a callable but found type {type(fn)}")
        if with_keyset:
            raise MissingFeature("Library.impl(with_keyset=True)", "register kernels for devices, which get the arguments alone")
        if isinstance(op_name, (OpOverload, OpOverloadPacket)):
            full = op_name.name() if isinstance(op_name, OpOverload) else f"{op_name._namespace}::{op_name.__name__}"
        elif isinstance(op_name, str):
            full = op_name
        else:
            raise RuntimeError(f"impl should be passed either a name or an OpOverload object as the first argument, got {type(op_name)}")
        space, _, rest = full.rpartition("::")
        kind, (name, overload) = _kind_of(dispatch_key or self.dispatch_key), _parts(rest)
        if (space or self.ns) in ("aten", "prims"):
            raise MissingFeature("Library.impl of an operation of aten", "derive from torch.overrides.TorchFunctionMode, which intercepts "
                                 "every operation")
        if kind == "" or fn is fallthrough_kernel:
            return
        op = _ADDED.get((self.ns, name), {}).get(overload)
        if op is not None and not allow_override and kind in op._kernels:
            raise RuntimeError(f"This is not allowed since there's already a kernel registered from python overriding {rest}'s behavior for "
                               f"{dispatch_key or self.dispatch_key} dispatch key and {self.ns} namespace.")
        if op is None:
            _waiting.setdefault((self.ns, name, overload), []).append((kind, fn))
        else:
            op._set_kernel(kind, fn)

    fallback = missing_function("torch.library.Library.fallback", "register a kernel for each operation")


def _of_library(lib, namespace):
    """Returns the Library that keeps an operation alive."""
    if lib is not None:
        return lib
    _keep_alive.append(Library(namespace, "FRAGMENT"))
    return _keep_alive[-1]


def define(qualname, schema, *args, lib=None, tags=()):
    """Defines the operation "namespace::name" with a schema such as "(Tensor x) -> Tensor"; kernels are added by impl."""
    if isinstance(qualname, Library):  # legacy form: decorates the kernel
        def decorate(f):
            qualname.impl(qualname.define(schema, *args), f)
            return f
        return decorate
    if args:
        raise TypeError(f"define() takes 2 positional arguments but {2 + len(args)} were given")
    if not isinstance(qualname, str):
        raise ValueError(f"define(qualname, schema): expected qualname to be instance of str, got {type(qualname)}")
    namespace, name = _split(qualname)
    start, end = schema.find("("), schema.rfind(") -> ")
    if start != 0 or end < 0:
        raise ValueError('define(qualname, schema, ...): expected schema to look like e.g. "(Tensor x) -> Tensor" but got '
                         f'"{schema}"')
    _of_library(lib, namespace).define(name + schema, tags=tags)


def impl(qualname, types, func=None, *, lib=None):
    """Registers a kernel of a defined operation. `types`: device types, dispatch keys, or "default" for all devices."""
    if isinstance(qualname, Library):  # legacy form: impl(lib, name, dispatch_key)
        def decorate(f):
            qualname.impl(types, f, func or "")
            return f
        return decorate
    keys = set()
    for kind in (types,) if isinstance(types, str) else types:
        if kind == "default":
            keys.add("CompositeExplicitAutograd")
        elif kind in _KEYS or kind in _REFUSED or kind.startswith("Autocast"):
            keys.add(kind)
        else:
            keys.add({"cpu": "CPU", "cuda": "CUDA", "meta": "Meta"}.get(device(kind).type, "XLA"))

    def register(f):
        namespace, _ = _split(qualname)
        library = lib if lib is not None else Library(namespace, "IMPL")
        for key in sorted(keys):
            library.impl(qualname, f, key)
    return register if func is None else register(func)


def impl_abstract(qualname, func=None, *, lib=None, _stacklevel=1):
    """Deprecated name of register_fake."""
    return register_fake(qualname, func, lib=lib, _stacklevel=_stacklevel + 1)


class _Kernel:
    """A kernel of an operation that can be called directly, bypassing dispatch."""

    def __init__(self, fn):
        self._fn = fn

    def call_boxed(self, dispatch_keys, *args, **kwargs):
        """Runs the kernel; the dispatch keys are ignored."""
        return self._fn(*args, **kwargs)


def get_kernel(op, dispatch_key):
    """Returns the kernel for a dispatch key."""
    key = getattr(dispatch_key, "name", dispatch_key)
    found = _op_of(op)
    kind = _kind_of(key)
    kernel = found._kernels.get(kind) or found._kernels.get(None)
    if kernel is None:
        raise RuntimeError(f"no kernel for {key} for {found._qualname}")
    return _Kernel(kernel)


def get_ctx():
    """Raises RuntimeError: there is no tracing, so there is no context."""
    raise RuntimeError("get_ctx() can only be called inside of a function that is registered by register_fake while a graph is traced, "
                       "which Corten does not do")


@contextlib.contextmanager
def _scoped_library(*args, **kwargs):
    """Context manager that creates a Library and destroys it at the end."""
    lib = Library(*args, **kwargs)
    try:
        yield lib
    finally:
        lib._destroy()
