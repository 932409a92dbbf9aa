# SPDX-License-Identifier: BSD-3-Clause
"""torch.tensor against NumPy's reading of the same data, and what of the source is kept: nothing."""
import corten as ct
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

SETTINGS = settings(max_examples=150, deadline=None)
NUMPY_TYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16", "float32",
               "float64", "complex64", "complex128"]

numbers = st.booleans() | st.integers(-2**63, 2**63 - 1) | st.floats(width=32, allow_nan=False) | st.complex_numbers(
    max_magnitude=100)


@SETTINGS
@given(st.lists(numbers, min_size=1, max_size=8))
def test_type_is_the_greatest_kind(values):
    kinds = {complex: 3, float: 2, int: 1, bool: 0}
    greatest = max(kinds[type(v)] for v in values)
    expected = [ct.bool, ct.int64, ct.float32, ct.complex64][greatest]
    assert ct.tensor(values).dtype is expected


@SETTINGS
@given(st.lists(st.floats(allow_nan=False), max_size=20))
def test_floats(values):
    assert ct.tensor(values, dtype=ct.float64).tolist() == values
    with np.errstate(over="ignore"):
        assert ct.tensor(values).tolist() == np.array(values, np.float32).tolist()


@SETTINGS
@given(st.lists(st.floats(-70000, 70000, width=32), max_size=20))
def test_halves_round_as_numpy(values):
    with np.errstate(over="ignore"):
        assert ct.tensor(values, dtype=ct.float16).tolist() == np.array(values, np.float32).astype(np.float16).tolist()


@SETTINGS
@given(st.lists(st.integers(-2**63, 2**63 - 1), max_size=20))
def test_ints(values):
    assert ct.tensor(values, dtype=ct.int64).tolist() == values


@pytest.mark.parametrize("name", NUMPY_TYPES)
def test_arrays_of_every_type(name):
    a = np.array([[0, 1, 2], [3, 4, 5]]).astype(name)
    for part in (a, a.T, a[:, ::2], a[::-1], a[:0]):
        t = ct.tensor(part)
        assert t.dtype is getattr(ct, name) and t.shape == part.shape and t.is_contiguous()
        assert t.tolist() == part.tolist()
    assert ct.tensor(a[0, 1]).dtype is getattr(ct, name)
    assert ct.tensor([a[0, 1], a[1, 1]]).tolist() == [a[0, 1].item(), a[1, 1].item()]


def test_data_is_copied():
    a = np.zeros(3)
    t = ct.tensor(a)
    a[0] = 1
    assert t.tolist() == [0, 0, 0]
    x = ct.zeros(3)
    with pytest.warns(UserWarning, match="To copy construct from a tensor"):
        y = ct.tensor(x)
    x[0] = 1
    assert y.tolist() == [0, 0, 0]


def test_sources_of_numbers():
    assert ct.tensor(range(3)).tolist() == [0, 1, 2]
    with pytest.raises(TypeError, match="only integer tensors of a single element") as caught:
        ct.tensor([ct.tensor([1, 2]), ct.tensor([3, 4])])
    assert "torch.stack(list)" in caught.value.__notes__[0]
    assert ct.tensor([np.ones(2), np.zeros(2)]).dtype is ct.float64
    assert ct.tensor([[1, 2], (3, 4)], dtype=ct.uint8).tolist() == [[1, 2], [3, 4]]
    assert ct.tensor(ct.tensor(3).item()).tolist() == 3


def test_default_type_is_used():
    try:
        ct.set_default_dtype(ct.float64)
        assert ct.tensor([1.0]).dtype is ct.float64
        assert ct.tensor([1j]).dtype is ct.complex128
        assert ct.zeros(1).dtype is ct.float64
    finally:
        ct.set_default_dtype(ct.float32)


def test_items_that_raise():
    class Bad:
        def __len__(self):
            return 2

        def __getitem__(self, i):
            raise ZeroDivisionError("no item")

    with pytest.raises(ZeroDivisionError, match="no item"):
        ct.tensor(Bad())

    class Float:
        def __float__(self):
            raise ZeroDivisionError("no float")

    with pytest.raises(ZeroDivisionError, match="no float"):
        ct.tensor([1.0, Float()], dtype=ct.float32)


def test_too_deep():
    data = 1
    for _ in range(70):
        data = [data]
    with pytest.raises(ValueError, match="too many dimensions"):
        ct.tensor(data)


def test_tolist_round_trip():
    for x in (ct.arange(24).view(2, 3, 4), ct.arange(6.0).view(2, 3).T, ct.tensor(5), ct.zeros(2, 0),
              ct.tensor([1 + 2j]).conj()):
        assert ct.tensor(x.tolist(), dtype=x.dtype).tolist() == x.tolist()
    assert ct.tensor([1 + 2j]).conj().tolist() == [1 - 2j]


def test_as_tensor_keeps_tensors():
    x = ct.ones(2)
    assert ct.as_tensor(x) is x
    assert ct.as_tensor(x, dtype=ct.float32) is x
    assert ct.as_tensor(x, dtype=ct.int32).dtype is ct.int32
