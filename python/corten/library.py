# SPDX-License-Identifier: BSD-3-Clause
"""torch.library: operations that programs add, with kernels for kinds of devices and derivatives of their own."""
import inspect

from . import _C
from ._ops import _ADDED, OpOverload, OpOverloadPacket, ops
from .utils._pytree import tree_flatten, tree_leaves, tree_unflatten

__all__ = ["CustomOpDef", "Library", "custom_op", "define", "get_ctx", "impl", "infer_schema", "register_autograd", "register_fake",
           "register_kernel", "register_torch_dispatch", "register_vmap", "triton_op", "wrap_triton"]
_KINDS = {"cpu": "cpu", "cuda": "cuda", "meta": "meta", "default": None, "compositeexplicitautograd": None,
          "compositeimplicitautograd": None, "autograd": None}


def _split(name):
    space, colons, rest = name.partition("::")
    if not colons or not space or not rest:
        raise ValueError(f"torch.library.custom_op: expected `name` to be of the form `namespace::name`, but got {name}")
    return space, rest.partition(".")[0]


class CustomOpDef:
    """An operation of a program. Calling it takes the kernel for the device of the first tensor."""

    def __init__(self, name, fn=None, device_types=None):
        self._namespace, self._name = _split(name)
        self._qualname = f"{self._namespace}::{self._name}"
        self._init_fn, self._kernels, self._backward, self._setup = fn, {}, None, None
        if fn is not None:
            self.__doc__, self.__wrapped__ = fn.__doc__, fn
            self.__name__ = self._name
            self.register_kernel(device_types, fn)
        _ADDED[self._namespace, self._name] = self
        ops.__dict__.get(self._namespace, self).__dict__.pop(self._name, None)

    @property
    def _opoverload(self):
        return getattr(getattr(ops, self._namespace), self._name).default

    # ---- what it is made of ----

    def register_kernel(self, device_types, func=None, /):
        """The function for tensors of one or more kinds of devices; None: for all."""
        def register(f):
            kinds = [device_types] if device_types is None or isinstance(device_types, str) else device_types
            for kind in kinds:
                self._kernels[None if kind is None else _KINDS.get(kind.lower(), kind)] = f
            return f
        return register if func is None else register(func)

    def register_fake(self, fn, /):
        """The function for tensors that have no values: device "meta"."""
        self._kernels["meta"] = fn
        return fn

    def register_autograd(self, backward, /, *, setup_context=None):
        """backward(ctx, *grads) gives the gradients of the inputs; setup_context(ctx, inputs, output) saves what it needs."""
        self._backward, self._setup = backward, setup_context

    def register_vmap(self, func=None, /):
        return (lambda f: f) if func is None else func

    def register_torch_dispatch(self, torch_dispatch_class, fn=None, /):
        return (lambda f: f) if fn is None else fn

    # ---- calling it ----

    def _run(self, args, kwargs):
        first = next((x for x in tree_leaves((args, kwargs)) if isinstance(x, _C.Tensor)), None)
        kind = first.device.type if first is not None else "cpu"
        kernel = self._kernels.get(kind) or self._kernels.get(None)
        if kernel is None:
            raise NotImplementedError(f"Could not run '{self._qualname}' with arguments from the '{kind.upper()}' backend: "
                                      "no kernel for it was registered")
        return kernel(*args, **kwargs)

    def __call__(self, *args, **kwargs):
        if self._init_fn is not None:  # as if all arguments had been given by position
            bound = inspect.signature(self._init_fn).bind(*args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        leaves, spec = tree_flatten(args)
        tensors = [x for x in leaves if isinstance(x, _C.Tensor)]
        if not _C.is_grad_enabled() or not any(x.requires_grad for x in tensors):
            return self._run(args, kwargs)
        return _function(self, spec, kwargs).apply(*leaves)

    def __repr__(self):
        return f"<CustomOpDef({self._qualname})>"


def _function(op, spec, kwargs):
    """An autograd.Function of one call, whose arguments are the leaves of the operation's."""
    from .autograd import Function

    class Call(Function):
        @staticmethod
        def forward(ctx, *leaves):
            args = tree_unflatten(leaves, spec)
            output = op._run(args, kwargs)
            if op._setup is not None:
                more = {"keyword_only_inputs": kwargs} if kwargs else {}
                op._setup(ctx=ctx, inputs=tuple(args), output=output, **more)
            return tuple(output) if isinstance(output, list) else output

        @staticmethod
        def backward(ctx, *grads):
            if op._backward is None:
                raise RuntimeError(f"Trying to backward through {op._qualname} but no autograd formula was registered. "
                                   "Please use register_autograd to add one.")
            result = op._backward(ctx, *grads)
            result = list(result) if isinstance(result, (tuple, list)) else [result]
            children = spec.children_specs
            if len(result) != len(children):
                raise RuntimeError(f"Expected {len(children)} gradients from the backward of {op._qualname}, got {len(result)}")
            flat = []
            for value, child in zip(result, children):
                flat += [value] if child.is_leaf() else [None] * child.num_leaves if value is None else list(tree_leaves(value))
            return tuple(flat)

    Call.__name__ = Call.__qualname__ = f"{op._namespace}_{op._name}"
    return Call


def _op_of(op):
    if isinstance(op, OpOverload):
        op = op.overloadpacket
    if isinstance(op, OpOverloadPacket):
        op = op._op
    if isinstance(op, str):
        found = _ADDED.get(_split(op))
        if found is None:
            raise RuntimeError(f"operator {op} does not exist")
        return found
    if not isinstance(op, CustomOpDef):
        raise ValueError(f"torch.library: expected an operation that was defined by a program, got {op!r}")
    return op


# ---- by decorators ----

def custom_op(name, fn=None, /, *, mutates_args=(), device_types=None, schema=None, tags=None):
    """Makes a function an operation `namespace::name`."""
    def wrap(function):
        return CustomOpDef(name, function, device_types)
    return wrap if fn is None else wrap(fn)


def triton_op(name, fn=None, /, *, mutates_args=(), schema=None):
    return custom_op(name, fn, mutates_args=mutates_args)


def wrap_triton(kernel, /):
    return kernel


def register_kernel(op, device_types, func=None, /, *, lib=None):
    """A kernel of an operation for kinds of devices."""
    return _op_of(op).register_kernel(device_types, func)


def register_fake(op, func=None, /, *, lib=None, _stacklevel=1, allow_override=False):
    """What an operation answers for tensors without values."""
    return _op_of(op).register_fake if func is None else _op_of(op).register_fake(func)


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    """The derivative of an operation."""
    _op_of(op).register_autograd(backward, setup_context=setup_context)


def register_vmap(op, func=None, /, *, lib=None):
    return _op_of(op).register_vmap(func)


def register_torch_dispatch(op, torch_dispatch_class, func=None, /, *, lib=None):
    return _op_of(op).register_torch_dispatch(torch_dispatch_class, func)


# ---- by schemas ----

def define(qualname, schema, *, lib=None, tags=()):
    """An operation that gets its kernels by impl."""
    if isinstance(qualname, Library):
        return qualname.define(schema)
    return CustomOpDef(qualname)


def impl(qualname, types, func=None, *, lib=None):
    """A kernel of an operation that was defined."""
    if isinstance(qualname, Library):
        return qualname.impl(types, func)
    return _op_of(qualname).register_kernel(None if types == "default" else types, func)


class Library:
    """Operations of one namespace."""

    def __init__(self, ns, kind, dispatch_key=""):
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key

    def define(self, schema, alias_analysis="", *, tags=()):
        name = schema.partition("(")[0].strip()
        CustomOpDef(f"{self.ns}::{name}")
        return name

    def impl(self, op_name, fn, dispatch_key="", *, with_keyset=False, allow_override=False):
        name = op_name.__name__.partition(".")[0] if isinstance(op_name, (OpOverload, OpOverloadPacket)) else op_name
        key = dispatch_key or self.dispatch_key
        _op_of(name if "::" in name else f"{self.ns}::{name}").register_kernel(key or None, fn)

    def fallback(self, fn, dispatch_key="", **kwargs):
        raise NotImplementedError("torch.library.Library.fallback: there is no table of operations to fall back from")


def get_ctx():
    raise RuntimeError("get_ctx() can only be called inside of a function that is registered by register_fake while a graph is traced; "
                       "none is")


def infer_schema(prototype_function, /, *, mutates_args, op_name=None):
    """The arguments of a function, by its annotations, as a schema."""
    from typing import get_origin
    names = {_C.Tensor: "Tensor", int: "SymInt", float: "float", bool: "bool", str: "str", _C.dtype: "ScalarType", _C.device: "Device"}

    def text(annotation):
        if annotation in names:
            return names[annotation]
        inner = [a for a in getattr(annotation, "__args__", ()) if a is not type(None)]
        if get_origin(annotation) in (list, tuple) or "Sequence" in str(annotation):
            return text(inner[0]) + "[]"
        if len(inner) == 1:
            return text(inner[0]) + "?"
        raise ValueError(f"infer_schema(func): Parameter has unsupported type {annotation}.")
    signature = inspect.signature(prototype_function, eval_str=True)
    parts, star = [], False
    for p in signature.parameters.values():
        if p.kind is p.KEYWORD_ONLY and not star:
            star = True
            parts.append("*")
        kind = text(p.annotation)
        if p.name in mutates_args:
            kind = f"{kind}(a{len(parts)}!)"
        default = "" if p.default is p.empty else "=" + (f'"{p.default}"' if isinstance(p.default, str) else str(p.default))
        parts.append(f"{kind} {p.name}{default}")
    back = signature.return_annotation
    if back is None:
        result = "()"
    elif get_origin(back) is tuple:
        result = "(" + ", ".join(map(text, back.__args__)) + ")"
    else:
        result = text(back)
    return f"{op_name or ''}({', '.join(parts)}) -> {result}"
