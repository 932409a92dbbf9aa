# SPDX-License-Identifier: BSD-3-Clause
"""Compares CUDA kernels with the CPU's engines: sizes around warps, blocks and tiles, every type, strides, ties, NaN,
empty tensors. `make test-cuda` runs this on a GPU (CORTEN_TEST_CUDA=1); test_cuda_emulated.py runs a part of it on the
emulator of tests/emulator (CORTEN_TEST_CUDA=emulated).
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
    """Returns random values of a type; kind "ties": with many equal elements, "nan": with infinities, signed zeros and NaN."""
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


def close(want, got, loose, scale=1):
    got = got.cpu()
    assert got.shape == want.shape and got.dtype == want.dtype
    if want.numel() == 0:
        return True
    same = (want == got) | ((want != want) & (got != got))
    if loose:
        apart = (want - got).abs().double()
        same = same | (apart <= loose * want.abs().double().clamp(min=scale))
    return bool(same.all())


def agree(f, *given, loose=0, scaled=False):
    """Checks that f gives the same on the CPU and the GPU. scaled: results are long sums, so the tolerance is relative to the
    largest result, even for elements near 0."""
    want, got = f(*given), f(*(x.cuda() for x in given))
    want, got = [x if isinstance(x, (tuple, list)) else [x] for x in (want, got)]
    scale = [w.abs().max().item() if scaled else 1 for w in want]
    assert len(want) == len(got) and all(close(w, g, loose, s) for w, g, s in zip(want, got, scale))


def agree_on_sums(f, x, loose):
    """Like agree() for running sums, with a tolerance relative to the largest of them, since they may pass 0."""
    want = f(x)
    finite = want.abs().double().nan_to_num(posinf=0)
    assert close(want, f(x.cuda()), loose, max(1.0, finite.max().item() if want.numel() else 1.0))


@pytest.mark.parametrize("dtype", WHOLE + FLOATS + COMPLEX, ids=str)
def test_scans(dtype):
    loose = LOOSE.get(dtype, 0)
    for n in SIZES:
        x = values((n,), dtype)
        agree_on_sums(lambda t: t.cumsum(0), x, loose)
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
            for k in {1, min(n, 100), n}:  # the first of equal elements
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
    agree(lambda a: (torch.searchsorted(a, 0.25), torch.bucketize(1, a), torch.isin(a, 2), torch.isin(2, a)), line)


@pytest.mark.parametrize("dtype", [torch.bool] + WHOLE + FLOATS + COMPLEX, ids=str)
def test_masks(dtype):
    for shape in [(n,) for n in SIZES] + SHAPES:
        mask = torch.rand(shape) < 0.4
        x = values(shape, dtype) * (torch.rand(shape) < 0.5).to(dtype)
        agree(lambda t: t.nonzero(), x)
        agree(lambda t, m: t[m], x, mask)
        agree(lambda t, m: t.masked_fill(m, 1), x, mask)
        agree(lambda t, m, s: t.masked_scatter(m, s), x, mask, values(shape, dtype))


def test_masks_that_name_too_many():
    for n in (2, 5000):
        x, source = torch.zeros(n, device="cuda"), torch.ones(n - 1, device="cuda")
        with pytest.raises(RuntimeError, match="Number of elements of source < number of ones in mask"):
            x.masked_scatter_(x == 0, source)  # raised by the call or at the next synchronization
            torch.cuda.synchronize()
        assert source.sum().item() == n - 1


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


@pytest.mark.parametrize("dtype", WHOLE + FLOATS, ids=str)
def test_reductions_of_columns(dtype):
    loose = 4 * LOOSE.get(dtype, 0)
    x = values((2055, 512), dtype, "ties")  # large enough that a thread reads neighbouring columns at once
    agree(lambda t: (t.abs() if loose else t).sum(0), x, loose=loose)
    agree(lambda t: t.max(0), x)
    if loose:
        agree(lambda t: (t + 50).std(0), x, loose=10 * loose)
        agree(lambda t: t.view(15, 137, 512).abs().sum((0, 1)), x, loose=loose)
    if WHERE != "emulated":
        x = values((4099, 4104), dtype, "ties")  # several columns per thread
        agree(lambda t: t.max(0), x)
        if loose:
            agree(lambda t: (t + 50).std(0), x, loose=10 * loose)


@pytest.mark.parametrize("dtype", [torch.int32] + FLOATS, ids=str)
def test_reductions_of_two_dims(dtype):
    """Row lengths that are multiples of the vector width, others, and empty ones; several numbers of dims."""
    loose = 4 * LOOSE.get(dtype, 0)
    for shape, dims in [((6, 3, 16, 16), (0, 2, 3)), ((5, 7, 9, 11), (0, 2, 3)), ((64, 3, 7, 7), (0, 2, 3)),
                        ((4, 40, 33), (0, 2)), ((0, 3, 4), (0, 2)), ((3, 5, 7, 9, 2), (0, 2, 4)), ((2, 3000, 2), (0, 2))]:
        x = values(shape, dtype, "ties")
        for order in [range(len(shape)), range(len(shape) - 1, -1, -1)]:
            agree(lambda t: (t.abs() if loose else t).permute(*order).sum(dims), x, loose=loose)
            if x.numel():
                agree(lambda t: t.permute(*order).amax(dims), x)
                if loose:
                    agree(lambda t: (t + 50).permute(*order).var(dims), x, loose=10 * loose)


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int16, torch.float32, torch.float64, torch.complex128], ids=str)
def test_indices_of_layouts(dtype):
    """Transposed operands are read in tiles; cat copies all its inputs in one launch."""
    for shape, order in [((33, 70), (1, 0)), ((16, 16), (1, 0)), ((5, 40, 33), (0, 2, 1)), ((40, 3, 64), (2, 1, 0)),
                         ((2, 17, 5, 32), (0, 2, 3, 1))]:
        x, y = values(shape, dtype), values([shape[d] for d in order], dtype)
        agree(lambda t: t.permute(order).contiguous(), x)
        agree(lambda t, u: (t.permute(order) + u, t.permute(order)[..., 1:] * t.permute(order)[..., :1]), x, y)
        agree(lambda t: torch.cat([t, t.flip(0)[..., :3], t[..., 1:]], -1), x)
        agree(lambda t: torch.cat([t, t[:2], t[:0]] + 40 * [t[:1]]), x)
        agree(lambda t: torch.stack([t, t * 2], 1), x)


@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
def test_places_of_a_grid(mode):
    for padding in ("zeros", "border", "reflection"):
        for size, places in (((6, 7), (4, 5)), ((4, 5, 3), (3, 2, 4)))[:2 if mode != "bicubic" else 1]:
            both = []
            for where in ("cpu", "cuda"):
                torch.manual_seed(1)
                x = torch.randn(2, 11, *size).to(where).requires_grad_()
                grid = (1.2 * torch.randn(2, *places, len(size))).to(where).requires_grad_()
                out = torch.nn.functional.grid_sample(x, grid, mode=mode, padding_mode=padding, align_corners=False)
                first = torch.autograd.grad((out * out).sum(), (x, grid), create_graph=True)
                second = torch.autograd.grad(sum((g * g).sum() for g in first), (x, grid))
                both.append((out.detach(), *(g.detach() for g in first), *second))
            assert all(close(a, b, 1e-3) for a, b in zip(*both))


def test_places_of_rows():
    for shape, d in ((50, 3), 0), ((3, 40), 1), ((60, 2, 2), 0), ((30, 1), 0):
        for dtype in (torch.int64, torch.float32, torch.uint8):
            agree(lambda t: torch.unique(t, dim=d, return_inverse=True, return_counts=True), values(shape, dtype, "ties"))


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
        for at in (i, torch.rand(n) < 0.5, torch.rand(n, q) < 0.5):  # PyTorch accepts index tensors on the CPU
            agree(lambda t: (t[at], t[i.tolist()], t.index_put((at,), torch.tensor(1).to(dtype))), x)


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


def gradients(f, *given):
    """Returns f of tensors, and its gradients for an output gradient that varies between elements."""
    leaves = [x.detach().requires_grad_() for x in given]
    y = f(*leaves)
    ramp = torch.arange(y.numel(), device=y.device).view(y.shape)
    return [y.detach(), *torch.autograd.grad((y * (ramp % 7 - 3.25)).sum(), leaves)]


# images, channels, height, width, output channels, kernel size, stride, padding, dilation
CONVOLUTIONS = [(2, 3, 9, 9, 5, (3, 3), 1, 1, 1), (1, 16, 8, 8, 16, (3, 3), 1, 1, 1), (2, 5, 7, 10, 20, (3, 3), 2, 1, 1),
                (1, 4, 12, 12, 70, (1, 1), 1, 0, 1), (2, 6, 9, 8, 33, (3, 5), 1, (0, 2), 2),
                (1, 20, 6, 9, 18, (5, 5), 1, 2, 1), (2, 16, 9, 33, 40, (3, 3), 1, 1, 1), (3, 8, 7, 7, 130, (3, 3), 1, 1, 1),
                (2, 3, 20, 20, 8, (7, 7), 2, 3, 1), (2, 4, 9, 9, 6, (1, 1), 2, 0, 1)]


@pytest.mark.parametrize("tf32", [False, True])
@pytest.mark.parametrize("case", CONVOLUTIONS[::4] if WHERE == "emulated" else CONVOLUTIONS)
def test_convolutions(case, tf32):
    n, c, h, w, o, taps, *how = case
    torch.manual_seed(0)
    given = torch.randn(n, c, h, w), torch.randn(o, c, *taps) / (c * taps[0] * taps[1]) ** 0.5, torch.randn(o)
    before, torch.backends.cudnn.allow_tf32 = torch.backends.cudnn.allow_tf32, tf32
    try:
        agree(lambda *x: gradients(lambda x, w, b: torch.nn.functional.conv2d(x, w, b, *how), *x), *given,
              loose=2e-3 if tf32 else 2e-6, scaled=True)
    finally:
        torch.backends.cudnn.allow_tf32 = before


# more tiles than blocks, so that each block processes several (cuda/conv/strip.c)
STRIPS = [(9, 5, 9, 30, 7, (3, 3), (1, 1)), (34, 10, 7, 7, 20, (5, 3), (2, 2)), (140, 12, 15, 15, 20, (5, 5), (2, 2)),
          (600, 10, 7, 7, 40, (5, 5), (2, 2)), (140, 17, 12, 20, 18, (3, 2), (0, 1)), (40, 3, 36, 40, 33, (5, 5), (2, 2))]


@pytest.mark.parametrize("case", STRIPS[:2] if WHERE == "emulated" else STRIPS, ids=str)
def test_convolutions_by_strips(case):
    n, c, h, w, o, taps, padding = case
    torch.manual_seed(0)
    given = torch.randn(n, c, h, w), torch.randn(o, c, *taps) / (c * taps[0] * taps[1]) ** 0.5, torch.randn(o)
    before, torch.backends.cudnn.allow_tf32 = torch.backends.cudnn.allow_tf32, True
    try:
        want, *got = (gradients(lambda x, w, b: torch.nn.functional.conv2d(x, w, b, padding=padding), *of)
                      for of in ([x.double() for x in given], *[[x.cuda() for x in given]] * 2))
    finally:
        torch.backends.cudnn.allow_tf32 = before
    for exact, one, other in zip(want, *got):
        assert bool((one == other).all())
        assert float((one.cpu().double() - exact).norm()) <= 1e-3 * float(exact.norm())


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("n,classes", [(5, 10), (300, 7), (1, 1), (3, 4000)])
def test_losses_of_classes(n, classes, dtype):
    torch.manual_seed(0)
    x, target = torch.randn(n, classes, dtype=dtype) * 3, torch.randint(0, classes, (n,))
    some = target.clone()
    some[::3] = -100
    for y, how in ((target, {}), (some, {}), (some, {"reduction": "sum"}), (target, {"ignore_index": 0})):
        agree(lambda x: gradients(lambda x: torch.nn.functional.cross_entropy(x, y.to(x.device), **how), x), x,
              loose=1e-5)


# short and long channels, with and without vector loads
NORMS = [(3, 5, 6, 6), (4, 7, 7, 7), (16, 9, 1), (2, 1, 30, 30), (3, 8, 40, 40), (33, 6, 8, 8), (5, 40, 33, 31),
         (16, 256, 14, 14), (128, 64, 8, 8), (16, 64, 56, 56)]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("shape", NORMS[:6] if WHERE == "emulated" else NORMS, ids=str)
def test_norms(shape, dtype):
    torch.manual_seed(0)
    x, weight, bias = torch.randn(shape) * 2 + 3, torch.randn(shape[1]), torch.randn(shape[1])

    def normed(training):
        def f(x, w, b):
            seen = [torch.full_like(w, 0.1), torch.full_like(w, 2)]
            found = gradients(lambda *t: torch.nn.functional.batch_norm(t[0], *seen, *t[1:], training), x, w, b)
            scale = float(found[2].abs().max())
            return [found[0], found[1], found[2] / scale, found[3], *seen]
        return f
    for training in (True, False):
        agree(normed(training), *(t.to(dtype) for t in (x, weight, bias)), loose=1e-4 if dtype == torch.float32 else 1e-11)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16], ids=str)
def test_pools(dtype):
    """Windows with and without overlap, rows that fit a block or do not, adaptive windows."""
    F, loose = torch.nn.functional, LOOSE[dtype]
    for shape, how in [((3, 5, 9, 11), (3, 2, 1)), ((2, 3, 32, 32), (3, 2)), ((1, 2, 170, 160), (2, 2)), ((2, 3, 40), (3, 2))]:
        x = values(shape, dtype)
        pools = (F.max_pool2d, F.avg_pool2d) if len(shape) == 4 else (F.max_pool1d, F.avg_pool1d)
        for pool in pools:
            agree(lambda t: gradients(lambda t: pool(t, *how), t), x, loose=loose)
    if dtype != torch.float16:
        x = values((2, 3, 9, 11), dtype)
        for f in (lambda t: F.adaptive_avg_pool2d(t, (4, 5)), lambda t: F.interpolate(t, size=(13, 7), mode="bicubic")):
            agree(lambda t: gradients(f, t), x, loose=loose)


PRODUCTS = [(64, 64, 64), (100, 132, 80), (120, 248, 64), (64, 248, 80), (65, 70, 67)]
LARGE = [(65, 70, 530), (130, 70, 67), (500, 129, 300), (128, 2560, 600), (64, 1000, 9000), (1024, 784, 2048),
         (2048, 2048, 64), (2048, 260, 4096), (4096, 10000, 256)]


@pytest.mark.parametrize("m,n,k", PRODUCTS if WHERE == "emulated" else PRODUCTS + LARGE)
@pytest.mark.parametrize("turned", range(4))
def test_products(m, n, k, turned):
    torch.manual_seed(0)
    a, b = torch.randn(m, k) / k ** 0.5, torch.randn(k, n)
    if turned & 1:
        a = a.t().contiguous().t()
    if turned & 2:
        b = b.t().contiguous().t()
    agree(lambda a, b: a @ b, a, b, loose=5e-6)
    agree(lambda a, b, c: torch.addmm(c, a, b, beta=0.5, alpha=2), a, b, torch.randn(m, n), loose=1e-5)
    agree(torch.nn.functional.linear, a, b.t(), torch.randn(n), loose=5e-6)


@pytest.mark.parametrize("k", [1100] if WHERE == "emulated" else [64, 1024, 16384])
@pytest.mark.parametrize("draw", [torch.rand, torch.randn])
def test_products_are_as_exact_as_float32(k, draw):
    """Tensor cores truncate sums, and these errors accumulate if all terms are positive."""
    torch.manual_seed(0)
    wide = 64 if WHERE == "emulated" else 128
    a, b = draw(wide, k), draw(k, wide)
    exact = a.double() @ b.double()
    apart = ((a.cuda() @ b.cuda()).cpu().double() - exact).norm() / exact.norm()
    assert apart < (2e-7 if draw is torch.rand else 5e-7)


def test_products_of_a_batch():
    torch.manual_seed(0)
    a, b = torch.randn(3, 64, 68), torch.randn(3, 68, 72)
    agree(torch.bmm, a, b, loose=2e-5)
    agree(torch.bmm, a, b[:1].expand(3, 68, 72), loose=2e-5)


def by_rule(a, b, got):
    """Returns which elements of the product `got` are correct for some order of summation. An element must be NaN if a term
    is NaN or there are infinities of both signs; infinite if there are infinities of one sign; and near the exact sum if
    no partial sum can overflow float32. If one can overflow, any value is accepted."""
    def any_of(*pairs):
        return sum(x.double() @ y.double() for x, y in pairs) > 0
    inf, up, down = float("inf"), [x > 0 for x in (a, b)], [x < 0 for x in (a, b)]
    nan = (a != a).any(1, keepdim=True) | (b != b).any(0, keepdim=True) | any_of((a.isinf(), b == 0), (a == 0, b.isinf()))
    plus = any_of((a == inf, up[1]), (a == -inf, down[1]), (up[0], b == inf), (down[0], b == -inf))
    minus = any_of((a == inf, down[1]), (a == -inf, up[1]), (down[0], b == inf), (up[0], b == -inf))
    x, y = (t.double().nan_to_num(0, 0, 0) for t in (a, b))
    size = x.abs() @ y.abs()
    fits = size < 3.4e38
    near = got.isfinite() & ((got.double() - x @ y).abs() <= 1e-5 * size)
    return torch.where(nan | (plus & minus), got != got,
                       torch.where(plus | minus, (got == torch.where(plus, inf, -inf)) | (~fits & (got != got)), ~fits | near))


# special elements that are put into the left and the right factor
ODD = {"infinities": ([float("inf")] * 3, [-float("inf")] * 2), "NaN": ([float("nan")], [0.] * 9 + [float("nan")]),
       "both": ([float("inf"), float("nan")], [-float("inf"), 0.]), "large": ([-3.2e38] * 3, [3.4028e38] * 4),
       "all": ([float("inf"), -3.2e38, float("nan")], [3.4028e38, -float("inf"), 0.])}


@pytest.mark.parametrize("odd", ODD)
def test_products_of_special_values(odd):
    """The split into several tensor core products must handle infinities, NaN and very large numbers."""
    torch.manual_seed(0)
    for m, n, k in [(70, 92, 80), (70, 91, 81), (5, 992, 1060)] + [(256, 512, 300), (129, 1000, 4096)] * (WHERE == "1"):
        a, b = torch.randn(m, k), torch.randn(k, n)
        for t, v in zip((a, b), ODD[odd]):
            t.view(-1)[torch.randperm(t.numel())[:len(v)]] = torch.tensor(v)
        a[3] = 0  # a row that selects a single element of each column
        a[3, 40] = 1
        assert by_rule(a, b, (a.cuda() @ b.cuda()).cpu()).all() and by_rule(a, b, a @ b).all()


def test_products_have_the_same_bits():
    """Repeated products are identical bit for bit, also when partial sums are combined (split-K)."""
    torch.manual_seed(0)
    for m, n, k in [(40, 500, 2000), (160, 8, 2000), (64, 64, 2048)] + [(40, 500, 9000), (300, 300, 20000)] * (WHERE == "1"):
        for dtype in (torch.float32, torch.float16)[:2 if WHERE == "1" else 1]:
            a, b = torch.randn(m, k).to(dtype).cuda(), torch.randn(k, n).to(dtype).cuda()
            first = a @ b
            assert all(first.equal(a @ b) for _ in range(20 if WHERE == "1" else 1))


# all steps in one launch, with one block per sequence or several synchronizing blocks; and one launch per step
RECURRENT = [(5, 7, 3, 1), (6, 16, 17, 1), (16, 33, 20, 2), (20, 256, 128, 2), (8, 256, 300, 1), (8, 500, 40, 1)]


@pytest.mark.parametrize("m,n,k", [(5, 992, 1060)] if WHERE == "emulated" else [(5, 992, 1060), (16, 4096, 9216), (2, 20004, 100)])
def test_products_of_few_rows(m, n, k):
    torch.manual_seed(0)
    a, b, c = torch.randn(m, k) / k ** 0.5, torch.randn(k, n), torch.randn(m, n)
    agree(lambda a, b, c: torch.addmm(c, a, b, beta=0.5, alpha=2), a, b, c, loose=1e-5)
    agree(torch.nn.functional.linear, a, b.t().contiguous(), torch.randn(n), loose=5e-6)
    a[1, 5], b[40, 7], b[41, 9], b[42, 11] = 2, float("inf"), float("nan"), 3.4028e38
    a[0] = 0
    a[0, 40:43] = 1
    agree(lambda a, b: (a @ b)[0, 7:12], a, b, loose=1e-5)
    agree(lambda a, b: (a @ b).isfinite(), a, b)


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
@pytest.mark.parametrize("wide,hidden,batch,layers", RECURRENT[:2] if WHERE == "emulated" else RECURRENT)
def test_recurrent(kind, wide, hidden, batch, layers):
    """Bidirectional networks with initial states."""
    torch.manual_seed(0)
    here = getattr(torch.nn, kind)(wide, hidden, layers, bidirectional=True)
    there = getattr(torch.nn, kind)(wide, hidden, layers, bidirectional=True).cuda()
    there.load_state_dict(here.state_dict())

    def run(x, *first):
        y, last = (there if x.is_cuda else here)(x, first if kind == "LSTM" else first[0])
        return torch.cat([y.reshape(-1), *(t.reshape(-1) for t in (last if kind == "LSTM" else [last]))])
    first = [torch.randn(2 * layers, batch, hidden) for _ in range(2 if kind == "LSTM" else 1)]
    agree(lambda *x: gradients(run, *x), torch.randn(4, batch, wide), *first, loose=1e-5)
    again = [gradients(run, *(t.cuda() for t in (torch.ones(4, batch, wide), *first))) for _ in range(2)]
    assert all(a.equal(b) for a, b in zip(*again))


def test_random_pairs_and_faults():
    z = torch.randn(1 << 14, dtype=torch.complex64, device="cuda")
    assert abs(float(z.abs().square().mean()) - 1) < 0.1
    bad = [(lambda p: torch.bernoulli(p), [0.5, 1.5], "p_in"), (lambda p: torch.bernoulli(p), [float("nan")], "p_in"),
           (lambda p: torch.multinomial(p, 4, True), [5., -1.], "entry < 0"),
           (lambda p: torch.multinomial(p, 4, True), [0.5, float("inf")], "infinity"),
           (lambda p: torch.multinomial(p, 4, True), [0., 0.], "sum of probabilities"),
           (lambda p: torch.searchsorted(p, p[:1], sorter=torch.tensor([0, 2], device="cuda")), [0., 1.], "sorter index"),
           (lambda p: torch.searchsorted(p, p[:1], sorter=torch.tensor([-1, 1], device="cuda")), [0., 1.], "sorter index")]
    for draw, p, text in bad:
        with pytest.raises(RuntimeError, match=text):  # raised by the call or at the next synchronization
            draw(torch.tensor(p, device="cuda"))
            torch.cuda.synchronize()
        assert torch.ones(3, device="cuda").sum().item() == 3
