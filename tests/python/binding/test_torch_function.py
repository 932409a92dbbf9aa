# SPDX-License-Identifier: BSD-3-Clause
"""`__torch_function__`: which overrides are called, and with which function, types and arguments, as in PyTorch 2.15."""
import operator

import pytest

import corten

log = []


def note(func, types, args, kwargs):
    log.append((func.__name__, tuple(t.__name__ for t in types), tuple(type(a).__name__ for a in args), *sorted(kwargs or {})))


class Other:
    """Has __torch_function__ but is not a tensor."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        note(func, types, args, kwargs)
        return "asked"


class Sub(corten.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        note(func, types, args, kwargs)
        return super().__torch_function__(func, types, args, kwargs or {})


class SubSub(Sub):
    pass


class Declines:
    @classmethod
    def __torch_function__(cls, *args, **kwargs):
        return NotImplemented


class Plain(corten.Tensor):
    pass


def x():
    return corten.ones(2, 2)


def sub():
    return corten.ones(2, 2).as_subclass(Sub)


def overrides_of(f, *args, **kwargs):
    log.clear()
    answer = f(*args, **kwargs)
    return answer, list(log)


OPERATORS = {  # the function passed to the override, for a tensor on the left and on the right
    "add": ("add", "add"), "sub": ("sub", "__rsub__"), "mul": ("mul", "mul"), "truediv": ("div", "__rdiv__"),
    "floordiv": ("__floordiv__", "__rfloordiv__"), "mod": ("remainder", "__rmod__"), "pow": ("pow", "__rpow__"),
    "matmul": ("matmul", "__rmatmul__"), "and_": ("__and__", "bitwise_and"), "or_": ("__or__", "bitwise_or"),
    "xor": ("__xor__", "bitwise_xor"), "lshift": ("__lshift__", "__rlshift__"), "rshift": ("__rshift__", "__rrshift__"),
    "eq": ("eq", "eq"), "ne": ("ne", "ne"), "lt": ("lt", "gt"), "le": ("le", "ge"), "gt": ("gt", "lt"), "ge": ("ge", "le"),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_ask_what_is_no_tensor(name):
    f, (left, right) = getattr(operator, name), OPERATORS[name]
    assert overrides_of(f, x(), Other()) == ("asked", [(left, ("Other",), ("Tensor", "Other"))])
    assert overrides_of(f, Other(), x()) == ("asked", [(right, ("Other",), ("Tensor", "Other"))])
    if name not in ("eq", "ne"):
        with pytest.raises(TypeError):
            f(x(), Declines())


@pytest.mark.parametrize("name, method", [("iadd", "add_"), ("isub", "sub_"), ("imul", "mul_"), ("itruediv", "div_"),
                                          ("ifloordiv", "floor_divide_"), ("imod", "remainder_"), ("ipow", "pow_"),
                                          ("iand", "__iand__"), ("ior", "__ior__"), ("imatmul", "matmul")])
def test_operators_in_place(name, method):
    assert overrides_of(getattr(operator, name), x(), Other()) == ("asked", [(method, ("Other",), ("Tensor", "Other"))])
    if name not in ("iand", "ior", "imatmul"):
        s = sub()
        answer, seen = overrides_of(getattr(operator, name), s, 2)
        assert answer is s and seen == [(method, ("Sub",), ("Sub", "int"))]


def test_comparisons_of_those_who_decline():
    assert (x() == Declines()) is False and (x() != Declines()) is True


@pytest.mark.parametrize("name, args", [
    ("add", (1, Other)), ("matmul", (1, Other)), ("cat", ([1, Other],)), ("stack", ([Other, 1],)), ("sum", (Other,)),
    ("where", (1, Other, 1)), ("clamp", (Other, 0)), ("zeros_like", (Other,)), ("allclose", (1, Other)), ("equal", (1, Other)),
    ("index_select", (Other, 0, 1)), ("split", (Other, 2)), ("norm", (Other,)), ("cdist", (1, Other)), ("diag", (Other,)),
    ("block_diag", (1, Other)), ("softmax", (Other, 0)), ("einsum", ("ij,jk", 1, Other)), ("tensordot", (1, Other)),
    ("broadcast_tensors", (1, Other)), ("meshgrid", (1, Other))])
def test_functions_ask_what_is_no_tensor(name, args):
    def real(a):
        return [real(v) for v in a] if isinstance(a, list) else Other() if a is Other else x() if a == 1 else a
    f = getattr(corten, name)
    answer, seen = overrides_of(f, *map(real, args))
    assert answer == "asked" and len(seen) == 1 and seen[0][0] == name and seen[0][1] == ("Other",)


def test_the_function_is_the_one_that_was_called():
    functions = []

    class Keeps:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            functions.append(func)
    for f in (corten.add, corten.linalg.cholesky, corten.special.erf, corten.fft.fft, corten.einsum):
        f(*(("ij->ji",) if f is corten.einsum else ()), *((x(),) if f is corten.add else ()), Keeps())
        assert functions.pop() is f
    x().add(Keeps()), x() + Keeps()
    assert functions == [corten.Tensor.add] * 2


def test_any_argument():
    assert overrides_of(corten.add, x(), x(), alpha=Other())[1] == [("add", ("Other",), ("Tensor", "Tensor"), "alpha")]
    assert overrides_of(corten.add, x(), x(), out=Other())[1] == [("add", ("Other",), ("Tensor", "Tensor"), "out")]
    assert overrides_of(x().sum, Other())[1] == [("sum", ("Other",), ("Tensor", "Other"))]
    assert overrides_of(x().reshape, Other())[1] == [("reshape", ("Other",), ("Tensor", "Other"))]
    assert overrides_of(corten.zeros, 2, dtype=Other())[0] == "asked"
    with pytest.raises(RuntimeError, match="Could not infer dtype of Other"):
        corten.tensor(Other())


def test_indexing():
    assert overrides_of(lambda: x()[Other()]) == ("asked", [("__getitem__", ("Other",), ("Tensor", "Other"))])
    assert overrides_of(lambda: x()[0, Other()])[0] == "asked"
    assert overrides_of(operator.setitem, x(), 0, Other())[1] == [("__setitem__", ("Other",), ("Tensor", "int", "Other"))]
    assert overrides_of(operator.setitem, x(), Other(), 0)[1] == [("__setitem__", ("Other",), ("Tensor", "Other", "int"))]
    answer, seen = overrides_of(lambda: sub()[0])
    assert type(answer) is Sub and seen[-1] == ("__getitem__", ("Sub",), ("Sub", "int"))


def test_order_of_classes():
    assert overrides_of(corten.add, sub(), x().as_subclass(SubSub))[1][0][1] == ("SubSub", "Sub")
    assert overrides_of(corten.add, Declines(), Other()) == ("asked", [("add", ("Declines", "Other"), ("Declines", "Other"))])
    assert overrides_of(corten.cat, [x(), Other(), sub()])[1][0][1] == ("Other", "Sub")


def test_nobody_answers():
    with pytest.raises(TypeError, match=r"Multiple dispatch failed for 'torch.add'; all __torch_function__ handlers returned "
                                        r"NotImplemented:\n\n  - tensor subclass <class '.*Declines'>"):
        corten.add(x(), Declines())
    with pytest.raises(TypeError, match="Multiple dispatch failed for 'torch.Tensor.add'"):
        x().add(Declines())
    with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \+: 'Tensor' and 'Declines'"):
        x() + Declines()

    class Second(corten.Tensor):
        pass
    with pytest.raises(TypeError, match="Multiple dispatch failed"):  # neither is a subclass of the other
        corten.add(x().as_subclass(Plain), x().as_subclass(Second))


def test_an_instance_answers():
    class Instance:
        def __torch_function__(self, func, types, args=(), kwargs=None):
            return self
    one = Instance()
    assert corten.add(x(), one) is one and x() * one is one


def test_what_is_no_operation():
    s = sub()
    for f, name in ((lambda: s.shape, "__get__"), (lambda: s.dtype, "__get__"), (lambda: s.ndim, "__get__"), (lambda: s.T, "__get__"),
                    (lambda: s.requires_grad, "__get__"), (lambda: s.size(), "size"), (lambda: s.dim(), "dim"),
                    (lambda: s.to(corten.float64), "to"), (lambda: len(s), "__len__"), (lambda: s.tolist(), "tolist"),
                    (lambda: s.numel(), "numel"), (lambda: s.stride(), "stride"), (lambda: s.detach(), "detach"),
                    (lambda: s.is_contiguous(), "is_contiguous"), (lambda: s.untyped_storage(), "untyped_storage"),
                    (lambda: repr(s), "__repr__"), (lambda: 1. in s, "__contains__"), (lambda: s.new_zeros(2), "new_zeros")):
        assert overrides_of(f)[1][0][:2] == (name, ("Sub",))
    one = s.sum()
    for f, name in ((float, "__float__"), (int, "__int__"), (bool, "__bool__"), (lambda t: t.item(), "item")):
        assert overrides_of(f, one)[1] == [(name, ("Sub",), ("Sub",))]
    log.clear()
    s.requires_grad = True
    assert log == [("__set__", ("Sub",), ("Sub", "bool"))] and type(s.T) is Sub and type(s.grad_fn) is type(None)
    assert Sub.add is corten.Tensor.add and hash(s) == id(s)
    assert [type(t) for t in s.unbind()] == [Sub, Sub] and type(s.max(0).values) is Sub


def test_a_class_says_more_than_its_base():
    class Sized(Sub):
        def size(self, *args):
            return "mine"

        shape = property(lambda self: "mine too")
    s = x().as_subclass(Sized)
    assert s.size() == "mine" and s.shape == "mine too" and type(s + 1) is Sized


def test_silence():
    with corten._C.DisableTorchFunctionSubclass():
        assert type(sub() + 1) is corten.Tensor and overrides_of(lambda: sub().shape)[1] == []
        with pytest.raises(TypeError):
            corten.add(x(), Other())
    assert type(sub() + 1) is Sub


def test_modes():
    class Counts(corten.overrides.TorchFunctionMode):
        def __init__(self):
            self.names = []

        def __torch_function__(self, func, types, args=(), kwargs=None):
            self.names.append(func.__name__)
            return func(*args, **(kwargs or {}))
    t = x()
    with Counts() as outer, Counts() as inner:
        assert (t + 1).sum().item() == 8
        corten.sin(t), -t, corten.zeros(2)
    assert inner.names == outer.names == ["add", "sum", "sin", "neg", "zeros"] or inner.names[:4] == ["add", "sum", "sin", "neg"]
    assert corten.overrides._get_current_function_mode() is None
    n = len(inner.names)
    t + 1
    assert len(inner.names) == n

    class Fails(Counts):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            raise KeyError
    with pytest.raises(KeyError), Fails():
        t + 1
    assert corten.overrides._get_current_function_mode_stack() == []


def test_overrides():
    o = corten.overrides
    assert o.has_torch_function((x(), Other())) and not o.has_torch_function((x(), 1))
    assert o.has_torch_function_unary(sub()) and not o.has_torch_function_variadic(x(), None)
    assert o.is_tensor_like(Other()) and o.is_tensor_like(x()) and not o.is_tensor_like(1)
    assert o.resolve_name(corten.add) == "torch.add" and o.resolve_name(corten.Tensor.add) == "torch.Tensor.add"
    assert o.is_tensor_method_or_property(corten.Tensor.add) and not o.is_tensor_method_or_property(corten.add)
    assert corten.add in o.get_testing_overrides() and corten.zeros in o.get_ignored_functions()

    def mean_of(a, b):
        if o.has_torch_function((a, b)):
            return o.handle_torch_function(mean_of, (a, b), a, b)
        return (a + b) / 2
    assert overrides_of(mean_of, x(), Other()) == ("asked", [("mean_of", ("Other",), ("Tensor", "Other"))])
    assert type(mean_of(x(), x().as_subclass(Plain))) is Plain

    @o.wrap_torch_function(lambda a: (a,))
    def twice(a):
        return a * 2
    assert overrides_of(twice, Other())[0] == "asked" and twice(x()).sum() == 8


def test_many_overriding_classes():
    """All overriding classes are tried, up to a limit of 64; more raise an error."""
    def make(i):
        return type(f"C{i}", (), {"__torch_function__": classmethod(lambda cls, *args: seen.append(i) or NotImplemented)})()
    seen = []
    with pytest.raises(TypeError, match="Multiple dispatch failed"):
        corten.stack([make(i) for i in range(40)])
    assert seen == list(range(40))
    with pytest.raises(TypeError, match="at most 64 classes"):
        corten.stack([make(i) for i in range(70)])
