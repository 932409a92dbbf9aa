# SPDX-License-Identifier: BSD-3-Clause
"""torch.library: a schema is checked when an operation is defined and enforced when it is called."""
import gc
from typing import List, Optional, Sequence, Tuple, Union

import pytest

import corten as torch
from corten import Tensor, library
from corten._missing import MissingFeature
from corten._schema import parse_schema

ONES = torch.ones(2)


def twice(x: Tensor) -> Tensor:
    return x * 2


def many(x: Tensor, n: int = 3, o: Optional[Tensor] = None, *, s: str = "a", l: Optional[Sequence[int]] = None,  # noqa: E741
         d: torch.dtype = torch.float32) -> Tensor:
    return x * n


@pytest.mark.parametrize("text, written", (
    ("f(int[2] p=0, float x=1, str s='a', ScalarType? d=float32) -> ()", 'f(int[2] p=0, float x=1., str s="a", ScalarType? d=6) -> ()'),
    ("a::f.o(Tensor(a!)[] x, *, Tensor(b!)? z=None) -> (Tensor(a) out, Tensor[] q)",) * 2,
    ("f(Tensor(a -> *) x, SymInt[]? l=[1,2]) -> Tensor(a)[]", "f(Tensor(a -> *) x, SymInt[]? l=[1, 2]) -> Tensor(a)[]"),
    ("f(float z=1e-5, bool b=True, int y=-3, Scalar k=1.5) -> (Tensor)",
     "f(float z=1.0000000000000001e-05, bool b=True, int y=-3, Scalar k=1.5) -> Tensor")))
def test_schemas_are_read_and_written(text, written):
    schema = parse_schema(text)
    assert str(schema) == written and parse_schema(str(schema)) == schema


def test_what_a_schema_says():
    x, n, z = parse_schema("f(Tensor(a!) x, int[2] n=0, *, float? z=None) -> Tensor(a!)").arguments
    assert (x.name, str(x.type), x.alias_info.is_write, x.has_default_value(), x.kwarg_only) == ("x", "Tensor", True, False, False)
    assert (str(n.type), n.default_value, n.N) == ("List[int]", [0, 0], 2) and (str(z.type), z.kwarg_only) == ("Optional[float]", True)


@pytest.mark.parametrize("schema, error, match", (
    ("garbage!!", ValueError, "expected schema to look like"), ("(Tensor x)", ValueError, "look like"), ("f(Tensor x) -> Tensor", ValueError, "look"),
    ("(Foo x) -> Tensor", RuntimeError, "unknown type specifier"), ("(Tensor x,) -> Tensor", RuntimeError, "expected ident but found ."),
    ("(Tensor) -> Tensor", RuntimeError, "expected ident"), ("(int x y) -> ()", RuntimeError, "but found 'ident'"),
    ("(int n=3, Tensor x) -> ()", RuntimeError, "Non-default positional argument"), ("(Tensor x=3) -> ()", RuntimeError, "expected None"),
    ("(int n=a) -> ()", RuntimeError, "invalid numeric default")))
def test_schemas_that_cannot_be_read(schema, error, match):
    with pytest.raises(error, match=match):
        library.define("cases::unread", schema)


def test_definitions():
    lib = library.Library("cases1", "DEF")
    assert lib.define("f(Tensor x, int n) -> Tensor") == "f"
    for error, call in ((RuntimeError, lambda: lib.define("f(Tensor x) -> Tensor")), (RuntimeError, lambda: library.Library("cases1", "DEF")),
                        (ValueError, lambda: library.Library("cases1", "NOSUCH")), (RuntimeError, lambda: library.Library("aten", "DEF")),
                        (RuntimeError, lambda: lib.define("g(Tensor x) -> Tensor", "NOSUCH")),
                        (RuntimeError, lambda: library.Library("cases1", "IMPL").define("h(Tensor x) -> Tensor")),
                        (RuntimeError, lambda: lib.impl("f", lambda x, n: x, "NOKEY")), (TypeError, lambda: lib.impl("f", 3, "CPU")),
                        (MissingFeature, lambda: lib.impl("f", lambda x: x, "AutocastCPU")),
                        (MissingFeature, lambda: lib.impl("f", lambda keys, x: x, "CPU", with_keyset=True)),
                        (MissingFeature, lambda: lib.fallback(lambda op: None)),
                        (MissingFeature, lambda: library.Library("aten", "IMPL").impl("add.Tensor", lambda x, y: x, "CPU")),
                        (TypeError, lambda: library.define("cases1::t", "(Tensor x) -> Tensor", tags="pointwise")),
                        (ValueError, lambda: library.define("no_namespace", "(Tensor x) -> Tensor"))):
        with pytest.raises(error):
            call()
    lib.impl("later", lambda x: x + 1, "CPU")
    lib.define("later(Tensor x) -> Tensor")
    assert torch.ops.cases1.later(ONES).tolist() == [2, 2]
    lib.define("over.scalar(Tensor x, float y) -> Tensor")
    lib.define("over.tensor(Tensor x, Tensor y) -> Tensor")
    lib.impl("over.scalar", lambda x, y: x + y, "CPU")
    lib.impl("over.tensor", lambda x, y: x * y, "CPU")
    assert torch.ops.cases1.over(ONES, 2.).tolist() == [3, 3] and torch.ops.cases1.over(ONES, ONES).tolist() == [1, 1]
    assert sorted(torch.ops.cases1.over.overloads()) == ["scalar", "tensor"]
    with pytest.raises(AttributeError, match="has no overload name 'nosuch'"):
        torch.ops.cases1.over.nosuch
    assert str(torch.ops.cases1.over.scalar) == "cases1.over.scalar"
    del lib
    gc.collect()
    with pytest.raises(AttributeError):
        torch.ops.cases1.f
    library.Library("cases1", "DEF").define("f(Tensor x) -> Tensor")  # the namespace can be used again


CALLS = (((), {}, "missing value for argument 'x'"), (("text", 1), {}, "type 'Tensor' for argument 'x' but instead found type 'str'"),
         ((ONES, "b"), {}, "type 'int' for argument 'n' but instead found type 'str'"), ((ONES, 3.5), {}, "type 'int'"),
         ((ONES, 3, 4), {}, "type 'Optional.Tensor.' for argument 'o'"), ((ONES,), {"s": 3}, "type 'str' for argument 's'"),
         ((ONES,), {"l": 3}, "'Optional.List.int..'"), ((ONES,), {"l": ["a"]}, "instead found type 'list'"),
         ((ONES,), {"d": "float"}, "argument 'd'"), (([ONES],), {}, "instead found type 'list'"), ((ONES, 1, None, "s"), {}, "positional"),
         ((ONES,), {"z": 3}, "Unknown keyword argument 'z'"), ((ONES, 1), {"n": 2}, "Unknown keyword argument 'n'"))


@pytest.mark.parametrize("args, kwargs, match", CALLS)
def test_calls_are_checked(args, kwargs, match):
    op = library.custom_op("cases::many", many, mutates_args=())
    for call in (op, torch.ops.cases.many, torch.ops.cases.many.default):
        with pytest.raises(RuntimeError, match=match):
            call(*args, **kwargs)
    assert op(ONES, l=[1], n=2, d=torch.int64).tolist() == [2, 2] and op(ONES, torch.tensor(4), s="b").tolist() == [4, 4]
    assert str(op._opoverload._schema) == ('cases::many(Tensor x, SymInt n=3, Tensor? o=None, *, str s="a", SymInt[]? l=None, '
                                           'ScalarType d=6) -> Tensor')


def test_kinds_of_arguments():
    def each(xs: List[Tensor], n: Union[int, float, bool], b: bool = False, f: float = 1.5) -> Tuple[Tensor, int]:
        return sum(xs) * n, len(xs)
    op = library.custom_op("cases::each", each, mutates_args=())
    assert op((ONES, ONES), 1.5)[0].tolist() == [3, 3] and op([ONES], True, True, 2)[1] == 1
    for args in ((ONES, 1), ([3], 1), ([ONES], "a"), ([ONES], 1, "b"), ([ONES], 1, True, "c")):
        with pytest.raises(RuntimeError, match="Expected a value of type"):
            op(*args)


def refused_functions():
    def no_annotation(x): return x
    def no_result(x: Tensor): return x
    def a_dict(x: dict) -> Tensor: return x
    def a_tuple(x: Tensor, n: Tuple[int, int]) -> Tensor: return x
    def stars(x: Tensor, *args: int) -> Tensor: return x
    def keywords(x: Tensor, **more: int) -> Tensor: return x
    def gives_dict(x: Tensor) -> dict: return {}
    def default(x: Tensor, n: Sequence[int] = (1, 2)) -> Tensor: return x
    def keyword_tensor(x: Tensor, *, y: Tensor) -> Tensor: return x
    return list(locals().values())


@pytest.mark.parametrize("function", refused_functions(), ids=lambda f: f.__name__)
def test_functions_without_a_schema(function):
    with pytest.raises((ValueError, NotImplementedError)):
        library.custom_op("cases::refused", function, mutates_args=())


def test_what_an_operation_writes():
    def sine(x: Tensor) -> None:
        x.sin_()
    for names, match in (({"no_such"}, "not found in"), ("x", "must either be a sequence")):
        with pytest.raises(ValueError, match=match):
            library.custom_op("cases::sine", sine, mutates_args=names)
    with pytest.raises(TypeError, match="mutates_args"):
        library.custom_op("cases::sine", sine)
    with pytest.raises(ValueError, match="The schema suggests that the op mutates"):
        library.custom_op("cases::sine", sine, mutates_args=(), schema="(Tensor(a!) x) -> ()")
    op = library.custom_op("cases::sine", sine, mutates_args={"x"})
    x, w = torch.zeros(2), torch.ones(2, requires_grad=True)
    y = (w * 1)
    product = y * y
    before = x._version
    op(x)
    op(y)
    assert x._version > before
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        product.sum().backward()
    with pytest.raises(RuntimeError, match="non-functional operator"):
        op.register_autograd(lambda ctx, g: g)
    alias = library.custom_op("cases::alias", lambda x: x, mutates_args=(), schema="(Tensor x) -> Tensor")
    with pytest.raises(RuntimeError, match="may not alias any inputs"):
        alias(ONES)


def test_kernels():
    op = library.custom_op("cases::twice", twice, mutates_args=(), device_types="cpu")
    with pytest.raises(RuntimeError, match="no fake impl registered"):
        op(torch.ones(2, device="meta"))
    op.register_fake(lambda x: torch.empty_like(x))
    assert op(torch.ones(2, device="meta")).shape == (2,)
    with pytest.raises(RuntimeError, match="device type at start"):
        op.register_kernel("nodev", twice)
    for register in (library.register_fake, library.register_vmap):
        with pytest.raises(RuntimeError, match="operator cases::nosuch does not exist"):
            register("cases::nosuch", twice)
    with pytest.raises(ValueError, match="unexpected type for op"):
        library.register_autograd(3, twice)
    with pytest.raises(RuntimeError, match="no kernel for CUDA"):
        library.get_kernel(op, "CUDA")
    assert library.get_kernel("cases::twice", "CPU").call_boxed(None, ONES).tolist() == [2, 2]
    with pytest.raises(MissingFeature):
        op.register_torch_dispatch(type("Mode", (), {}), twice)


def test_an_autograd_kernel_comes_first():
    lib = library.Library("cases2", "DEF")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", lambda x: x * 2, "CPU")

    class Ten(torch.autograd.Function):
        forward = staticmethod(lambda ctx, x: torch.ops.cases2.f(x))
        backward = staticmethod(lambda ctx, g: g * 10)
    lib.impl("f", Ten.apply, "Autograd")
    x = torch.ones(2, requires_grad=True)
    y = torch.ops.cases2.f(x)
    y.sum().backward()
    assert y.tolist() == [2, 2] and x.grad.tolist() == [10, 10]


def test_autocast_and_vmap():
    op = library.custom_op("cases::seen", lambda x: x.clone(), mutates_args=(), schema="(Tensor x) -> Tensor")
    op.register_autocast("cpu", torch.bfloat16)
    with torch.autocast("cpu"):
        assert op(ONES).dtype == torch.bfloat16
    assert op(ONES).dtype == torch.float32
    with pytest.raises(ValueError, match="does not support autocast"):
        library.register_autocast(op, "nosuch", torch.float16)
    calls = []

    @op.register_vmap
    def rule(info, in_dims, x):
        calls.append(in_dims)
        return x.clone() + 1, in_dims[0]
    assert torch.vmap(op)(torch.ones(3, 2)).tolist() == [[2, 2]] * 3 and calls[0] == (0,)


def test_opcheck():
    good = library.custom_op("cases::good", twice, mutates_args=())
    good.register_fake(lambda x: torch.empty_like(x))
    good.register_autograd(lambda ctx, g: g * 2)
    x = torch.ones(2, requires_grad=True)
    assert library.opcheck(good, (x,))["test_schema"] == "SUCCESS"
    bad = library.custom_op("cases::bad", lambda x: x.add_(1).clone(), mutates_args=(), schema="(Tensor x) -> Tensor")
    with pytest.raises(Exception, match="test_schema failed with Argument x is not defined as mutable"):
        library.opcheck(bad, (ONES.clone(),))
    bad.register_fake(lambda x: x.new_empty(5))
    answers = library.opcheck(bad, (x,), raise_exception=False)
    assert all(isinstance(answers[name], Exception) for name in ("test_schema", "test_autograd_registration", "test_faketensor"))
    with pytest.raises(ValueError):
        library.opcheck(good, (x,), test_utils="nosuch")


def test_overloads_of_aten():
    aten = torch.ops.aten
    assert aten.add.Tensor(ONES, ONES).tolist() == [2, 2] and str(aten.add.Tensor) == "aten.add.Tensor"
    assert "Scalar" in aten.add.overloads() and aten.relu.overloads()[0] == "default"
    for packet, name in ((aten.add, "Nonsense"), (aten.relu, "Tensor"), (aten.view, "out")):
        with pytest.raises(AttributeError, match=f"has no overload name '{name}'"):
            getattr(packet, name)
    for name in ("SymInt", "SymFloat", "SymBool", "qscheme"):
        with pytest.raises(MissingFeature):
            getattr(torch, name)()
        assert not isinstance(3, getattr(torch, name))
