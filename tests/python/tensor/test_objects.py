# SPDX-License-Identifier: BSD-3-Clause
"""Tensors as Python objects: identity, attributes, weak references, cycles, subclasses, pickling of types."""
import copy
import gc
import pickle
import sys
import weakref

import corten as ct
import pytest


def test_one_object_per_tensor():
    x = ct.ones(3, requires_grad=True)
    (x * 2).sum().backward()
    assert x.grad is x.grad
    v = x.detach()
    assert v.view(3) is not v
    y = ct.ones(2)
    assert y.contiguous() is y
    assert y.add_(1) is y


def test_hash_is_identity():
    x = ct.ones(2)
    y = ct.ones(2)
    assert hash(x) == hash(x)
    assert {x: 1, y: 2}[x] == 1
    assert len({x, y, x}) == 2


def test_attributes():
    x = ct.ones(2)
    x.label = "left"
    assert x.label == "left"
    assert x.__dict__ == {"label": "left"}
    del x.label
    with pytest.raises(AttributeError, match="'Tensor' object has no attribute 'label'"):
        x.label
    with pytest.raises(AttributeError, match="attribute 'shape' of 'torch._C.TensorBase' objects is not writable"):
        x.shape = 3


def test_methods_can_be_added():
    ct.Tensor.twice = lambda self: self * 2
    try:
        assert ct.ones(2).twice().tolist() == [2, 2]
    finally:
        del ct.Tensor.twice


def test_weak_references():
    x = ct.ones(2)
    ref = weakref.ref(x)
    assert ref() is x
    del x
    assert ref() is None


def test_attributes_survive_while_c_holds_the_tensor():
    x = ct.ones(2, requires_grad=True)
    y = x * 2
    y.tag = "kept"
    ref = weakref.ref(y)
    z = (y * y).sum()  # the graph saves y
    del y
    gc.collect()
    assert ref().tag == "kept"
    assert ref() is ref()
    del z
    assert ref() is None


def test_kept_more_than_once():
    x = ct.ones(2, requires_grad=True)
    g = ct.ones(2)
    g.tag = 1
    for turn in range(5):
        x.grad = g
        del g
        gc.collect()
        g = x.grad
        x.grad = None
        assert g.tag == 1
    ref = weakref.ref(g)
    del g
    assert ref() is None


def test_subclass_survives_as_gradient():
    class Mine(ct.Tensor):
        pass

    x = ct.ones(2, requires_grad=True)
    x.grad = Mine([1.0, 2.0])
    gc.collect()
    assert type(x.grad) is Mine


def test_cycles_are_collected():
    x = ct.ones(2)
    x.me = x
    ref = weakref.ref(x)
    del x
    gc.collect()
    assert ref() is None


def test_plain_tensors_are_not_tracked():
    x = ct.ones(2)
    assert not gc.is_tracked(x)
    x.a = 1
    assert gc.is_tracked(x)


def test_no_leak_of_objects():
    x = ct.ones(4, 4)
    for turn in range(3):
        for _ in range(1000):
            (x + x)[0].view(2, 2).tolist()
        gc.collect()
        count = sys.getallocatedblocks()
        if turn:
            assert abs(count - before) < 100
        before = count


# ---- subclasses ----


class Sub(ct.Tensor):
    def hello(self):
        return "hello"


@pytest.mark.parametrize("make", [
    lambda s: s + 1, lambda s: 1 + s, lambda s: -s, lambda s: s[0], lambda s: s.exp(), lambda s: ct.exp(s),
    lambda s: s.view(2, 1), lambda s: s.sum(), lambda s: s == s, lambda s: ct.cat([ct.ones(2), s]), lambda s: s.T,
    lambda s: s.double(), lambda s: s.to(ct.int32),
])
def test_results_have_the_subclass(make):
    assert type(make(Sub([1.0, 2.0]))) is Sub


def test_as_subclass_shares_memory():
    x = ct.ones(2)
    s = x.as_subclass(Sub)
    s[0] = 5
    assert x.tolist() == [5, 1] and s.hello() == "hello"
    with pytest.raises(TypeError):
        x.as_subclass(int)


def test_torch_function_is_asked():
    calls = []

    class Asked(ct.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            calls.append(func.__name__)
            return super().__torch_function__(func, types, args, kwargs or {})

    a = Asked([1.0, 2.0])
    assert type(ct.add(a, 1, alpha=2)) is Asked
    assert (a + 1).tolist() == [2, 3]
    assert a.exp().shape == (2,)
    assert calls == ["add", "add", "tolist", "exp", "__get__"]


def test_torch_function_switched_off():
    class Plain(ct.Tensor):
        __torch_function__ = ct._C._disabled_torch_function_impl

    assert type(Plain([1.0]) + 1) is ct.Tensor


def test_make_subclass():
    x = ct.ones(2)
    s = ct.Tensor._make_subclass(Sub, x, True)
    assert type(s) is Sub and s.requires_grad and s.is_leaf and not x.requires_grad


# ---- small types ----


@pytest.mark.parametrize("value", [
    ct.float32, ct.bool, ct.bfloat16, ct.strided, ct.channels_last, ct.device("cpu"), ct.device("cuda:1"),
    ct.Size([2, 3]), ct.Size([]),
])
def test_types_survive_pickle_and_copy(value):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        text = pickle.dumps(value, protocol)
        assert b"torch" not in text.replace(b"torch.strided", b"")  # layouts are pickled by name, as in PyTorch's files
        back = pickle.loads(text)
        assert back == value and type(back) is type(value)
    assert copy.copy(value) == value and copy.deepcopy(value) == value


def test_dtypes_are_singletons():
    assert ct.ones(1).dtype is ct.float32 is ct.float
    assert pickle.loads(pickle.dumps(ct.int64)) is ct.int64


def test_size_is_a_tuple():
    s = ct.ones(2, 3).shape
    assert isinstance(s, tuple) and s == (2, 3) and hash(s) == hash((2, 3))
    a, b = s
    assert (a, b) == (2, 3) and s[-1] == 3 and 3 in s and s.index(3) == 1
    assert type(s[:1]) is type(s + (1,)) is type(s * 2) is ct.Size


def test_broadcast_shapes():
    assert ct.broadcast_shapes((2,), (3, 1), (1, 1, 1)) == ct.Size([1, 3, 2])
    assert ct.broadcast_shapes(2, (3, 1)) == (3, 2) and ct.broadcast_shapes() == () and type(ct.broadcast_shapes()) is ct.Size
    for shapes, kind, text in [
            (((4, 3), (3, 4)), RuntimeError,
             "Attempting to broadcast a dimension of length 4 at -1! Mismatching argument at index 1 had (3, 4); but "
             "expected shape should be broadcastable to [4, 3]"),
            (((-1,),), ValueError, "Attempting to broadcast a dimension with negative length!")]:
        with pytest.raises(kind) as error:
            ct.broadcast_shapes(*shapes)
        assert str(error.value) == text


def test_broadcast_tensors():
    a, b = ct.broadcast_tensors(ct.ones(3, 1), ct.ones(2))
    assert a.shape == b.shape == (3, 2) and a.stride() == (1, 0) and b.stride() == (0, 1)
    with pytest.raises(RuntimeError, match=r"^The size of tensor a \(3\) must match the size of tensor b \(2\) at "
                                           "non-singleton dimension 0"):
        ct.broadcast_tensors(ct.ones(3), ct.ones(2))
    with pytest.raises(TypeError, match="^expected Tensor as element 1 in argument 0, but got int$"):
        ct.broadcast_tensors(ct.ones(3), 2)


def test_names_of_2018():
    x = ct.arange(6).view(2, 3)
    assert x.narrow(dimension=1, start=1, length=2).tolist() == [[1, 2], [4, 5]]
    assert ct.cat((x, x), dimension=1).shape == (2, 6)
    y = ct.empty(2, 3)
    assert ct.normal_(y) is y and ct.bernoulli_(y) is y


def test_methods_belong_to_the_base_class():
    assert ct.Tensor.add is ct._C.TensorBase.add
    assert repr(ct.Tensor.add) == "<method 'add' of 'torch._C.TensorBase' objects>"
    assert type(ct.Tensor) is type(ct._C.TensorBase) is ct._C._TensorMeta

    class Mine(ct.Tensor):
        pass
    assert Mine.add is ct.Tensor.add
    plain = ct.Tensor.add
    ct.Tensor.add = lambda self, other: 'patched'
    try:
        assert ct.ones(1).add(1) == 'patched'
    finally:
        ct.Tensor.add = plain
    assert ct.ones(1).add(1).item() == 2


def test_attributes_are_of_one_tensor_alone():
    a, b = ct.ones(1), ct.ones(1)
    with pytest.raises(AttributeError):
        a.note
    assert a.__dict__ == {}
    a.note = 1
    assert a.__dict__ == {'note': 1} and b.__dict__ == {} and not hasattr(b, 'note')
    del a.note
    assert not hasattr(a, 'note')
    a.__dict__['other'] = 2
    assert a.other == 2 and not hasattr(ct.ones(1), 'other')


def test_sizes_are_equal_and_right():
    shapes = [(), (1,), (2, 3), (3, 2), (0, 5), (1, 2, 3, 4, 5), (1, 1, 1, 1, 1, 1), (31,), (1, 0)]
    for _ in range(3):
        for shape in shapes:
            assert tuple(ct.ones(shape).shape) == shape and type(ct.ones(shape).shape) is ct.Size


@pytest.mark.parametrize("kind", (ct.Tensor, ct.nn.Parameter))
def test_a_format_that_is_for_numbers_names_the_class(kind):
    with pytest.raises(TypeError, match=f"unsupported format string passed to {kind.__name__}.__format__"):
        format(ct.ones(2).as_subclass(kind) if kind is ct.Tensor else kind(ct.ones(2)), ".3f")


class Plain(ct.Tensor):
    pass


class Says(ct.Tensor):
    __iadd__ = ct.Tensor.__iadd__


@pytest.mark.parametrize("set_first", [False, True])
def test_in_place_addition_of_unsupported_objects(set_first):
    """Setting __iadd__ on a class also fills its sequence slot, at class creation or later."""
    own = ct.Tensor.__iadd__
    if set_first:
        for cls in (ct.Tensor, Plain):
            cls.__iadd__ = own
    try:
        for cls in (ct.Tensor, Plain, Says, ct.nn.Parameter):
            x = ct.ones(2).as_subclass(cls)
            for other in ("a", [1, 2]):
                with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \+=: "):
                    x += other
            x = ct.ones(2).as_subclass(cls)
            x += 1
            assert x.tolist() == [2, 2]
    finally:
        if set_first:
            del Plain.__iadd__
            del ct.Tensor.__iadd__
    x = ct.ones(2)
    with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \+=: "):
        x += "a"
