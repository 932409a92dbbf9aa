# SPDX-License-Identifier: BSD-3-Clause
"""A reduction over one row larger than a core's caches reads it at several positions at once. Its result must
be the same as in order: for sizes around the threshold, any position of the maximum or of NaN, and any number
of threads."""
import numpy as np
import pytest

import corten

BOUND = 8 << 20  # bytes
SIZES = [BOUND // 4 + d for d in (-1, 0, 1, 4095, 123457)]


@pytest.fixture(params=[1, 2, 5])
def threads(request):
    before = corten.get_num_threads()
    corten.set_num_threads(request.param)
    yield request.param
    corten.set_num_threads(before)


def numbers(n, dtype="float32"):
    """Returns integers, whose sum does not depend on the order of additions."""
    return np.random.default_rng(n).integers(-40, 41, n).astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32", "int8"])
def test_sums_and_extremes(dtype, threads):
    for n in SIZES if dtype == "float32" else [4 * BOUND // np.dtype(dtype).itemsize // 3 + 77]:
        a = numbers(n, dtype)
        x = corten.from_numpy(a)
        wide = a.astype("int64")
        assert x.sum().item() == wide.sum()
        assert (x.max().item(), x.min().item()) == (wide.max(), wide.min())
        assert (x.amax().item(), x.amin().item()) == (wide.max(), wide.min())
        assert (x.argmax().item(), x.argmin().item()) == (wide.argmax(), wide.argmin())
        assert corten.count_nonzero(x).item() == np.count_nonzero(a)
        assert x.any().item() and not x.all().item()
        if dtype[0] == "f":
            assert x.norm().item() == pytest.approx(np.sqrt((wide * wide).sum()), rel=1e-6)
            assert x.std().item() == pytest.approx(wide.std(ddof=1), rel=1e-6)
            assert x.mean().item() == pytest.approx(wide.mean(), rel=1e-6)


@pytest.mark.parametrize("n", SIZES)
def test_one_element_anywhere(n, threads):
    """A single maximum or NaN is found at any position, also in the tails of blocks and pieces."""
    x = corten.zeros(n)
    places = [0, 1, n // 8, n // 4 - 1, n // 4, n // 2 + 1, 3 * n // 4, 65535, 65536, n - 4097, n - 2, n - 1]
    for i in places:
        x[i] = 3
        assert (x.argmax().item(), x.max().item(), x.sum().item()) == (i, 3, 3)
        assert x.any().item() and (x + 1).prod().item() == 4
        x[i] = float("nan")
        assert x.argmax().item() == x.argmin().item() == i
        assert all(np.isnan(v.item()) for v in (x.max(), x.min(), x.sum(), x.norm(), x.std()))
        x[i] = 0


def test_the_first_of_equals_is_taken(threads):
    n = SIZES[-1]
    for value in (5.0, float("nan")):
        x = corten.zeros(n)
        for i in (n - 1, 7 * n // 8, 3 * n // 4, n // 2 + 3, n // 2, n // 4, 70000, 65536, 9):
            x[i] = value
            assert x.argmax().item() == i
    assert corten.zeros(n).argmin().item() == 0


def test_sums_do_not_depend_on_threads():
    x = corten.from_numpy(np.random.default_rng(0).standard_normal(SIZES[-1]).astype("float32"))
    before, seen = corten.get_num_threads(), set()
    for count in (1, 2, 3, 7):
        corten.set_num_threads(count)
        seen.add((x.sum().item(), x.norm().item(), x.std().item(), x.view(3, -1)[:, 1:].sum(1).sum().item()))
    corten.set_num_threads(before)
    assert len(seen) == 1
