# SPDX-License-Identifier: BSD-3-Clause
"""Convolutions of sizes that reach every algorithm of the engine, compared with NumPy; results that do not depend on the
number of threads; products with a bias for every type and algorithm."""
import itertools
import os
import subprocess
import sys

import numpy as np
import pytest

import corten as torch
from corten.nn import functional as F

EXACT = {torch.float32: 2e-5, torch.float64: 1e-13, torch.float16: 2e-3, torch.bfloat16: 2e-2,
         torch.complex64: 2e-5, torch.complex128: 1e-13}


def numbers(shape, dtype, seed):
    """Returns random values rounded to `dtype`, as a float64 or complex128 array and as a tensor."""
    rng = np.random.default_rng(seed)
    values = rng.uniform(-1, 1, shape)
    if dtype.is_complex:
        values = values + 1j * rng.uniform(-1, 1, shape)
    t = torch.tensor(values).to(dtype)
    wide = torch.complex128 if dtype.is_complex else torch.float64
    return t.to(wide).numpy(), t


def windows(x, taps, stride, padding, dilation):
    """Returns the windows of a 2-d image as [n, c, output positions..., taps...]."""
    x = np.pad(x, [(0, 0), (0, 0), (padding, padding), (padding, padding)])
    reach = [dilation * (k - 1) + 1 for k in taps]
    seen = np.lib.stride_tricks.sliding_window_view(x, reach, axis=(2, 3))
    return seen[:, :, ::stride, ::stride, ::dilation, ::dilation]


def reference(x, w, grad, stride, padding, dilation, groups):
    """Returns the convolution; with `grad` also the gradients of input and weight."""
    seen = windows(x, w.shape[2:], stride, padding, dilation)
    n, c, h, v = seen.shape[:4]
    seen = seen.reshape(n, groups, c // groups, *seen.shape[2:])
    weights = w.reshape(groups, -1, *w.shape[1:])
    y = np.einsum("ngchvkl,gockl->ngohv", seen, weights, optimize=True).reshape(n, -1, h, v)
    if grad is None:
        return y
    g = grad.reshape(n, groups, -1, h, v)
    gw = np.einsum("ngohv,ngchvkl->gockl", g, seen.conj(), optimize=True).reshape(w.shape)
    gx = np.zeros((n, c, x.shape[2] + 2 * padding, x.shape[3] + 2 * padding), y.dtype)
    for k, l in itertools.product(range(w.shape[2]), range(w.shape[3])):
        part = np.einsum("ngohv,goc->ngchv", g, weights[..., k, l].conj(), optimize=True).reshape(n, c, h, v)
        at = [slice(t * dilation, t * dilation + stride * (size - 1) + 1, stride) for t, size in ((k, h), (l, v))]
        gx[:, :, at[0], at[1]] += part
    return y, gx[:, :, padding:padding + x.shape[2], padding:padding + x.shape[3]], gw


SHAPES = [  # n, channels in and out, height, width, kernel size, stride, padding, dilation, groups
    (3, 5, 40, 19, 23, 3, 1, 1, 1, 1), (2, 17, 33, 7, 7, 3, 1, 1, 1, 1), (5, 70, 20, 9, 8, 1, 1, 0, 1, 1),
    (2, 3, 18, 31, 33, 7, 2, 3, 1, 1), (2, 3, 20, 43, 40, 11, 4, 2, 1, 1), (3, 8, 36, 14, 15, 3, 2, 1, 1, 2),
    (2, 6, 12, 15, 40, 3, 1, 2, 2, 3), (3, 20, 20, 13, 37, 3, 1, 1, 1, 20), (2, 6, 18, 12, 11, 5, 2, 2, 1, 6),
    (1, 300, 9, 6, 5, 3, 1, 1, 1, 1), (2, 4, 8, 20, 70, 3, 3, 0, 1, 1), (2, 2, 3, 9, 9, 2, 3, 1, 2, 1),
    # Winograd tiles: several rows of tiles in a vector, odd sizes, long sums over channels and tiles
    (3, 17, 33, 11, 14, 3, 1, 1, 1, 1), (9, 12, 70, 7, 9, 3, 1, 1, 1, 1), (2, 130, 15, 18, 17, 3, 1, 0, 1, 1),
    (1, 13, 130, 23, 40, 3, 1, 2, 1, 1), (5, 32, 14, 24, 66, 3, 1, 1, 1, 1),
    (4, 14, 20, 13, 15, 5, 1, 2, 1, 1), (3, 13, 34, 18, 20, 6, 1, 3, 1, 1), (6, 40, 12, 9, 12, 5, 1, 0, 1, 1)]


def same(got, want, dtype):
    got = got.detach().resolve_conj().to(torch.complex128 if dtype.is_complex else torch.float64).numpy()
    assert got.shape == want.shape
    assert np.abs(got - want).max() <= EXACT[dtype] * np.abs(want).max(), (got, want)


@pytest.mark.parametrize("dtype", EXACT, ids=str)
@pytest.mark.parametrize("last", [False, True], ids=["contiguous", "channels_last"])
def test_values(dtype, last):
    shapes = SHAPES if dtype in (torch.float32, torch.float64) else SHAPES[::3]
    for seed, (n, c, o, h, v, k, stride, padding, dilation, groups) in enumerate(shapes):
        x, tx = numbers((n, c, h, v), dtype, seed)
        w, tw = numbers((o, c // groups, k, k), dtype, seed + 100)
        b, tb = numbers((o,), dtype, seed + 200)
        if last:
            tx = tx.contiguous(memory_format=torch.channels_last)
        y = F.conv2d(tx.requires_grad_(), tw.requires_grad_(), tb, stride, padding, dilation, groups)
        g, tg = numbers(tuple(y.shape), dtype, seed + 300)
        wanted = reference(x, w, g, stride, padding, dilation, groups)
        same(y, wanted[0] + b[:, None, None], dtype)
        gx, gw = torch.autograd.grad(y, (tx, tw), tg)
        same(gx, wanted[1], dtype)
        same(gw, wanted[2], dtype)


def test_transposed_is_the_derivative():
    for n, c, o, h, v, k, stride, padding, dilation, groups in SHAPES:
        x = torch.randn(n, c, h, v, dtype=torch.float64, requires_grad=True)
        w = torch.randn(o, c // groups, k, k, dtype=torch.float64)
        y = F.conv2d(x, w, None, stride, padding, dilation, groups)
        g = torch.randn_like(y)
        gx, = torch.autograd.grad(y, x, g)
        more = [size - ((out - 1) * stride - 2 * padding + dilation * (k - 1) + 1) for size, out in zip((h, v), y.shape[2:])]
        if all(m < max(stride, dilation) for m in more):
            assert torch.equal(F.conv_transpose2d(g, w, None, stride, padding, more, groups, dilation), gx)


@pytest.mark.parametrize("last", [False, True])
def test_threads_do_not_change_bits(last):
    before = torch.get_num_threads()
    try:
        for shape in SHAPES + [(9, 16, 16, 32, 32, 3, 1, 1, 1, 1)]:
            n, c, o, h, v, k, stride, padding, dilation, groups = shape
            torch.manual_seed(1)
            x, w = torch.randn(n, c, h, v), torch.randn(o, c // groups, k, k)
            if last:
                x = x.contiguous(memory_format=torch.channels_last)
            seen = []
            for threads in (1, 2, 5):
                torch.set_num_threads(threads)
                x.requires_grad_(), w.requires_grad_()
                y = F.conv2d(x, w, None, stride, padding, dilation, groups)
                seen.append((y, *torch.autograd.grad(y, (x, w), torch.ones_like(y))))
            for other in seen[1:]:
                assert all(torch.equal(a, b) for a, b in zip(seen[0], other)), shape
    finally:
        torch.set_num_threads(before)


def test_infinities_stay_where_they_are():
    """Outputs of one tile share partial sums, but an infinity or NaN must only reach the outputs whose windows contain it."""
    x, w = torch.randn(2, 16, 32, 32), torch.randn(16, 16, 3, 3)
    for value in (float("inf"), float("nan"), 3e38):
        x[1, 3, 5, 6] = value
        y = F.conv2d(x.requires_grad_(), w.requires_grad_(), padding=1)
        far = torch.ones(2, 32, 32, dtype=torch.bool)
        far[1, 4:7, 5:8] = False
        whole = y.isfinite().all(1)
        assert whole[far].all() and not whole[~far].all()
        g = torch.ones_like(y).detach()
        g[0, 2, 9, 9] = value
        gx, gw = torch.autograd.grad(y, (x, w), g)
        seen = ~gx.isfinite().all(1)
        assert not seen[1].any() and not seen[0, :8].any() and not seen[0, 11:].any() and seen[0, 8:11, 8:11].any()
        lost = ~gw.isfinite()
        assert lost[:, 3].any() and lost[2].any() and not lost[3:, :3].any()
        x = x.detach()


def test_no_pixel_without_memory():
    """Output elements that no input reaches are zero, or the bias."""
    y = F.conv_transpose2d(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 1, 1), torch.tensor([0.5]), stride=3)
    assert y.tolist() == [[[[1.5, 0.5, 0.5, 1.5], [0.5] * 4, [0.5] * 4, [1.5, 0.5, 0.5, 1.5]]]]


@pytest.mark.parametrize("dtype", [*EXACT, torch.int64, torch.int16], ids=str)
def test_products_with_a_bias(dtype):
    for m, n, k in ((3, 4, 5), (1, 70, 300), (70, 1, 300), (33, 65, 17), (130, 90, 1100), (40, 300, 700), (7, 5, 0), (5, 2000, 400)):
        if dtype in EXACT:
            (a, ta), (b, tb), (c, tc) = (numbers(s, dtype, 7) for s in ((m, k), (k, n), (n,)))
        else:
            rng = np.random.default_rng(3)
            a, b, c = (rng.integers(-9, 9, s) for s in ((m, k), (k, n), (n,)))
            ta, tb, tc = (torch.tensor(v).to(dtype) for v in (a, b, c))
        for left in (ta, ta.t().contiguous().t()):
            got = torch.addmm(tc, left, tb), torch.addmm(tc[:, None].expand(n, m).t(), left, tb), torch.addmm(tc[:1], left, tb)
            for result, wanted in zip(got, (a @ b + c, a @ b + c, a @ b + c[:1])):
                if dtype in EXACT:
                    same(result, wanted, dtype)
                else:
                    assert (result.numpy() == wanted.astype(result.numpy().dtype)).all()


def test_gradients_lie_as_their_matrices():
    x, w = torch.randn(40, 30, requires_grad=True), torch.randn(20, 30, requires_grad=True)
    y = F.linear(x, w, torch.randn(20))
    gx, gw = torch.autograd.grad(y.sum(), (x, w))
    assert gw.stride() == w.stride() and gx.stride() == x.stride()
    down = torch.randn(30, 40).t().requires_grad_()
    assert torch.autograd.grad((down @ w.t()).sum(), down)[0].stride() == (1, 40)


TILES = """
import corten as torch
for m, n, k in ((5, 7, 9), (33, 32, 31), (70, 90, 1100), (64, 64, 32), (1000, 40, 530)):
    a, b, c = torch.randn(m, k).bfloat16(), torch.randn(k, n).bfloat16(), torch.randn(n).bfloat16()
    wanted = a.double() @ b.double() + c.double()
    for x in (a, a.t().contiguous().t()):
        for y in (b, b.t().contiguous().t()):
            assert (torch.addmm(c, x, y).double() - wanted).abs().max() <= 0.005 * wanted.abs().max()
for last in (False, True):
    x, w = torch.randn(2, 7, 9, 11).bfloat16(), torch.randn(35, 7, 3, 3).bfloat16()
    wanted = torch.conv2d(x.double(), w.double(), None, 1, 1)
    x = x.contiguous(memory_format=torch.channels_last) if last else x
    assert (torch.conv2d(x, w, None, 1, 1).double() - wanted).abs().max() <= 0.005 * wanted.abs().max()
"""


def test_tiles_of_amx():
    """Tests the packing and tiling for AMX on any CPU: a plain C kernel replaces the AMX instructions."""
    subprocess.run([sys.executable, "-c", TILES], check=True, env={**os.environ, "CORTEN_ISA": "emulated-amx"})
