# SPDX-License-Identifier: BSD-3-Clause
"""torch.library.opcheck: tests a custom operation against its schema."""
from . import _C
from ._custom_ops import _op_of
from .utils._pytree import tree_leaves, tree_map

_TESTS = ("test_schema", "test_autograd_registration", "test_faketensor", "test_aot_dispatch_dynamic")


class OpCheckError(Exception):
    """A test of opcheck failed."""


def _tensors(tree):
    return [x for x in tree_leaves(tree) if isinstance(x, _C.Tensor)]


def _copies(tree):
    """Copies the tensors of a tree, keeping requires_grad."""
    return tree_map(lambda x: x.detach().clone().requires_grad_(x.requires_grad) if isinstance(x, _C.Tensor) else x, tree)


def _storages(tree):
    return {x.untyped_storage()._cdata for x in _tensors(tree) if x.layout == _C.strided and x.numel()}


def _same(a, b):
    return a.dtype != b.dtype or a.shape == b.shape and bool(((a == b) | ((a != a) & (b != b))).all())


def test_schema(op, args, kwargs):
    """Checks that the operation writes only arguments that its schema declares mutable, and aliases only as declared."""
    args, kwargs = _copies((args, kwargs))
    named = [*zip((a.name for a in op._schema.arguments), args), *kwargs.items()]
    before = {name: _copies(value) for name, value in named}
    output = op(*args, **kwargs)
    for name, value in named:
        changed = not all(_same(x, y) for x, y in zip(_tensors(value), _tensors(before[name])))
        if changed and name not in op._writes:
            raise OpCheckError(f"Argument {name} is not defined as mutable but was mutated")
    if not op._schema.aliases and _storages(output) & _storages((args, kwargs)):
        raise OpCheckError("Argument is not defined to alias output but was aliasing")
    results = output if isinstance(output, tuple) else () if output is None else (output,)
    if len(results) != len(op._schema.returns):
        raise OpCheckError(f"the schema has {len(op._schema.returns)} results, the operation gave {len(results)}")


def test_autograd_registration(op, args, kwargs):
    """Checks that an operation called with tensors that require gradients has a derivative."""
    args, kwargs = _copies((args, kwargs))
    if not any(x.requires_grad for x in _tensors((args, kwargs))) or op._writes:
        return
    if op._init_fn is not None and op._backward is None and "autograd" not in op._kernels:
        raise OpCheckError(f"{op._qualname} was given tensors that require gradients and has no autograd formula. Please use "
                           "register_autograd to add one.")


def test_faketensor(op, args, kwargs):
    """Checks that the fake implementation gives the shapes, strides and dtypes of the kernel."""
    args, kwargs = _copies((args, kwargs))
    real = _tensors(op(*args, **kwargs))
    with _C.no_grad():
        fake = _tensors(op(*tree_map(_to_meta, args), **tree_map(_to_meta, kwargs)))
    if len(real) != len(fake):
        raise OpCheckError(f"the fake impl gave {len(fake)} tensors, the operation {len(real)}")
    for a, b in zip(real, fake):
        for what in ("shape", "dtype"):
            if getattr(a, what) != getattr(b, what):
                raise OpCheckError(f"the fake impl gave {what} {getattr(b, what)}, the operation {getattr(a, what)}")
        if a.numel() and a.stride() != b.stride():
            raise OpCheckError(f"the fake impl gave strides {b.stride()}, the operation {a.stride()}")


def _to_meta(x):
    return x.to("meta") if isinstance(x, _C.Tensor) else x


def opcheck(op, args, kwargs=None, *, test_utils=_TESTS, raise_exception=True, atol=None, rtol=None):
    """Tests an operation on sample arguments; returns {test: "SUCCESS"} or raises OpCheckError for the first failure.

    With raise_exception=False failures are returned in the dict. "test_aot_dispatch_dynamic", to which `atol` and `rtol` belong,
    compares a compiled program with the operation; Corten has no compiler, so it is reported as skipped.
    """
    found, kwargs, results = _op_of(op, "opcheck"), kwargs or {}, {}
    for name in (test_utils,) if isinstance(test_utils, str) else test_utils:
        if name not in _TESTS:
            raise ValueError(f"opcheck(op, ..., test_utils={test_utils}): expected test_utils to be subset of {_TESTS} but it was not")
        if name == "test_aot_dispatch_dynamic":
            results[name] = "SKIPPED: Corten has no compiler"
            continue
        try:
            globals()[name](found, args, kwargs)
            results[name] = "SUCCESS"
        except Exception as e:
            if raise_exception:
                raise OpCheckError(f"opcheck(op, ...): {name} failed with {e} (scroll up for stack trace)") from e
            results[name] = e
    return results
