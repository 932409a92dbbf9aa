# SPDX-License-Identifier: BSD-3-Clause
"""Results larger than the caches use non-temporal stores. They must equal results computed in small pieces, for
every alignment, type and number of threads, and memory next to a result must not change."""
import numpy as np
import pytest

import corten

N = 7_000_003  # three tensors of this size in float32 are twice as large as most machines' caches


@pytest.fixture(scope="module", autouse=True)
def threads():
    before = corten.get_num_threads()
    yield
    corten.set_num_threads(before)


def pair(n, dtype):
    rng = np.random.default_rng(7)
    return [corten.from_numpy(rng.integers(0, 100, n).astype(dtype)) for _ in range(2)]


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int16"])
def test_one_line(dtype, count):
    corten.set_num_threads(count)
    n = N if dtype != "int16" else 2 * N
    x, y = pair(n, dtype)
    a, b = x.numpy(), y.numpy()
    assert np.array_equal((x + y).numpy(), a + b)
    assert np.array_equal((x * 3).numpy(), a * np.array(3, dtype))
    assert np.array_equal((x < y).numpy(), a < b)
    assert np.array_equal(x.to(corten.float64).numpy(), a.astype("float64"))
    assert np.array_equal(x.to(corten.float32).numpy(), a.astype("float32"))
    x += y
    assert np.array_equal(x.numpy(), a) and not np.array_equal(a, a - b)


@pytest.mark.parametrize("first", [0, 1, 5, 17])
def test_places_that_begin_inside_a_cache_line(first):
    x, y = pair(N, "float32")
    whole = corten.full((N + 64,), -1.0)
    part = whole[first:first + N]
    corten.add(x, y, out=part)
    got = whole.numpy()
    assert np.array_equal(got[first:first + N], x.numpy() + y.numpy())
    assert (got[:first] == -1).all() and (got[first + N:] == -1).all()


@pytest.mark.parametrize("columns", [10, 61, 130, 256, 259, 2500, 5001])
def test_rows(columns):
    x, y = (t.view(-1) for t in pair(N * 2, "float32"))
    rows = N * 2 // columns
    x, y = x[:rows * columns].view(rows, columns), y[:rows * columns].view(columns, rows)
    a, b = x.numpy(), y.numpy()
    assert np.array_equal((x + y[:, 0]).numpy(), a + b[:, 0])
    assert np.array_equal((x + y[0].view(rows, 1)).numpy(), a + b[0][:, None])
    assert np.array_equal((x.t() + y).numpy(), a.T + b)
    assert np.array_equal((y - x.t()).numpy(), b - a.T)
    wide = corten.full((rows, columns + 3), -1.0)
    corten.mul(x, y.t(), out=wide[:, 1:columns + 1])
    got = wide.numpy()
    assert np.array_equal(got[:, 1:columns + 1], a * b.T)
    assert (got[:, 0] == -1).all() and (got[:, columns + 1:] == -1).all()


@pytest.mark.parametrize("columns", [7, 131])
def test_rows_of_planes(columns):
    """An operand is broadcast over planes, or has one number per row; also half types, and a result
    of another type."""
    rows = 2 * N // (5 * columns)
    x = pair(5 * rows * columns, "float32")[0].view(5, rows, columns)
    y, z = x[0], x[1, :, :1]
    a, b, c = x.numpy(), y.numpy(), z.numpy()
    assert np.array_equal((x + y).numpy(), a + b)
    assert np.array_equal((x - z).numpy(), a - c)
    assert np.array_equal((x.half() + z.half()).float().numpy(), a + c)
    assert np.array_equal((x.bfloat16() + y.bfloat16()).float().numpy(), a + b)
    assert np.array_equal((x < z).numpy(), a < c)
    assert np.array_equal((x + y.int()).numpy(), a + b)
    assert np.array_equal(x.clone().numpy(), a)
