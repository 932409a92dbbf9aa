# SPDX-License-Identifier: BSD-3-Clause
"""Compares x[...] and x[...] = v with NumPy where both agree; also tests what only tensors have."""
import corten as ct
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

SETTINGS = settings(max_examples=150, deadline=None)


def tensor_like(shape):
    a = np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape)
    return a, ct.tensor(a)


@st.composite
def basic_cases(draw):
    """Draws a shape and an index tuple of ints, slices, None and at most one Ellipsis."""
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=4)))
    items = []
    for size in shape[: draw(st.integers(0, len(shape)))]:
        bound = st.none() | st.integers(-size - 2, size + 2)
        step = st.none() | st.sampled_from([1, 2, 3, -1, -2])
        items.append(draw(st.integers(-size, size - 1) | st.builds(slice, bound, bound, step)))
    for _ in range(draw(st.integers(0, 2))):
        items.insert(draw(st.integers(0, len(items))), None)
    if draw(st.booleans()):
        items.append(Ellipsis)
    return shape, tuple(items)


@SETTINGS
@given(basic_cases())
def test_basic_reading(case):
    shape, index = case
    a, x = tensor_like(shape)
    expected, got = a[index], x[index]
    assert got.shape == expected.shape
    assert got.tolist() == expected.tolist()


@SETTINGS
@given(basic_cases(), st.integers(-5, 5))
def test_basic_writing(case, value):
    shape, index = case
    a, x = tensor_like(shape)
    a[index] = value
    x[index] = value
    assert x.tolist() == a.tolist()


@st.composite
def advanced_cases(draw):
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=4)))
    common = draw(st.sampled_from([(2,), (3,), (2, 2), (1,)]))
    items = []
    for size in shape[: draw(st.integers(1, len(shape)))]:
        kind = draw(st.sampled_from(["array", "slice", "int"]))
        if kind == "array":
            n = int(np.prod(common))
            items.append(np.array(draw(st.lists(st.integers(-size, size - 1), min_size=n, max_size=n))).reshape(common))
        elif kind == "slice":
            items.append(draw(st.sampled_from([slice(None), slice(0, 1), slice(None, None, 2)])))
        else:
            items.append(draw(st.integers(-size, size - 1)))
    return shape, items


def for_tensor(items):
    return tuple(ct.tensor(i) if isinstance(i, np.ndarray) else i for i in items)


def as_numpy_means(items):
    """An int beside index arrays counts as an array for NumPy; PyTorch drops its dim first."""
    return sum(isinstance(i, np.ndarray) for i in items) > 0 and any(isinstance(i, int) for i in items)


@SETTINGS
@given(advanced_cases())
def test_advanced_reading(case):
    shape, items = case
    if as_numpy_means(items):
        return
    a, x = tensor_like(shape)
    expected = a[tuple(items)]
    got = x[for_tensor(items)]
    assert got.shape == expected.shape
    assert got.tolist() == expected.tolist()


@SETTINGS
@given(advanced_cases())
def test_advanced_writing(case):
    shape, items = case
    if as_numpy_means(items):
        return
    a, x = tensor_like(shape)
    a[tuple(items)] = -1
    x[for_tensor(items)] = -1
    assert x.tolist() == a.tolist()


@pytest.mark.parametrize("mask", [[[True, False, True], [False, True, False]], [True, False]])
def test_masks(mask):
    a, x = tensor_like((2, 3))
    m = np.array(mask)
    assert x[ct.tensor(m)].tolist() == a[m].tolist()
    assert x[mask].tolist() == a[m].tolist() if m.ndim == 1 else True
    a[m] = 9
    x[ct.tensor(m)] = 9
    assert x.tolist() == a.tolist()


def test_views_share_memory():
    x = ct.zeros(3, 3)
    x[1][2] = 7
    x[:, 0][1:] += 1
    x[::-1][0, 0] = 5
    assert x.tolist() == [[0, 0, 0], [1, 0, 7], [5, 0, 0]]


def test_negative_steps():
    x = ct.arange(5)
    assert x[::-1].tolist() == [4, 3, 2, 1, 0]
    assert x[3:0:-2].tolist() == [3, 1]
    assert x[::-1].stride() == (-1,)
    assert (x[::-1] + x).tolist() == [4] * 5


def test_value_forms():
    x = ct.zeros(2, 3)
    x[0] = ct.tensor([1.0, 2.0, 3.0])
    x[1] = 4
    x[1, 1] = ct.tensor(2.5)
    x[1, 2] = np.float32(8)
    x[..., 0] = True
    assert x.tolist() == [[1, 2, 3], [1, 2.5, 8]]


@pytest.mark.parametrize("statement, kind, text", [
    ("x[0] = 'a'", TypeError, "can't assign a str to a torch.FloatTensor"),
    ("x[0] = [1, 2, 3]", TypeError, "can't assign a list to a torch.FloatTensor"),
    ("x[0] = None", TypeError, "can't assign a NoneType to a torch.FloatTensor"),
    ("x['a'] = 1", TypeError, "new(): invalid data type 'str'"),
    ("x[5] = 1", IndexError, "index 5 is out of bounds for dimension 0 with size 2"),
    ("del x[0]", TypeError, "Tensor does not support deleting items"),
    ("x[0] = 2**70", ValueError, "Overflow when unpacking long long"),
    ("x[0] = torch.ones(5)", RuntimeError,
     "The expanded size of the tensor (3) must match the existing size (5) at non-singleton dimension 0.  "
     "Target sizes: [3].  Tensor sizes: [5]"),
])
def test_wrong_assignments(statement, kind, text):
    x = ct.ones(2, 3)
    with pytest.raises(kind) as caught:
        exec(statement, {"x": x, "torch": ct})
    assert str(caught.value) == text
    assert x.tolist() == [[1] * 3] * 2


def test_iteration_and_unpacking():
    a, b = ct.tensor([[1, 2], [3, 4]])
    assert a.tolist() == [1, 2] and b.tolist() == [3, 4]
    assert [int(i) for i in ct.arange(3)] == [0, 1, 2]
    assert list(ct.zeros(0, 2)) == []


def test_one_step_backwards_is_itself():
    x = ct.arange(3.).reshape(1, 3, 1)
    x[0::-1] -= 1
    assert x.flatten().tolist() == [-1, 0, 1]


@pytest.mark.parametrize("index", ["1:2:2", "None, -1", "0:1", "None", "1", "None, 1:2", "..., None, 2", "::2", ":, None"])
def test_parts_change_in_place(index):
    """x[i] += 2 modifies the view x[i] in place and then assigns it to itself."""
    x, y = ct.arange(12.).reshape(3, 4), np.arange(12.).reshape(3, 4)
    exec(f"x[{index}] += 2; y[{index}] += 2")
    assert x.tolist() == y.tolist()
