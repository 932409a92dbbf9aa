# SPDX-License-Identifier: BSD-3-Clause
"""Loops process several short rows at a time. Results must be the same as for each row alone, for lengths
around the vector widths, for views, and with any number of threads."""
import numpy as np
import pytest

import corten

LENGTHS = [1, 3, 4, 7, 8, 9, 17, 31, 32, 33, 50, 63, 64, 65, 100, 129]
TYPES = ["float32", "float64", "int64", "int32", "uint8", "complex64"]


@pytest.fixture(params=[1, 3])
def threads(request):
    before = corten.get_num_threads()
    corten.set_num_threads(request.param)
    yield request.param
    corten.set_num_threads(before)


def numbers(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 5, shape).astype(dtype)
    return a + (1j * rng.integers(0, 5, shape)).astype(dtype) if dtype[0] == "c" else a


def views(a):
    """Yields the same rows in other layouts: every second row, transposed, reversed."""
    x = corten.from_numpy(a)
    return [(x, a), (x[::2], a[::2]), (corten.from_numpy(np.asfortranarray(a)), a), (x.flip(0), a[::-1]),
            (x[:, 1:], a[:, 1:])]


@pytest.mark.parametrize("dtype", TYPES)
def test_running_sums(dtype, threads):
    wide = {"c": "complex128", "f": "float64"}.get(dtype[0], "int64")
    for n in LENGTHS:
        for x, a in views(numbers((37, n), dtype)):
            for dim in (0, 1):
                got = x.cumsum(dim).numpy()
                assert np.array_equal(got, a.cumsum(dim, dtype=wide).astype(got.dtype)), (n, dim)
                ones = np.where(a == 0, 1, -1).astype(dtype) if dtype != "uint8" else (a > 0).astype(dtype)
                got = corten.from_numpy(np.ascontiguousarray(ones)).cumprod(dim).numpy()
                assert np.array_equal(got, ones.cumprod(dim, dtype=wide).astype(got.dtype)), (n, dim)


@pytest.mark.parametrize("n", [4095, 4096, 4097, 70001])
def test_long_lines_do_not_depend_on_threads(n):
    x = corten.from_numpy(np.random.default_rng(n).standard_normal((3, n)).astype("float32"))
    before, seen = corten.get_num_threads(), []
    for count in (1, 2, 5):
        corten.set_num_threads(count)
        seen.append((x.cumsum(1).numpy().tobytes(), x[0].cumsum(0).numpy().tobytes(), x.cumsum(0).numpy().tobytes()))
    corten.set_num_threads(before)
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("dtype", ["bool", "int8", "int16", "float16", "float32", "float64", "complex128"])
def test_flips(dtype):
    for n in LENGTHS:
        a = numbers((5, n), dtype if dtype != "bool" else "uint8").astype(dtype)
        x = corten.from_numpy(a)
        assert np.array_equal(x.flip(1).numpy(), a[:, ::-1]) and np.array_equal(x.flip(0, 1).numpy(), a[::-1, ::-1])
        assert np.array_equal(x[:, 1:].flip(1).numpy(), a[:, 1:][:, ::-1])


@pytest.mark.parametrize("dtype", TYPES)
def test_rows_onto_rows(dtype, threads):
    for n in LENGTHS:
        a, s = numbers((11, n), dtype), numbers((200, n), dtype, 1)
        at = np.random.default_rng(n).integers(0, 11, 200)
        want = a.copy()
        np.add.at(want, at, s)
        x, i, v = corten.from_numpy(a), corten.from_numpy(at), corten.from_numpy(s)
        assert np.array_equal(x.index_add(0, i, v).numpy(), want)
        assert np.array_equal(x.index_put((i - 11,), v, accumulate=True).numpy(), want)
        assert np.array_equal(x.scatter_add(0, i.view(-1, 1).expand(200, n), v).numpy(), want)
        assert np.array_equal(x.t().contiguous().t().index_add(0, i, v).numpy(), want)
        some = corten.from_numpy(at[:1])
        put = a.copy()
        put[at[:1]] = s[:1]
        assert np.array_equal(x.index_put((some,), v[:1]).numpy(), put)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "uint16"])
def test_products_of_small_whole_numbers_wrap(dtype, threads):
    info = np.iinfo(dtype)
    rng = np.random.default_rng(3)
    for k in [1, 2, 15, 16, 33, 500, 16384, 40001]:
        a = rng.integers(info.min, info.max, (3, k), endpoint=True).astype(dtype)
        b = rng.integers(info.min, info.max, k, endpoint=True).astype(dtype)
        want = (a.astype("int64") @ b.astype("int64")).astype(dtype)
        x, y = corten.from_numpy(a), corten.from_numpy(b)
        assert np.array_equal((x @ y).numpy(), want)
        assert corten.dot(x[1], y).item() == want[1]
        wide = corten.from_numpy(np.repeat(b, 2))
        assert corten.dot(x[2], wide[::2]).item() == want[2]


@pytest.mark.parametrize("dtype", TYPES + ["int8", "bool"])
def test_folds_of_many_lines(dtype, threads):
    """Rows that share vectors with other rows, and counts or lengths just outside that case."""
    for count in (7, 8, 9, 127, 128, 129, 300):
        for n in (1, 5, 31, 32, 33, 50, 64, 100, 127, 128, 129, 200):
            a = numbers((count, n), dtype if dtype != "bool" else "uint8", n) % 3 if dtype != "complex64" else \
                numbers((count, n), dtype, n)
            a = a.astype(dtype)
            for x, b in views(a) if n > 1 else [(corten.from_numpy(a), a)]:
                total = b.sum(1, dtype="complex128" if dtype[0] == "c" else "int64")
                assert np.array_equal(x.sum(1).numpy(), total), (count, n)
                assert np.array_equal(x.any(1).numpy(), b.any(1)) and np.array_equal(x.all(1).numpy(), b.all(1))
                if dtype[0] != "c":
                    assert np.array_equal(x.amax(1).numpy(), b.max(1)), (count, n)
                    assert np.array_equal(x.amin(1).numpy(), b.min(1)), (count, n)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", [20, 50, 128])
def test_one_odd_element_in_many_lines(dtype, n):
    a = np.zeros((2 * n, n), dtype)
    a[np.arange(n), np.arange(n)] = np.nan
    a[np.arange(n) + n, np.arange(n)] = 7
    x = corten.from_numpy(a)
    for got, seven in ((x.sum(1), 7), (x.amax(1), 7), (x.norm(dim=1), 7), (x.mean(1), 7 / n)):
        assert np.isnan(got.numpy()[:n]).all() and np.allclose(got.numpy()[n:], seven, rtol=1e-6)
    assert np.isnan(x.amin(1).numpy()[:n]).all() and not x.amin(1).numpy()[n:].any()
    assert np.array_equal(x.nansum(1).numpy(), np.repeat(np.array([0, 7], dtype), n))


def test_sums_of_short_lines_are_exact_to_a_few_units():
    a = np.random.default_rng(1).random((500, 128)).astype("float32")
    for n in (50, 100, 128):
        exact = a[:, :n].astype("float64").sum(1)
        got = corten.from_numpy(np.ascontiguousarray(a[:, :n])).sum(1).numpy()
        assert (np.abs(got - exact) <= 4 * np.spacing(exact.astype("float32"))).all()
