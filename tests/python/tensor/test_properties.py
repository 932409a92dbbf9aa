# SPDX-License-Identifier: BSD-3-Clause
"""Promotion, broadcasting, reductions and views against NumPy, on inputs that hypothesis invents.

Arrays come plain, transposed and stepped; views also backwards. Examples are the same in every run.
"""
import math
import warnings

import corten as ct
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

SETTINGS = settings(max_examples=150, deadline=None, derandomize=True)
INTS = ["uint8", "int8", "int16", "int32", "int64"]
FLOATS = ["float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
DTYPES = ["bool", *INTS, *FLOATS, *COMPLEX]
KIND = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}

shapes = st.lists(st.integers(0, 4), min_size=0, max_size=4).map(tuple)


def numbers(shape, dtype, seed):
    """Small whole numbers: sums and products of them are exact in every type but float16."""
    values = np.random.RandomState(seed).randint(0 if dtype in ("bool", "uint8") else -3, 4, size=shape)
    return values.astype(dtype)


def both(array, layout):
    """The array and a tensor of the same elements, laid out alike: as is, transposed, every second."""
    if layout == "transposed":
        array = np.ascontiguousarray(array.T).T
    if layout == "stepped" and array.ndim:
        wide = np.repeat(array, 2, axis=-1)
        return wide[..., ::2], ct.from_numpy(wide)[..., ::2]
    tensor = ct.from_numpy(array.T).permute(*reversed(range(array.ndim))) if array.ndim else ct.from_numpy(array)
    return array, tensor


layouts = st.sampled_from(["plain", "transposed", "stepped"])
seeds = st.integers(0, 999)


def name(dtype):
    return str(dtype).removeprefix("torch.")


def same(tensor, array):
    assert tuple(tensor.shape) == array.shape
    assert name(tensor.dtype) == array.dtype.name
    np.testing.assert_array_equal(np.array(tensor.tolist(), dtype=array.dtype).reshape(array.shape), array)


# ---- promotion ----


@SETTINGS
@given(st.sampled_from(DTYPES), st.sampled_from(DTYPES), st.sampled_from(DTYPES))
def test_promotion_is_a_lattice(a, b, c):
    def join(x, y):
        return ct.promote_types(x, y)

    a, b, c = (getattr(ct, n) for n in (a, b, c))
    assert join(a, a) == a
    assert join(a, b) == join(b, a)
    assert join(join(a, b), c) == join(a, join(b, c))


@SETTINGS
@given(st.sampled_from(DTYPES), st.sampled_from(DTYPES))
def test_promotion(a, b):
    kinds = [KIND[np.dtype(d).kind] for d in (a, b)]
    found = name(ct.promote_types(getattr(ct, a), getattr(ct, b)))
    if kinds[0] == kinds[1] or 0 in kinds:
        assert found == np.promote_types(a, b).name
    elif 1 in kinds:  # beside a floating type integers have no say
        assert found == (a if kinds[1] == 1 else b)
    else:
        real = {"complex64": "float32", "complex128": "float64"}
        assert real[found] == np.promote_types(real.get(a, a), real.get(b, b)).name.replace("float16", "float32")


@SETTINGS
@given(st.sampled_from(DTYPES), st.sampled_from(DTYPES), st.sampled_from(["add", "mul", "eq"]), st.booleans(), seeds)
def test_arithmetic_in_the_common_type(a, b, op, flat, seed):
    x, y = numbers((2, 3), a, seed), numbers(() if flat else (3,), b, seed + 1)
    tx, ty = ct.from_numpy(x), ct.from_numpy(y)
    common = name(ct.result_type(tx, ty))
    assume(common != "complex32")  # NumPy has none; ../facts/types/complex32.txt
    expected = {"add": np.add, "mul": np.multiply, "eq": np.equal}[op](x.astype(common), y.astype(common))
    same(getattr(ct, op)(tx, ty), expected)


# ---- broadcasting ----


@st.composite
def broadcastable(draw):
    """Two shapes, usually ones that broadcast."""
    whole = draw(st.lists(st.integers(0, 4), min_size=0, max_size=4))
    cut = [draw(st.integers(0, len(whole))) for _ in range(2)]
    found = [[1 if draw(st.integers(0, 2)) == 0 else n for n in whole[c:]] for c in cut]
    if draw(st.integers(0, 5)) == 0 and found[0]:
        found[0][draw(st.integers(0, len(found[0]) - 1))] = 5
    return tuple(map(tuple, found))


@SETTINGS
@given(broadcastable(), layouts, layouts, seeds)
def test_broadcasting(pair, left, right, seed):
    a, x = both(numbers(pair[0], "int32", seed), left)
    b, y = both(numbers(pair[1], "int32", seed + 1), right)
    try:
        expected = a - b
    except ValueError:
        with pytest.raises(RuntimeError, match="must match the size"):
            x - y
        return
    same(x - y, np.asarray(expected))


@SETTINGS
@given(broadcastable(), layouts, seeds)
def test_in_place_never_grows(pair, layout, seed):
    a, b = numbers(pair[0], "int64", seed), numbers(pair[1], "int64", seed + 1)
    a, x = both(a, layout)
    before = a.copy()
    try:
        expected = a + b
    except ValueError:
        expected = None
    if expected is None or np.shape(expected) != a.shape:
        with pytest.raises(RuntimeError):
            x += ct.from_numpy(b)
        same(x, before)
    else:
        x += ct.from_numpy(b)
        same(x, np.asarray(expected))


# ---- reductions ----


@st.composite
def reducible(draw):
    shape = draw(shapes)
    dims = draw(st.none() | st.sets(st.integers(0, len(shape) - 1)).map(tuple)) if shape else None
    return shape, dims or None, draw(st.booleans())


REDUCTIONS = {"sum": np.sum, "prod": np.prod, "any": np.any, "all": np.all, "amax": np.max, "amin": np.min,
              "mean": np.mean, "var": np.var}


@SETTINGS
@given(st.lists(st.sampled_from([1.0, -2.5, 3.0, 0.0, np.nan]), min_size=1, max_size=40), st.sampled_from(["float32", "float64"]))
def test_reductions_without_nan(values, dtype):
    a = np.array(values, dtype)
    x = ct.from_numpy(a)
    assert x.nansum().item() == np.nansum(a)
    assert x.nansum(dtype=ct.int64).item() == int(np.nan_to_num(a).astype(np.int64).sum())
    np.testing.assert_allclose(x.nanmean().item(), np.nanmean(a) if np.isfinite(a).any() else np.nan, rtol=1e-6)


@SETTINGS
@given(st.sampled_from(sorted(REDUCTIONS)), reducible(), st.sampled_from(DTYPES), layouts, seeds)
def test_reductions(op, how, dtype, layout, seed):
    shape, dims, keepdim = how
    a, x = both(numbers(shape, dtype, seed), layout)
    if op in ("mean", "var") and dtype not in FLOATS or op in ("amax", "amin") and dtype in COMPLEX:
        return
    if op == "prod" and dims is not None:
        dims = dims[0]
    if op in ("amax", "amin") and a.size == 0:
        return
    keywords = {"correction": 0} if op == "var" else {}
    if dims is not None:
        keywords.update(dim=dims, keepdim=keepdim)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mine = getattr(ct, op)(x, **keywords)
        wide = a.astype("float64") if op in ("mean", "var") else a
        kind = {"dtype": "int64"} if op in ("sum", "prod") and KIND[a.dtype.kind] < 2 else {}
        expected = np.asarray(REDUCTIONS[op](wide, axis=dims, keepdims=keepdim and dims is not None, **kind))
    assert tuple(mine.shape) == expected.shape
    assert mine.is_contiguous()
    tolerance = {"float16": 2e-3, "float32": 1e-6}.get(dtype, 1e-12)
    np.testing.assert_allclose(np.array(mine.tolist()).reshape(expected.shape), expected, rtol=tolerance, atol=tolerance)


@SETTINGS
@given(shapes.filter(lambda s: s and 0 not in s), st.sampled_from([*INTS, *FLOATS]), layouts, seeds, st.data())
def test_places_of_extremes(shape, dtype, layout, seed, data):
    dim = data.draw(st.integers(-len(shape), len(shape) - 1))
    a, x = both(numbers(shape, dtype, seed), layout)
    same(x.argmax(dim), a.argmax(axis=dim))
    same(x.argmin(dim), a.argmin(axis=dim))
    values, indices = x.max(dim)
    same(values, a.max(axis=dim))
    same(indices, a.argmax(axis=dim))
    same(x.cumsum(dim), a.cumsum(axis=dim, dtype="int64" if dtype in INTS else dtype))


@SETTINGS
@given(st.sampled_from(FLOATS), st.floats(-1000, 1000), st.integers(2, 6000), st.booleans())
def test_equal_elements_do_not_spread(dtype, value, n, columns):
    x = ct.full((n, 3), value, dtype=getattr(ct, dtype))
    x = x if columns else x.t().contiguous().t()
    assert x.var(0).tolist() == x.std(0).tolist() == [0.0, 0.0, 0.0]
    assert x.std().item() == 0


# ---- views ----

STEPS = ("transpose", "unsqueeze", "select", "slice", "expand", "permute")


def step(draw, a, x):
    """One view of an array and of a tensor."""
    kind = draw(st.sampled_from(STEPS))
    if kind == "unsqueeze":
        dim = draw(st.integers(0, a.ndim))
        return np.expand_dims(a, dim), x.unsqueeze(dim)
    if a.ndim == 0:
        return a, x
    dim = draw(st.integers(0, a.ndim - 1))
    if kind == "transpose":
        other = draw(st.integers(0, a.ndim - 1))
        return a.swapaxes(dim, other), x.transpose(dim, other)
    if kind == "permute":
        order = draw(st.permutations(range(a.ndim)))
        return a.transpose(order), x.permute(order)
    if kind == "select" and a.shape[dim]:
        index = draw(st.integers(-a.shape[dim], a.shape[dim] - 1))
        return a[(slice(None),) * dim + (index, ...)], x.select(dim, index)
    if kind == "slice":
        bound = st.none() | st.integers(-5, 5)
        cut = slice(draw(bound), draw(bound), draw(st.sampled_from([None, 1, 2, -1, -2])))
        return a[(slice(None),) * dim + (cut,)], x[(slice(None),) * dim + (cut,)]
    if kind == "expand":
        return np.broadcast_to(a, (2, *a.shape)), x.expand(2, *a.shape)
    return a, x


@st.composite
def chains(draw):
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)))
    base = np.arange(np.prod(shape), dtype="int64").reshape(shape)
    tensor = ct.from_numpy(base)
    a, x = base, tensor
    for _ in range(draw(st.integers(1, 4))):
        a, x = step(draw, a, x)
        if a.ndim > 5:
            break
    return base, a, x


@SETTINGS
@given(chains())
def test_views(chain):
    base, a, x = chain
    same(x, a)
    if not a.size:
        return
    place = a.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    assert x.storage_offset() == place // 8
    for size, mine, theirs in zip(a.shape, x.stride(), a.strides):
        assert size == 1 or mine == theirs // 8
    same(x.contiguous(), np.ascontiguousarray(a).reshape(a.shape))
    same(x.reshape(-1), a.reshape(-1))
    same(x + 0, a)


@pytest.mark.parametrize('values, var, std', [
    ([3e38, -3e38], math.inf, math.inf), ([1e20, -1e20, 0.], math.inf, 1e20), ([3e38] * 5, 0, 0),
    ([1e-30, 2e-30, 5e-30], 0, 2.0816660e-30), ([1e-22, -1e-22], 2e-44, 1.4142136e-22), ([math.inf, 1.], math.nan, math.nan)])
def test_variance_of_extremes(values, var, std):
    """Squares that no float32 holds still have a root that it does."""
    x = ct.tensor(values)
    for rows in (x, x[None], ct.stack((x, x))):
        assert ct.std(rows, -1).flatten()[0].item() == pytest.approx(std, rel=1e-6, abs=0, nan_ok=True)
        assert ct.var(rows, -1).flatten()[0].item() == pytest.approx(var, rel=1e-1, abs=0, nan_ok=True)
    columns = ct.stack((x, x), 1)
    assert ct.std(columns, 0)[0].item() == pytest.approx(std, rel=1e-6, abs=0, nan_ok=True)


@pytest.mark.parametrize("half", [ct.float16, ct.bfloat16])
@pytest.mark.parametrize("other", [ct.bool, ct.uint8, ct.int64, ct.float16, ct.bfloat16, ct.float32, ct.float64])
def test_halves_beside_a_tensor_of_one_number(half, other):
    rows = ct.arange(12.).reshape(3, 4).to(half)[:, :3]
    for one in (ct.ones((), dtype=other), ct.ones(3, 1, dtype=other)):
        assert (rows + one).tolist() == (rows.float() + 1).tolist()
        assert (one + rows).tolist() == (rows.float() + 1).tolist()
