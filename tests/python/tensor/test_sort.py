# SPDX-License-Identifier: BSD-3-Clause
"""Compares sort, topk, kthvalue, median and running sums with NumPy: types, ties, NaN, strides, gradients."""
import corten as ct
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

SETTINGS = settings(max_examples=100, deadline=None)
REAL = ["bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16", "float32", "float64"]
LENGTHS = [0, 1, 2, 15, 17, 399, 400, 401, 3000, 300000]


def values(n, dtype, seed=0):
    rng = np.random.default_rng(seed)
    if dtype == "bool":
        return rng.integers(0, 2, n).astype(bool)
    kind = np.dtype(dtype)
    if kind.kind in "iu":
        info = np.iinfo(kind)
        return rng.integers(info.min, info.max, n, dtype=kind, endpoint=True)
    a = (rng.standard_normal(n) * 10).astype(kind)
    a[rng.integers(0, 20, n) == 0] = -0.0
    a[rng.integers(0, 20, n) == 0] = 0.0
    a[rng.integers(0, 30, n) == 0] = np.nan
    a[rng.integers(0, 30, n) == 0] = -np.inf
    a[rng.integers(0, 30, n) == 0] = np.inf
    return np.round(a) if n % 2 else a  # many ties


def order_of(a, descending):
    """Sorts stably in PyTorch's order, in which NaN is the largest element."""
    rank = np.where(np.isnan(a), np.inf, a).astype(object) if a.dtype.kind == "f" else a
    if a.dtype.kind == "f":
        keys = [(bool(np.isnan(v)), 0.0 if np.isnan(v) else float(v)) for v in a]
    else:
        keys = [int(v) for v in rank]
    if not descending:
        return sorted(range(len(keys)), key=lambda i: keys[i])
    return sorted(range(len(keys)), key=lambda i: keys[i], reverse=True)


@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("n", [n for n in LENGTHS if n < 10000])
@pytest.mark.parametrize("descending", [False, True])
def test_sort(dtype, n, descending):
    a = values(n, dtype)
    x = ct.tensor(a)
    v, i = ct.sort(x, descending=descending, stable=True)
    expected = order_of(a, descending)
    assert i.tolist() == expected
    assert np.array_equal(np.array(v.tolist(), dtype=a.dtype).view(f"u{a.itemsize}"),
                          a[expected].view(f"u{a.itemsize}")) or a.dtype.kind == "f"
    assert np.array_equal(np.array(v.tolist(), dtype=a.dtype), a[expected], equal_nan=a.dtype.kind == "f")
    assert ct.argsort(x, descending=descending, stable=True).tolist() == expected


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_sort_of_a_long_line(dtype):
    a = values(300000, dtype)
    old = ct.get_num_threads()
    for threads in (1, 2):
        ct.set_num_threads(threads)
        v, i = ct.sort(ct.tensor(a))
        where = np.array(i.tolist())
        assert np.array_equal(np.array(v.tolist(), dtype=a.dtype), np.sort(a), equal_nan=a.dtype.kind == "f")
        assert np.array_equal(np.sort(where), np.arange(a.size))
        assert np.array_equal(a[where], np.sort(a), equal_nan=a.dtype.kind == "f")
        best = ct.topk(ct.tensor(a), 100)
        assert np.array_equal(best.values.tolist(), v.tolist()[: -101 : -1], equal_nan=a.dtype.kind == "f")
        assert np.array_equal(a[best.indices.tolist()], best.values.tolist(), equal_nan=a.dtype.kind == "f")
    ct.set_num_threads(old)


@SETTINGS
@given(st.lists(st.integers(0, 5), min_size=1, max_size=3), st.data())
def test_along_dims(shape, data):
    a = np.random.default_rng(0).integers(-3, 3, shape).astype(np.float32)
    dim = data.draw(st.integers(-a.ndim, a.ndim - 1))
    for x in (ct.tensor(a), ct.tensor(np.ascontiguousarray(a.T)).permute(*reversed(range(a.ndim)))):
        assert x.sort(dim=dim, stable=True).values.tolist() == np.sort(a, dim).tolist()
        assert x.sort(dim=dim, stable=True).indices.tolist() == np.argsort(a, dim, kind="stable").tolist()
        assert x.cumsum(dim).tolist() == np.cumsum(a, dim).tolist()
        assert x.cumprod(dim).tolist() == np.cumprod(a, dim).tolist()
        assert x.cummax(dim).values.tolist() == np.maximum.accumulate(a, dim).tolist()
        assert x.cummin(dim).values.tolist() == np.minimum.accumulate(a, dim).tolist()
        k = data.draw(st.integers(0, a.shape[dim]))
        assert x.topk(k, dim).values.tolist() == np.flip(np.sort(a, dim), dim).take(range(k), dim).tolist()
        assert x.topk(k, dim, largest=False).values.tolist() == np.sort(a, dim).take(range(k), dim).tolist()
        if k:
            v, i = x.kthvalue(k, dim)
            assert v.tolist() == np.sort(a, dim).take(k - 1, dim).tolist()
            assert x.gather(dim, i.unsqueeze(dim)).squeeze(dim).tolist() == v.tolist()


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("n", [0, 1, 100, 4096, 4097, 200001])
def test_cumsum(dtype, n):
    a = np.random.default_rng(0).integers(-9, 9, n).astype(dtype)
    out = "int64" if a.dtype.kind in "iu" else dtype
    expected = np.cumsum(a, dtype=out)
    old = ct.get_num_threads()
    for threads in (1, 2):
        ct.set_num_threads(threads)
        got = ct.tensor(a).cumsum(0)
        assert str(got.dtype) == f"torch.{out}" and np.array_equal(got.tolist(), expected)
    ct.set_num_threads(old)


def test_cumsum_is_as_exact_as_float64_allows():
    a = np.random.default_rng(0).standard_normal(1000003).astype(np.float32)
    exact = np.cumsum(a.astype(np.float64))
    old = ct.get_num_threads()
    results = []
    for threads in (1, 2, 3):
        ct.set_num_threads(threads)
        results.append(ct.tensor(a).cumsum(0).tolist())
    ct.set_num_threads(old)
    assert results[0] == results[1] == results[2]
    assert np.allclose(results[0], exact, rtol=1e-7, atol=1e-9)


def test_infinities_and_nan_in_sums():
    a = np.ones(9000, np.float32)
    a[5000] = np.inf
    a[8000] = -np.inf
    with np.errstate(invalid="ignore"):
        expected = np.cumsum(a)
    assert np.array_equal(ct.tensor(a).cumsum(0).tolist(), expected, equal_nan=True)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_types(dtype):
    x = ct.tensor([3.0, -1.0, 2.0, float("nan"), -0.0], dtype=getattr(ct, dtype))
    assert x.sort().indices.tolist() == [1, 4, 2, 0, 3]
    assert x[:3].cumsum(0).tolist() == [3, 2, 4]
    assert x.topk(2).indices.tolist() == [3, 0]
    assert x.dtype == x.sort().values.dtype == x.cumsum(0).dtype


def test_median():
    assert ct.tensor([4, 1, 3, 2]).median().item() == 2
    v, i = ct.tensor([[1.0, float("nan"), 0.0], [3.0, 1.0, 2.0]]).median(1)
    assert np.array_equal(v.tolist(), [np.nan, 2], equal_nan=True) and i.tolist() == [1, 2]
    assert np.isnan(ct.zeros(0).median().item())


def slope(f, a, i, h=1e-4):
    up, down = a.copy(), a.copy()
    up.flat[i] += h
    down.flat[i] -= h
    return (f(ct.tensor(up)).item() - f(ct.tensor(down)).item()) / (2 * h)


@pytest.mark.parametrize("zero", [False, True])
@pytest.mark.parametrize("expression", [
    "x.sort(1).values", "x.sort(0, True).values", "x.topk(2).values", "x.cumsum(0)", "x.cumsum(-1)", "x.cumprod(1)",
    "x.cummax(1).values", "x.cummin(0).values", "x.kthvalue(2, 0).values", "x.median(1, True).values", "x.msort()",
    "x.median()",
])
def test_gradients(expression, zero):
    a = np.random.default_rng(1).standard_normal((3, 4))
    if zero and "cumprod" in expression:
        a[0, 1] = a[1, 0] = a[1, 2] = 0

    def value(x):
        r = eval(expression, {"x": x})
        return (r * r * ct.arange(1.0, r.numel() + 1, dtype=ct.float64).reshape(r.shape)).sum()

    def steepness(x):
        x = x if x.requires_grad else x.requires_grad_()
        (g,) = ct.autograd.grad(value(x), x, create_graph=True)
        return (g * g).sum()

    for f in (value,) if zero else (value, steepness):  # and second derivatives
        x = ct.tensor(a).requires_grad_()
        (g,) = ct.autograd.grad(f(x), x, allow_unused=True, materialize_grads=True)
        expected = [slope(f, a, i) for i in range(a.size)]
        assert np.allclose(g.reshape(-1).tolist(), expected, rtol=1e-4, atol=1e-4)


def test_median_of_nan():
    x = ct.tensor([[1., np.nan, 2., np.nan, 0.], [1., 3., 2., 5., 4.]])
    assert x.median(1).indices.tolist() == [1, 1]  # the index of the first NaN
    assert x.double().median(1).indices.tolist() == [1, 1]
    assert x.nanmedian(1).indices.tolist() == [0, 1]
