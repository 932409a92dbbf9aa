# SPDX-License-Identifier: BSD-3-Clause
"""Operations defined in Python: `torch.library.custom_op`, registration of their kernels and derivatives, and their calls."""
import contextlib
import inspect
import threading
import typing
from collections.abc import Sequence

from . import _C, is_autocast_enabled
from ._missing import MissingFeature
from ._ops import _ADDED, _counters, OpOverload, OpOverloadPacket, ops
from ._schema import match_call, parse_schema
from ._symbols import Tag
from .utils._pytree import tree_flatten, tree_leaves, tree_map, tree_unflatten

_thread = threading.local()  # .below: operations whose Autograd kernel is running on this thread


def _split(name):
    """Splits "namespace::name" into (namespace, name)."""
    parts = name.split("::")
    if len(parts) != 2 or not all(parts):
        raise ValueError(f'Expected `qualname` to be of the form "namespace::name", but got {name}. The qualname passed to the torch.library '
                         "APIs must consist of a namespace and a name, e.g. aten::sin")
    return parts[0], parts[1]


def _tags_of(tags):
    found = () if tags is None else (tags,) if isinstance(tags, Tag) else tuple(tags)
    for tag in found:
        if not isinstance(tag, Tag):
            raise TypeError(f"tags must be torch.Tag or a sequence of them, got {type(tag)}")
    return found


class CustomOpDef:
    """An operation defined by a program. A call checks its arguments against the schema and runs the kernel of the tensors' device."""

    def __init__(self, name, fn=None, device_types=None, *, schema, tags=None):
        self._namespace, full = _split(name)
        self._name, _, dotted = full.partition(".")
        self._overload = schema.overload_name or dotted
        self._qualname, self._schema, self._tags = name, schema, _tags_of(tags)
        self._init_fn, self._kernels, self._backward, self._setup, self._rule, self._casts, self._off = fn, {}, None, None, None, {}, set()
        self._writes = {a.name for a in schema.arguments if a.alias_info is not None and a.alias_info.is_write}
        if fn is not None:
            self.__doc__, self.__wrapped__, self.__name__ = fn.__doc__, fn, self._name
            self._check_custom(device_types)
            self.register_kernel(device_types, fn)
        _ADDED.setdefault((self._namespace, self._name), {})[self._overload] = self
        self._forget(self._namespace, self._name)

    def _check_custom(self, device_types):
        tensors = [a for a in self._schema.arguments if a.type.base == "Tensor"]
        if any(a.kwarg_only for a in tensors):
            raise NotImplementedError("custom_op with kwarg-only Tensor args. Please make your tensors not kwarg-only. Got: "
                                      f"{self._schema}")
        if device_types is not None and not tensors and not any(a.name == "device" for a in self._schema.arguments):
            raise ValueError("Functions without tensor inputs are required to have a `device: torch.device` argument")

    @staticmethod
    def _forget(namespace, name):
        """Clears the cache of torch.ops, so that it looks the name up again."""
        ops.__dict__.get(namespace, ops).__dict__.pop(name, None)

    @property
    def _opoverload(self):
        return getattr(getattr(getattr(ops, self._namespace), self._name), self._overload or "default")

    # ---- registration ----

    def _set_kernel(self, kind, fn):
        self._kernels[kind] = fn

    def register_kernel(self, device_types, func=None, /):
        """Registers a kernel for one or more device types; None means all."""
        kinds = [device_types] if device_types is None or isinstance(device_types, str) else list(device_types)
        kinds = [None if kind is None or kind == "default" else _C.device(kind).type for kind in kinds]

        def register(f):
            for kind in kinds:
                self._set_kernel(kind, f)
            return f
        return register if func is None else register(func)

    def register_fake(self, fn, /, *, _stacklevel=1, allow_override=False):
        """Registers a function that computes the outputs' metadata, for tensors on the device "meta"."""
        if "meta" in self._kernels and not allow_override and self._init_fn is None:
            raise RuntimeError(f"register_fake(...): the operator {self._qualname} already has an fake impl registered.")
        self._kernels["meta"] = fn
        return fn

    def register_autograd(self, backward, /, *, setup_context=None):
        """Registers the derivative.

        backward(ctx, *grads) returns the gradients of the inputs. setup_context(ctx, inputs, output) saves what it needs on ctx.
        """
        if self._writes or self._schema.aliases:
            raise RuntimeError(f"Cannot register autograd formula for non-functional operator {self} with schema {self._schema}. Please "
                               "create a functional operator and register an autograd formula for that.")
        self._backward, self._setup = backward, setup_context

    def register_vmap(self, func=None, /):
        """Registers a batching rule for vmap: func(info, in_dims, *args) returns (output, out_dims)."""
        def register(f):
            self._rule = f
            return f
        return register if func is None else register(func)

    def register_torch_dispatch(self, torch_dispatch_class, fn=None, /):
        """Raises MissingFeature: Corten has no `__torch_dispatch__` subclasses that could call the function."""
        raise MissingFeature(f"register_torch_dispatch for {torch_dispatch_class.__name__}",
                             "define __torch_function__ in the class, which is called for this operation too")

    def register_autocast(self, device_type, cast_inputs):
        """Inside `torch.autocast(device_type)`, floating-point inputs are cast to `cast_inputs`."""
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        if device_type not in ("cpu", "cuda"):
            raise ValueError(f"Device type '{device_type}' does not support autocast.")
        self._casts[device_type] = cast_inputs

    @contextlib.contextmanager
    def set_kernel_enabled(self, device_type, enabled=True):
        """Context manager that enables the kernel of a device type, or uses the original function instead."""
        if device_type not in self._kernels:
            raise RuntimeError(f"Attempted to {'enable' if enabled else 'disable'} kernel for {device_type} but no kernel was registered "
                               "for this device type.")
        before = set(self._off)
        (self._off.discard if enabled else self._off.add)(device_type)
        try:
            yield
        finally:
            self._off = before

    # ---- calls ----

    def _kernel(self, args, only):
        values = tree_leaves((args, only))
        first = next((x for x in values if isinstance(x, _C.Tensor)), None)
        device = first.device if first is not None else next((x for x in values if isinstance(x, _C.device)), None)
        kind = device.type if device is not None else "cpu"
        kernel = self._kernels.get(kind) if kind not in self._off else self._init_fn
        if kernel is None and kind == "meta" and self._init_fn is not None:
            if self._writes and not self._schema.returns:
                return lambda *args, **only: None
            raise RuntimeError(f"There was no fake impl registered for {self}. This is necessary for torch.compile/export/fx tracing to work. "
                               f"Please use `{self._init_fn.__name__}.register_fake` to add an fake impl.")
        kernel = kernel or self._kernels.get(None)
        if kernel is None and kind == "meta":
            raise NotImplementedError(f"{self._qualname}: attempted to run this operator with Meta tensors, but there was no fake impl or Meta "
                                      "kernel registered.")
        if kernel is None:
            raise NotImplementedError(f"Could not run '{self._qualname}' with arguments from the '{kind.upper()}' backend: "
                                      "no kernel for it was registered")
        return kernel

    def _run(self, args, only):
        output = self._kernel(args, only)(*args, **only)
        for counter in _counters:
            counter._custom(self._opoverload.overloadpacket, args, only, output)
        if self._init_fn is not None and not self._schema.aliases:
            self._check_results(output, args)
        if self._writes:
            written = [x for a, x in zip(self._schema.arguments, args) if a.name in self._writes]
            written += [x for name, x in only.items() if name in self._writes]
            _C._increment_version(tuple(x for x in tree_leaves(written) if isinstance(x, _C.Tensor)))
        return output

    def _check_results(self, output, args):
        known = {x.untyped_storage()._cdata for x in tree_leaves(args) if _has_memory(x)}
        for x in tree_leaves(output):
            if not _has_memory(x):
                continue
            storage = x.untyped_storage()._cdata
            if storage in known:
                raise RuntimeError(
                    f"{self._name} (with implementation in {inspect.getmodule(self._init_fn)}): The output of this custom operator (1) must "
                    "not also be an input to this custom operator and (2) may not alias any inputs to this custom operator or other "
                    "returns. The most common way to trigger this error is if we have y = custom_op(x) and y and x are the same Tensor. "
                    "Please instead return a clone of the offending output tensor(s) (e.g. return x.clone()) or refactor the custom operator "
                    "to not return y.")
            known.add(storage)

    def _cast(self, tree):
        for kind, dtype in self._casts.items():
            if is_autocast_enabled(kind):
                return tree_map(lambda x: x.to(dtype) if isinstance(x, _C.Tensor) and x.device.type == kind and x.is_floating_point()
                                and x.dtype != _C.float64 else x, tree), kind
        return tree, None

    def __call__(self, *args, **kwargs):
        args, only = match_call(self._schema, args, kwargs, self._init_fn is not None)
        if self._rule is not None:
            from .func.vmap import apply_rule
            answer = apply_rule(self._rule, args, only)
            if answer is not NotImplemented:
                return answer
        if self._casts:
            (args, only), kind = self._cast((args, only))
            if kind is not None:
                from .amp import autocast
                with autocast(kind, enabled=False):
                    return self._derived(args, only)
        return self._derived(args, only)

    def _derived(self, args, only):
        below = _thread.__dict__.setdefault("below", [])
        if "autograd" in self._kernels and self not in below:
            below.append(self)
            try:
                return self._kernels["autograd"](*args, **only)
            finally:
                below.pop()
        leaves, spec = tree_flatten(args)
        if not _C.is_grad_enabled() or not any(isinstance(x, _C.Tensor) and x.requires_grad for x in leaves):
            return self._run(args, only)
        if self._writes:
            with _C.no_grad():
                return self._run(args, only)
        if self._init_fn is None and self._backward is None:  # no kernel for autograd: the kernels consist of differentiable operations
            return self._run(args, only)
        return _function(self, spec, only).apply(*leaves)

    def __repr__(self):
        return f"<CustomOpDef({self._qualname})>"


def _has_memory(x):
    return isinstance(x, _C.Tensor) and x.layout == _C.strided and x.device.type != "meta" and x.numel() > 0


def _function(op, spec, only):
    """Creates an autograd.Function for one call; its arguments are the leaves of the operation's arguments."""
    from .autograd import Function

    class Call(Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(*leaves):
            output = op._run(tree_unflatten(leaves, spec), only)
            return tuple(output) if isinstance(output, list) else output

        @staticmethod
        def setup_context(ctx, inputs, output):
            if op._setup is not None:
                more = {"keyword_only_inputs": only} if only else {}
                op._setup(ctx=ctx, inputs=tuple(tree_unflatten(inputs, spec)), output=output, **more)

        @staticmethod
        def backward(ctx, *grads):
            if op._backward is None:
                raise RuntimeError(f"Trying to backward through {op._opoverload} but no autograd formula was registered. "
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


def _op_of(op, who="torch.library"):
    """Returns the CustomOpDef for an op object or a qualified name."""
    if isinstance(op, CustomOpDef):
        return op
    if isinstance(op, OpOverload):
        op = op.name()
    elif isinstance(op, OpOverloadPacket):
        op = f"{op._namespace}::{op.__name__}"
    if not isinstance(op, str):
        raise ValueError(f"{who}({op}): got unexpected type for op: {type(op)}")
    namespace, rest = _split(op)
    name, _, overload = rest.partition(".")
    found = _ADDED.get((namespace, name), {})
    if overload not in found:
        raise RuntimeError(f"operator {op} does not exist")
    return found[overload]


# ---- functions and decorators ----

def custom_op(name, fn=None, /, *, mutates_args, device_types=None, schema=None, tags=None):
    """Wraps a function as the operation `namespace::name`.

    Args:
        name: the qualified name, "namespace::name".
        fn: the function; None returns a decorator. Default: None
        mutates_args: the names of the arguments that the function writes in place, or "unknown".
        device_types: the device types that the function supports, a str or a sequence; see `register_kernel` for others.
            Default: None, for all
        schema: for example "(Tensor x) -> Tensor". Default: None, to infer it from the function's annotations
        tags: torch.Tag values, stored for PyTorch's compiler. Default: None
    """
    namespace, plain = _split(name)

    def wrap(function):
        text = infer_schema(function, mutates_args=mutates_args, tags=tags) if schema is None else schema
        if not text.lstrip().startswith("(") and "(" in text:
            raise ValueError(f'custom_op(schema=...): expected schema to look like e.g. "(Tensor x) -> Tensor" but got "{text}"')
        parsed = parse_schema(plain + text)
        parsed.name = f"{namespace}::{parsed.name}"
        written = {a.name for a in parsed.arguments if a.alias_info is not None and a.alias_info.is_write}
        if schema is not None and mutates_args != "unknown" and set(mutates_args) != written:
            raise ValueError(f"Attempted to create a custom op with `mutates_args={mutates_args}` and `schema={schema}. The schema suggests "
                             f"that the op mutates {written} which is different from what was provided to us in `mutates_args`. Please "
                             "make these consistent.")
        return CustomOpDef(name, function, device_types, schema=parsed, tags=tags)
    return wrap if fn is None else wrap(fn)


def triton_op(name, fn=None, /, *, mutates_args, schema=None):
    """Wraps a function that launches Triton kernels as an operation, like custom_op."""
    return custom_op(name, fn, mutates_args=mutates_args, schema=schema)


def wrap_triton(kernel, /):
    """Returns the kernel unchanged: there is no compiler that would have to trace it."""
    return kernel


def register_kernel(op, device_types, func=None, /, *, lib=None):
    """Registers a kernel of an operation for one or more device types; see CustomOpDef.register_kernel."""
    return _op_of(op, "register_kernel").register_kernel(device_types, func)


def register_fake(op, func=None, /, *, lib=None, _stacklevel=1, allow_override=False):
    """Registers the metadata function of an operation; see CustomOpDef.register_fake."""
    found = _op_of(op, "register_fake")

    def register(f):
        return found.register_fake(f, allow_override=allow_override)
    return register if func is None else register(func)


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    """Registers the derivative of an operation; see CustomOpDef.register_autograd."""
    _op_of(op, "register_autograd").register_autograd(backward, setup_context=setup_context)


def register_vmap(op, func=None, /, *, lib=None):
    """Registers the batching rule of an operation for vmap; see CustomOpDef.register_vmap."""
    return _op_of(op, "register_vmap").register_vmap(func)


def register_torch_dispatch(op, torch_dispatch_class, func=None, /, *, lib=None):
    """Raises MissingFeature; see CustomOpDef.register_torch_dispatch."""
    return _op_of(op, "register_torch_dispatch").register_torch_dispatch(torch_dispatch_class, func)


def register_autocast(op, device_type, cast_inputs, /, *, lib=None):
    """Registers the dtype to which `torch.autocast(device_type)` casts an operation's floating-point inputs."""
    return _op_of(op, "register_autocast").register_autocast(device_type, cast_inputs)


# ---- schemas from annotations ----

def _table():
    """Returns {annotation: its type in a schema}."""
    number = typing.Union[int, float, bool]
    found = {}
    for kind, text, lists, absent, perhaps in ((_C.Tensor, "Tensor", True, True, True), (int, "SymInt", True, False, True),
                                               (float, "float", True, False, True), (bool, "bool", True, False, True),
                                               (str, "str", False, False, False), (number, "Scalar", True, False, False),
                                               (_C.dtype, "ScalarType", False, False, False), (_C.device, "Device", False, False, False)):
        found[kind], found[typing.Optional[kind]] = text, f"{text}?"
        for list_of in (lambda t: typing.Sequence[t], lambda t: typing.List[t], lambda t: Sequence[t], lambda t: list[t]):
            if lists:
                found[list_of(kind)] = f"{text}[]"
            if absent:
                found[list_of(typing.Optional[kind])] = f"{text}?[]"
                found[typing.Optional[list_of(typing.Optional[kind])]] = f"{text}?[]?"
            if perhaps:
                found[typing.Optional[list_of(kind)]] = f"{text}[]?"
    returns = {_C.Tensor: "Tensor", typing.List[_C.Tensor]: "Tensor[]", list[_C.Tensor]: "Tensor[]", int: "SymInt", float: "float",
               bool: "bool", number: "Scalar"}
    return found, returns


def infer_schema(prototype_function, /, *, mutates_args, op_name=None, tags=()):
    """Infers a schema such as "(Tensor x, SymInt n=3) -> Tensor" from annotations; raises ValueError if they are incomplete."""
    signature = inspect.signature(prototype_function)
    kinds, results = _table()
    tags = _tags_of(tags)
    for tag in (Tag.inplace, Tag.out):
        if tag in tags:
            raise MissingFeature(f"infer_schema(tags={tag})", "write the schema, with its aliases, in custom_op(schema=...)")
    if isinstance(mutates_args, str) and mutates_args != "unknown":
        raise ValueError("mutates_args must either be a sequence of the names of the arguments that are mutated or the string 'unknown'. ")

    def fail(what):
        raise ValueError(f"infer_schema(func): {what} Got func with signature {signature})")

    def evaluated(annotation):
        if not isinstance(annotation, str):
            return annotation
        try:
            return eval(annotation, prototype_function.__globals__)
        except Exception as e:
            fail(f"Unsupported type annotation {annotation}. It is not a type. ({type(e).__name__}: {e})")

    def default(value):
        if value is None or isinstance(value, (int, float, bool)):
            return str(value)
        if isinstance(value, (str, _C.device)):
            return f'"{value}"'
        if isinstance(value, _C.dtype):
            return str(value).rpartition(".")[2]
        fail(f"Parameter {p.name} has an unsupported default value type {type(value)}. Please write the schema in custom_op(schema=...).")

    parts, star = [], False
    for i, p in enumerate(signature.parameters.values()):
        if p.kind not in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY):
            fail("We do not support positional-only args, varargs, or varkwargs.")
        if p.kind is p.KEYWORD_ONLY and not star:
            star = True
            parts.append("*")
        if p.annotation is p.empty:
            fail(f"Parameter {p.name} must have a type annotation.")
        annotation = evaluated(p.annotation)
        try:
            text = kinds.get(annotation)
        except TypeError:
            text = None
        if text is None:
            more = "We do not support Tuple inputs in schema. As a workaround, please try to use List instead. " \
                if typing.get_origin(annotation) is tuple else ""
            fail(f"Parameter {p.name} has unsupported type {p.annotation}. {more}The valid types are: {kinds.keys()}.")
        if mutates_args == "unknown" and text.startswith("Tensor") or mutates_args != "unknown" and p.name in mutates_args:
            if not text.startswith("Tensor"):
                fail(f"Parameter {p.name} is in mutable_args but only Tensors or collections of Tensors can be mutated")
            text = f"Tensor(a{i}!){text[len('Tensor'):]}"
        parts.append(f"{text} {p.name}" + ("" if p.default is p.empty else f"={default(p.default)}"))
    unknown = set() if mutates_args == "unknown" else set(mutates_args) - set(signature.parameters)
    if unknown:
        fail(f"{unknown} in mutates_args were not found in the custom op's signature. mutates_args should contain the names of all args that "
             "the custom op mutates, or just the string 'unknown' if you don't know.")
    back = evaluated(signature.return_annotation)
    if back is signature.empty:
        fail("No return type annotation was provided. Please add one.")
    inner = typing.get_args(back) if typing.get_origin(back) is tuple else None
    for kind in [] if back is None else inner if inner is not None else [back]:
        if kind not in results:
            fail(f"Return has unsupported type {back}. The valid types are: {results}.")
    result = "()" if back is None else results[back] if inner is None else "(" + ", ".join(results[k] for k in inner) + ")"
    return f"{op_name or ''}({', '.join(parts)}) -> {result}"


for _thing in (CustomOpDef, custom_op, infer_schema, register_autocast, register_autograd, register_fake, register_kernel,
               register_torch_dispatch, register_vmap, triton_op, wrap_triton):
    _thing.__module__ = "torch.library"
