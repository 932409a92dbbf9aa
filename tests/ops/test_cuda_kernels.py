# SPDX-License-Identifier: BSD-3-Clause
"""Kernels of a card beside the CPU's engines: sizes around the borders of warps, blocks and tiles, every type, strides,
ties, NaN, nothing at all. `make test-cuda` runs this on a card (CORTEN_TEST_CUDA=1), test_cuda_emulated.py a part of
it on the emulator of tests/emulator (CORTEN_TEST_CUDA=emulated).
"""
import os

import pytest

import corten as torch

WHERE = os.environ.get("CORTEN_TEST_CUDA")
pytestmark = pytest.mark.skipif(WHERE not in ("1", "emulated"), reason="needs a card: make test-cuda")

SIZES = [1, 2, 31, 33, 255, 257, 513, 1025, 2047, 2048, 2049, 4097, 8193, 65537, 300001]
SHAPES = [(), (0, 3), (3, 0), (3, 700), (700, 3), (40, 33), (5, 16, 7), (2500, 3), (3, 2500), (1000, 300)]
if WHERE == "emulated":
    SIZES, SHAPES = [1, 33, 513, 2049, 4097], SHAPES[:-1]
WHOLE = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]
FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
COMPLEX = [torch.complex64, torch.complex128]
LOOSE = {torch.float32: 1e-5, torch.float64: 1e-12, torch.float16: 4e-3, torch.bfloat16: 3e-2,
         torch.complex64: 5e-5, torch.complex128: 1e-12}


def values(shape, dtype, kind="plain"):
    """Elements that fit a type; "ties": few different ones, "nan": infinities, signed zeros and NaN among them."""
    if dtype == torch.bool:
        return torch.randint(0, 2, shape).bool()
    if dtype in COMPLEX:
        return torch.randn(shape, dtype=dtype)
    if dtype in WHOLE:
        low = 0 if dtype == torch.uint8 else -100
        return torch.randint(0 if kind == "ties" else low, 4 if kind == "ties" else 100, shape).to(dtype)
    x = torch.randn(shape, dtype=torch.float64)
    x = (x * 3).round() if kind == "ties" else x
    if kind == "nan" and x.numel() > 3:
        flat, n = x.view(-1), x.numel()
        flat[n // 2], flat[n // 3], flat[0], flat[n - 1] = float("nan"), float("inf"), -0.0, 0.0
    return x.to(dtype)


def close(want, got, loose):
    got = got.cpu()
    assert got.shape == want.shape and got.dtype == want.dtype
    if want.numel() == 0:
        return True
    same = (want == got) | ((want != want) & (got != got))
    if loose:
        apart = (want - got).abs().double()
        same = same | (apart <= loose * want.abs().double().clamp(min=1))
    return bool(same.all())


def agree(f, *given, loose=0):
    """f of tensors of the CPU and of the card."""
    want, got = f(*given), f(*(x.cuda() for x in given))
    want, got = [x if isinstance(x, (tuple, list)) else [x] for x in (want, got)]
    assert len(want) == len(got) and all(close(w, g, loose) for w, g in zip(want, got))


@pytest.mark.parametrize("dtype", WHOLE + FLOATS + COMPLEX, ids=str)
def test_scans(dtype):
    loose = LOOSE.get(dtype, 0)
    for n in SIZES:
        x = values((n,), dtype)
        agree(lambda t: t.cumsum(0), x, loose=loose)
        agree(lambda t: t.cumprod(0), x if not loose else (1 + 0.1 / n**.5 * x.to(dtype)).to(dtype), loose=4 * loose)
        if loose:
            agree(lambda t: t.logcumsumexp(0), x, loose=4 * max(loose, 1e-11))
        for kind in () if dtype in COMPLEX else ("ties", "nan"):
            agree(lambda t: torch.cummax(t, 0), values((n,), dtype, kind))
            agree(lambda t: torch.cummin(t, 0), values((n,), dtype, kind))
    for shape in SHAPES:
        x = values(shape, dtype)
        for d in range(max(1, len(shape))):
            agree(lambda t: t.cumsum(d), x, loose=4 * loose)
            agree(lambda t: (t.mT if t.ndim > 1 else t).cumsum(d), x, loose=4 * loose)


@pytest.mark.parametrize("dtype", [torch.bool] + WHOLE + FLOATS, ids=str)
def test_order(dtype):
    for n in SIZES:
        for kind in ("plain", "ties", "nan"):
            x = values((n,), dtype, kind)
            for down in (False, True):
                agree(lambda t: torch.sort(t, descending=down, stable=True), x)
            if dtype == torch.bool:
                continue
            agree(lambda t: torch.kthvalue(t, (n + 1) // 2), x)
            agree(lambda t: torch.median(t, 0), x)
            for k in {1, min(n, 100), n}:  # of equal ones the first
                top = torch.topk(x.cuda(), k)
                assert all(close(a[:k], b, 0) for a, b in zip(torch.sort(x, descending=True, stable=True), top))
    for shape in SHAPES:
        x = values(shape, dtype, "ties")
        for d in range(max(1, len(shape))):
            agree(lambda t: torch.sort(t, dim=d, stable=True), x)
            agree(lambda t: torch.sort(t.mT if t.ndim > 1 else t, dim=d, descending=True, stable=True), x)
            if x.numel() and dtype != torch.bool:
                agree(lambda t: torch.median(t, d, True), x)


def test_places():
    line, v = torch.randn(1000).sort()[0], torch.randn(7, 50)
    for right in (False, True):
        agree(lambda a, b: torch.searchsorted(a, b, right=right), line, v)
    lines = torch.randn(4, 50)
    agree(lambda a, b, c: torch.searchsorted(a, c, sorter=b), lines, lines.argsort(1), torch.randn(4, 9))


@pytest.mark.parametrize("dtype", [torch.bool] + WHOLE + FLOATS + COMPLEX, ids=str)
def test_masks(dtype):
    for shape in [(n,) for n in SIZES] + SHAPES:
        mask = torch.rand(shape) < 0.4
        x = values(shape, dtype) * (torch.rand(shape) < 0.5).to(dtype)
        agree(lambda t: t.nonzero(), x)
        agree(lambda t, m: t[m], x, mask)
        agree(lambda t, m: t.masked_fill(m, 1), x, mask)
        agree(lambda t, m, s: t.masked_scatter(m, s), x, mask, values(shape, dtype))


@pytest.mark.parametrize("dtype", [torch.bool] + WHOLE + FLOATS, ids=str)
def test_reductions(dtype):
    loose = 4 * LOOSE.get(dtype, 0)
    for shape in SHAPES + [(9, 129), (2, 5001), (70, 8), (1, 30000), (30000, 1), (33, 260)]:
        x = values(shape, dtype, "ties")
        for dims in [()] + [(d,) for d in range(len(shape))]:
            agree(lambda t: t.abs().sum(*dims) if loose else t.sum(*dims), x, loose=loose)
            if (x.shape[dims[0]] if dims else x.numel()) > 1 and dtype != torch.bool:
                agree(lambda t: t.max(*dims), x)
                agree(lambda t: t.argmin(*dims), x)
                if loose:
                    agree(lambda t: (t + 50).std(*dims), x, loose=10 * loose)
                    agree(lambda t: t.max(*dims), values(shape, dtype, "nan"))


@pytest.mark.parametrize("dtype", [torch.bool] + WHOLE + FLOATS + COMPLEX, ids=str)
def test_indices(dtype):
    for n, q in [(5, 1), (100, 3), (64, 64), (1000, 7), (300, 130)]:
        x, i, j = values((n, q), dtype), torch.randint(0, n, (n // 2 + 1,)), torch.randint(0, q, (n, 5))
        agree(lambda t, a: t.index_select(0, a), x, i)
        agree(lambda t, a: t.gather(1, a), x, j)
        agree(lambda t, a: (t[a], t[:, q // 2:][a], t[a - n]), x, i)
        agree(lambda t, a, b: t[a, b], x, i, torch.randint(0, q, i.shape))
        agree(lambda t: (torch.cat([t, t[:, :1], t], 1), t[:, 1:].contiguous(), t.t().contiguous()), x)
        if dtype != torch.bool and dtype not in COMPLEX:
            y = values((n, q), dtype, "ties")
            agree(lambda t, a: t.index_add(0, a, t[: a.numel()]), y, i)
            agree(lambda t, a, s: t.scatter_reduce(1, a, s, "amax"), y, j, values((n, 5), dtype))


def test_random():
    n = 1 << (14 if WHERE == "emulated" else 20)
    for k in (1, 10, 5000, n):
        assert torch.randperm(k, device="cuda").sort()[0].cpu().equal(torch.arange(k))
    full = lambda p: torch.full((n,), p, device="cuda")
    for got, mean, deviation in [
            (torch.bernoulli(full(0.25)), 0.25, 0.5), (torch.poisson(full(3.)), 3, 3**.5), (torch.poisson(full(50.)), 50, 50**.5),
            (torch.binomial(full(100.), full(0.7)), 70, 21**.5), (torch.binomial(full(10.), full(0.2)), 2, 1.6**.5),
            (full(0.).geometric_(0.25), 4, 12**.5), ((full(0.).cauchy_(1, 2) < 1).float(), 0.5, 0.5),
            ((torch.multinomial(torch.tensor([1., 0., 3.], device="cuda"), n, True) == 2).float(), 0.75, 0.5)]:
        assert abs(float(got.double().mean()) - mean) < 6 * deviation / n**.5
