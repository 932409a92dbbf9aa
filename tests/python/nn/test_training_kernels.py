# SPDX-License-Identifier: BSD-3-Clause
"""Kernels that dominate training time, compared with their definitions in NumPy: multithreaded linear layers, pooling with
stride 2, embedding bags, gradients of gelu and attention, iteration over a tensor that requires a gradient."""
import math

import numpy as np
import pytest

import corten as torch
from corten.nn import functional as F

rng = np.random.default_rng(7)


def with_threads(f, counts=(1, 2, 3, 5, 16)):
    """Runs f with each number of threads, checks that all results are the same bit for bit, and returns one."""
    before, results = torch.get_num_threads(), []
    try:
        for count in counts:
            torch.set_num_threads(count)
            results.append(f())
    finally:
        torch.set_num_threads(before)
    for r in results[1:]:
        assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(results[0], r))
    return results[0]


# one and several blocks of k; partial panels of rows and columns; more than one round of packing
@pytest.mark.parametrize("m, k, n", [(200, 300, 333), (1024, 256, 96), (77, 1500, 260), (30, 2100, 14001)])
@pytest.mark.parametrize("biased", [False, True])
def test_linear_that_threads_share(m, k, n, biased):
    x, w, b, g = (rng.standard_normal(s, dtype=np.float32) for s in ((m, k), (n, k), (n,), (m, n)))

    def run():
        tx, tw, tb = (torch.tensor(a).requires_grad_() for a in (x, w, b))
        y = F.linear(tx, tw, tb if biased else None)
        y.backward(torch.tensor(g))
        return y.detach().numpy(), tx.grad.numpy(), tw.grad.numpy()

    y, gx, gw = with_threads(run, (1, 2, 5))
    d = np.float64
    wide = x.astype(d) @ w.T.astype(d) + (b if biased else 0)
    assert np.allclose(y, wide, atol=1e-6 * k)
    assert np.allclose(gx, g.astype(d) @ w.astype(d), atol=1e-6 * n)
    assert np.allclose(gw, g.T.astype(d) @ x.astype(d), atol=1e-6 * m)


@pytest.mark.parametrize("dtype", [np.float16, np.int32, np.complex64])
def test_products_of_other_types_that_threads_share(dtype):
    a, b = rng.integers(-4, 5, (300, 1100)).astype(dtype), rng.integers(-4, 5, (1100, 260)).astype(dtype)
    if dtype is np.complex64:
        a = a + 1j * rng.integers(-4, 5, a.shape).astype(np.float32)
    product, = with_threads(lambda: [(torch.tensor(a) @ torch.tensor(b)).numpy()])
    wide = np.complex128 if dtype is np.complex64 else np.float64
    assert np.array_equal(product, (a.astype(wide) @ b.astype(wide)).astype(dtype))


def pooled(x, size, stride, padding):
    """Returns the maximum of each window and its index in the plane: the first of equal elements, the last of several NaN."""
    planes, height, width = x.shape
    outs = [(s + 2 * padding - size) // stride + 1 for s in (height, width)]
    best, number = np.zeros((planes, *outs), x.dtype), np.zeros((planes, *outs), np.int64)
    for p, i, j in np.ndindex(*best.shape):
        found = None
        for y in range(max(0, i * stride - padding), min(height, i * stride - padding + size)):
            for z in range(max(0, j * stride - padding), min(width, j * stride - padding + size)):
                v = x[p, y, z]
                if found is None or v > found or v != v:
                    found, number[p, i, j] = v, y * width + z
        best[p, i, j] = found
    return best, number


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
@pytest.mark.parametrize("size, padding", [(2, 0), (2, 1), (3, 0), (3, 1)])
@pytest.mark.parametrize("width", [3, 9, 15, 16, 17, 18, 19, 24, 33, 55])
def test_windows_two_apart(dtype, size, padding, width):
    x = rng.integers(-3, 4, (3, 7, width)).astype(dtype)  # equal elements in most windows
    if dtype is not np.int64:
        x[rng.random(x.shape) < 0.1] = np.nan
        x[rng.random(x.shape) < 0.1] = -np.inf
    best, number = F.max_pool2d(torch.tensor(x), size, 2, padding, return_indices=True)
    want, where = pooled(x, size, 2, padding)
    assert np.array_equal(best.numpy(), want, equal_nan=dtype is not np.int64)
    assert np.array_equal(number.numpy(), where)


@pytest.mark.parametrize("index", [torch.int64, torch.int32])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("width", [1, 3, 32, 64, 131])
@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_bags(mode, width, dtype, index):
    w, i = rng.standard_normal((50, width)), rng.integers(0, 50, 400)
    starts = np.sort(rng.integers(0, 401, 40))
    starts[0], starts[7], starts[-1] = 0, starts[6], 400  # two bags are empty
    bags = [i[a:b] for a, b in zip(starts, [*starts[1:], 400])]
    weight = torch.tensor(w, dtype=dtype).requires_grad_()
    out = F.embedding_bag(torch.tensor(i, dtype=index), weight, torch.tensor(starts, dtype=index), mode=mode)
    rows = weight.detach().double().numpy()
    reduced = {"sum": lambda r: r.sum(0), "mean": lambda r: r.mean(0), "max": lambda r: r.max(0)}[mode]
    want = np.array([reduced(rows[b]) if len(b) else np.zeros(width) for b in bags])
    close = {"rtol": 1e-5, "atol": 1e-5} if dtype is torch.float32 else {}
    assert np.allclose(out.detach().double().numpy(), want, **close)
    slope = rng.standard_normal(want.shape)
    out.backward(torch.tensor(slope, dtype=dtype))
    grad = np.zeros(w.shape)
    for b, g in zip(bags, slope):
        for j in b:
            if mode == "max":
                first = [next(n for n in b if rows[n, c] == rows[b, c].max()) for c in range(width)]
                grad[first, np.arange(width)] += g
                break
            grad[j] += g / (len(b) if mode == "mean" else 1)
    if mode != "max" or dtype is torch.float64:
        assert np.allclose(weight.grad.double().numpy(), grad, **close)


def test_bags_have_the_same_bits_with_any_number_of_threads():
    w, i = rng.standard_normal((1000, 96), dtype=np.float32), rng.integers(0, 1000, (700, 30))
    out, = with_threads(lambda: [F.embedding_bag(torch.tensor(i), torch.tensor(w), mode="sum").numpy()])
    assert np.allclose(out, w.astype(np.float64)[i].sum(1), atol=1e-4)
    with pytest.raises((IndexError, RuntimeError)):
        F.embedding_bag(torch.tensor([[0, 1000]]), torch.tensor(w), mode="sum")


@pytest.mark.parametrize("dtype, bound", [(torch.float64, 1e-15), (torch.float32, 5e-7), (torch.bfloat16, 8e-3)])
def test_gradients_of_gelu(dtype, bound):
    x = torch.linspace(-6, 6, 997, dtype=dtype).requires_grad_()
    first, = torch.autograd.grad(F.gelu(x).sum(), x, create_graph=True)
    second, = torch.autograd.grad(first.sum(), x)
    v = x.detach().double().numpy()
    density = np.exp(-v * v / 2) / math.sqrt(2 * math.pi)
    below = np.array([math.erfc(-t / math.sqrt(2)) / 2 for t in v])
    assert np.abs(first.detach().double().numpy() - (below + v * density)).max() < bound
    assert np.abs(second.double().numpy() - density * (2 - v * v)).max() < 3 * bound


@pytest.mark.parametrize("queries, keys", [(3, 200), (64, 300), (100, 128), (130, 70), (200, 200)])
def test_keys_that_no_query_sees(queries, keys):
    q, k, v = (torch.tensor(rng.standard_normal((2, 3, n, 20))).requires_grad_() for n in (queries, keys, keys))
    slope = torch.tensor(rng.standard_normal((2, 3, queries, 20)))
    F.scaled_dot_product_attention(q, k, v, is_causal=True).backward(slope)
    a, b, c, g = (t.detach().numpy() for t in (q, k, v, slope))
    scores = np.where(np.tril(np.ones((queries, keys), bool)), a @ b.swapaxes(-1, -2) / math.sqrt(20), -np.inf)
    p = np.exp(scores - scores.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    dp = g @ c.swapaxes(-1, -2)
    ds = p * (dp - (dp * p).sum(-1, keepdims=True)) / math.sqrt(20)
    for t, want in ((q, ds @ b), (k, ds.swapaxes(-1, -2) @ a), (v, p.swapaxes(-1, -2) @ g)):
        assert np.allclose(t.grad.numpy(), want, atol=1e-12)
    assert not k.grad[:, :, queries:].any() and not v.grad[:, :, queries:].any()


def test_iteration_over_what_needs_a_gradient():
    x = torch.arange(12.).reshape(3, 4).requires_grad_()
    a, b, c = x
    assert a.grad_fn.name() == "UnbindBackward0"
    (a * b + 2 * c).sum().backward()
    assert x.grad.tolist() == [[4, 5, 6, 7], [0, 1, 2, 3], [2] * 4]
    with pytest.raises(RuntimeError, match="Output 0 of Unbind"):
        a.add_(1)
    with torch.no_grad():
        assert [r.grad_fn for r in x] == [None] * 3
    assert list(torch.zeros(0, 3, requires_grad=True)) == []
