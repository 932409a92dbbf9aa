# SPDX-License-Identifier: BSD-3-Clause
"""Compares rows of every length with NumPy, because engines have different code for short and long rows, vector
tails, keys in a small range, and types of each width."""
import corten as ct
import numpy as np
import pytest

WHOLES = ["uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64"]
TYPES = ["bool", *WHOLES, "float16", "float32", "float64"]
rng = np.random.default_rng(0)


def numbers(shape, dtype, kind="plain"):
    a = np.round(rng.standard_normal(shape) * 20)
    if np.dtype(dtype).kind != "f":
        return (a > 0) if dtype == "bool" else np.abs(a).astype(dtype)
    if kind != "plain":
        for value in (np.inf, -np.inf, -0.0, 0.0) + (np.nan,) * (kind == "odd"):
            a[rng.random(shape) < 0.1] = value
    return a.astype(dtype)


def order_of(a, descending=False):
    """Sorts stably with NaN as the largest element."""
    key = a.astype(object) if a.dtype.kind in "iu" else np.where(np.isnan(a), 0, a).astype(np.float64)
    greatest = np.isnan(a) if a.dtype.kind == "f" else np.zeros(a.shape, bool)
    index = range(a.size)
    if descending:
        return sorted(index, key=lambda i: (not greatest[i], -key[i], i))
    return sorted(index, key=lambda i: (greatest[i], key[i], i))


# ---- order ----

@pytest.mark.parametrize("dtype", TYPES[1:])
@pytest.mark.parametrize("kind", ["plain", "inf", "odd"])
@pytest.mark.parametrize("largest", [True, False])
def test_topk_by_groups(dtype, kind, largest):
    """Full vectors, tails, and ties across both."""
    for n, k in ((63, 1), (64, 1), (200, 3), (1000, 5), (1000, 15), (2570, 9), (9001, 40)):
        a = numbers(n, dtype, kind)
        expected = order_of(a, largest)[:k]
        v, i = ct.tensor(a).topk(k, largest=largest)
        assert i.tolist() == expected
        assert np.array_equal(v.tolist(), a[expected].astype(float), equal_nan=True)
        apart = ct.tensor(np.stack([a, a], 1))[:, 0]
        assert apart.topk(k, largest=largest).indices.tolist() == expected


def test_topk_of_equal_and_of_odd_elements():
    for dtype in (ct.float32, ct.float64, ct.float16, ct.bfloat16, ct.int64):
        x = ct.ones(5000, dtype=dtype)
        assert x.topk(7).indices.tolist() == x.topk(7, largest=False).indices.tolist() == list(range(7))
        if dtype.is_floating_point:
            x[:4990] = -float("nan")  # any sign of NaN
            assert x.topk(3).indices.tolist() == [0, 1, 2]
            assert x.topk(3, largest=False).indices.tolist() == [4990, 4991, 4992]
            assert x.topk(12, largest=False).indices.tolist() == [*range(4990, 5000), 0, 1]


FAR = 2**32
CLOSE = {
    "just close": [0, FAR - 1], "just not": [0, FAR], "around zero": [-5, FAR - 6], "high": [2**62, 2**62 + FAR - 1],
    "equal": [7], "few": [7, 8], "ends": [-(2**63), 2**63 - 1], "same halves": [5 * FAR, 5 * FAR + 3, 6 * FAR, 6 * FAR + 1]}


@pytest.mark.parametrize("name", CLOSE)
@pytest.mark.parametrize("n", [1, 2, 16, 17, 33, 300, 1000, 300000])
def test_keys_that_are_close(name, n):
    a = rng.choice(np.array(CLOSE[name], dtype=np.int64), n)
    up, down = np.argsort(a, kind="stable"), np.argsort(~a, kind="stable")
    for x in (ct.tensor(a), ct.tensor(np.stack([a, a], 1))[:, 0]):
        for expected, descending in ((up, False), (down, True)):
            v, i = x.sort(descending=descending, stable=True)
            assert np.array_equal(i.numpy(), expected) and np.array_equal(v.numpy(), a[expected])
        for k in {1, 2, 3, n // 2, n - 1, n} - {0, *range(n + 1, 4)}:
            v, i = x.kthvalue(k)
            assert (v.item(), i.item()) == (a[up[k - 1]], up[k - 1])
            if k < 300:
                assert np.array_equal(x.topk(k).indices.numpy(), down[:k])


@pytest.mark.parametrize("n", [2, 17, 40, 333, 2000])
def test_float64_whose_upper_halves_are_equal(n):
    for a in (1 + rng.integers(0, 9, n) * 2.0**-52, rng.choice([0.0, -0.0, 5e-324, -5e-324, np.nan], n),
              rng.choice([1.0, 1 + 2.0**-52, 2.0, -np.inf], n)):
        for descending in (False, True):
            expected = order_of(a, descending)
            v, i = ct.tensor(a).sort(descending=descending, stable=True)
            assert i.tolist() == expected
            assert a[expected].tobytes() == v.numpy().tobytes()


# ---- sums and similar reductions ----

@pytest.mark.parametrize("dtype", TYPES)
def test_folds_of_every_length(dtype):
    """Full vectors and tails, rows with gaps, several rows."""
    for n in (1, 2, 15, 16, 17, 31, 33, 63, 64, 65, 100, 127, 129, 200, 333):
        a = numbers((9, n), dtype)
        for x in (ct.tensor(a), ct.tensor(np.concatenate([a, a], 1))[:, :n], ct.tensor(a.T.copy()).t()):
            assert x.sum(1).tolist() == a.astype(np.float64).sum(1).tolist()
            assert x.count_nonzero(1).tolist() == np.count_nonzero(a, 1).tolist()
            assert x.count_nonzero().item() == np.count_nonzero(a)
            assert x.any(1).tolist() == a.any(1).tolist() and x.all(1).tolist() == a.all(1).tolist()
            if dtype != "bool":
                assert x.amax(1).tolist() == a.max(1).tolist() and x.amin(1).tolist() == a.min(1).tolist()
                assert x.argmax(1).tolist() == a.argmax(1).tolist()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_folds_of_odd_numbers(dtype):
    for n in (5, 64, 70, 100, 200):
        for value in (np.nan, np.inf, -np.inf, -0.0):
            a = -np.ones((n, n), dtype) if value == -0.0 else numbers((n, n), dtype)
            a[np.arange(n), np.arange(n)] = value  # one NaN at each position
            with np.errstate(all="ignore"):
                assert np.array_equal(ct.tensor(a).amax(1).tolist(), a.max(1), equal_nan=True)
                assert np.array_equal(ct.tensor(a).sum(1).tolist(), a.sum(1), equal_nan=True)
    zeros = ct.full((3, 100), -0.0)
    assert str(zeros.amax(1)) == "tensor([-0., -0., -0.])"


@pytest.mark.parametrize("dtype", [ct.float32, ct.float64])
def test_softmax_of_every_length(dtype):
    for n in (1, 31, 32, 33, 255, 256, 257, 300, 2049):
        a = rng.standard_normal((7, n))
        a[1, -1] = np.inf
        a[2, 0] = np.nan
        a[3] = -np.inf
        a[4, n // 2] = 800
        x = ct.tensor(a, dtype=dtype)
        with np.errstate(all="ignore"):
            z = a - a.max(1, keepdims=True)
            total = np.exp(z).sum(1, keepdims=True)
            soft, log_soft = np.exp(z) / total, z - np.log(total)
        assert np.allclose(x.softmax(1).tolist(), soft, rtol=1e-5, atol=1e-7, equal_nan=True)
        assert np.allclose(x.log_softmax(1).tolist(), log_soft, rtol=1e-5, atol=1e-5, equal_nan=True)
        assert ct.logsumexp(x, 1)[1].item() == np.inf and ct.logsumexp(x, 1)[3].item() == -np.inf
        assert np.isnan(ct.logsumexp(x, 1)[2].item())


@pytest.mark.parametrize("dtype", WHOLES)
def test_running_extremes(dtype):
    for n in (1, 2, 100, 5000):
        a = numbers((2, n), dtype)
        for x in (ct.tensor(a), ct.tensor(a.T.copy()).t()):
            most, least = x.cummax(1), x.cummin(1)
            assert most.values.tolist() == np.maximum.accumulate(a, 1).tolist()
            assert least.values.tolist() == np.minimum.accumulate(a, 1).tolist()
            assert x.gather(1, most.indices).tolist() == most.values.tolist()
            assert x.cumsum(1).tolist() == np.cumsum(a, 1, dtype=np.int64).tolist()


# ---- indices ----

@pytest.mark.parametrize("dtype", [*TYPES, "complex64", "complex128"])
@pytest.mark.parametrize("n", [1, 3, 17, 255, 300])
def test_short_lines_of_gather_and_scatter(dtype, n):
    rows = 40
    a, index = numbers((rows, n), dtype) if dtype[0] != "c" else numbers((rows, n), "float32").astype(dtype), \
        rng.integers(0, n, (rows, n))
    across = np.arange(rows)[:, None]
    wide = np.concatenate([index, index], 1)
    for x in (ct.tensor(a), ct.tensor(a.T.copy()).t()):
        for i in (ct.tensor(index), ct.tensor(wide)[:, :n], ct.tensor(index.T.copy()).t()):
            assert x.gather(1, i).tolist() == a[across, index].tolist()
            put, total = np.zeros_like(a), np.zeros_like(a)
            for j in range(n):  # of several values for one index the last is kept
                put[across[:, 0], index[:, j]] = a[:, j]
                total[across[:, 0], index[:, j]] += a[:, j]
            assert ct.zeros_like(x).scatter(1, i, x).tolist() == put.tolist()
            assert ct.zeros_like(x).scatter_add(1, i, x).tolist() == total.tolist()
    for bad in (-1, n):
        index[rows // 2, n // 2] = bad
        with pytest.raises(RuntimeError, match=f"index {bad} is out of bounds"):
            ct.tensor(a).gather(1, ct.tensor(index))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("how, word", [(np.minimum, "amin"), (np.maximum, "amax")])
def test_extremes_that_meet(dtype, how, word):
    a, s, index = numbers((5, 20), dtype, "odd"), numbers((5, 20), dtype, "odd"), rng.integers(0, 20, (5, 20))
    for dim in (0, 1):
        index %= a.shape[dim]
        expected = a.copy()
        where = list(np.indices(index.shape))
        where[dim] = index
        how.at(expected, tuple(where), s)
        for x in (ct.tensor(a), ct.tensor(a.T.copy()).t()):
            got = x.scatter_reduce(dim, ct.tensor(index), ct.tensor(s), word)
            assert np.array_equal(got.tolist(), expected.astype(float), equal_nan=True)


@pytest.mark.parametrize("dtype", [*TYPES, "complex64", "complex128"])
@pytest.mark.parametrize("n", [1, 100, 16385])
def test_masks(dtype, n):
    a = numbers((n, 2), dtype) if dtype[0] != "c" else numbers((n, 2), "float32").astype(dtype)
    b, mask = a[::-1].copy(), rng.random((n, 2)) < 0.5
    for x in (ct.tensor(a), ct.tensor(a.T.copy()).t()):
        m = ct.tensor(mask)
        filled, put = a.copy(), a.copy()
        filled[mask] = 1
        put[mask] = b.ravel()[: mask.sum()]
        assert x.masked_fill(m, 1).tolist() == filled.tolist()
        assert x.masked_fill(m[:, :1], 1).tolist() == np.where(mask[:, :1], np.ones((), a.dtype), a).tolist()
        assert x.masked_select(m).tolist() == a[mask].tolist()
        assert x.masked_scatter(m, ct.tensor(b)).tolist() == put.tolist()
        y = x.clone()
        y[m] = 1
        assert y.tolist() == filled.tolist()


def test_fill_of_what_repeats_itself():
    x = ct.zeros(3)
    with pytest.warns(UserWarning, match="expanded tensors"):
        x.expand(2, 3).masked_fill_(ct.tensor([[True, False, False], [False, False, True]]), 5)
    assert x.tolist() == [5, 0, 5]


# ---- distances ----

@pytest.mark.parametrize("p", [0, 0.5, 1, 2, 3, float("inf")])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_distances_of_short_and_long_rows(p, dtype):
    for n in (1, 3, 31, 32, 33, 70):
        for rows in (1, 16, 63, 64, 65, 130):
            a, b = rng.standard_normal((2, 3, n)).astype(dtype), rng.standard_normal((2, rows, n)).astype(dtype)
            if n > 1:
                a[..., 1] = b[:, :1, 1]
            apart = np.abs(a[:, :, None].astype(float) - b[:, None])
            expected = {0: (apart > 0).sum(-1), float("inf"): apart.max(-1)}.get(p)
            if expected is None:
                expected = (apart**p).sum(-1) ** (1 / p)
            got = ct.cdist(ct.tensor(a), ct.tensor(b), p, compute_mode="donot_use_mm_for_euclid_dist")
            assert np.allclose(got.tolist(), expected, rtol=1e-4 if dtype == np.float32 else 1e-12)


# ---- halves ----

@pytest.mark.parametrize("dtype", [ct.float16, ct.bfloat16])
def test_rows_of_halves(dtype):
    """Half types combined with rows, columns and numbers of the same and other types, in every layout."""
    for rows, n in ((5, 17), (7, 64), (3, 100)):
        a = ct.tensor(rng.standard_normal((rows, n)), dtype=dtype)
        others = [ct.tensor(rng.standard_normal(s), dtype=dtype) for s in ((rows, n), (rows, 1), (n,), (1, 1), ())]
        others += [ct.tensor(3, dtype=t) for t in (ct.uint8, ct.int64, ct.float32, ct.float64)] + [2.5, 3]
        others += [ct.tensor(1.5, dtype=ct.bfloat16 if dtype == ct.float16 else ct.float16)]
        for x in (a, a.t().contiguous().t(), ct.cat([a, a], 1)[:, :n], a.expand(2, rows, n)):
            for y in others:
                wide = y.float() if isinstance(y, ct.Tensor) else y
                for op in (ct.add, ct.mul, ct.sub):
                    for got, exact in ((op(x, y), op(x.float(), wide)), (op(y, x), op(wide, x.float()))):
                        assert got.dtype == dtype and got.tolist() == exact.to(dtype).tolist()
                z = x.clone()
                z += y
                assert z.tolist() == (x.float() + wide).to(dtype).tolist()
