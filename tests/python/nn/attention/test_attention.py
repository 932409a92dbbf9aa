# SPDX-License-Identifier: BSD-3-Clause
"""Compares attention with its definition in NumPy's float64: every type, partial tiles, masks, grouped-query heads; and the
gradients of the fused engine with those of recorded operations."""
import numpy as np
import pytest

import corten as torch
from corten.nn.functional import scaled_dot_product_attention as attend

TOLERANCE = {torch.float64: 1e-13, torch.float32: 2e-6, torch.float16: 2e-3, torch.bfloat16: 1.6e-2}


def defined(q, k, v, mask=None, causal=False, scale=None):
    q, k, v = (t.detach().double().numpy() for t in (q, k, v))
    k, v = (np.repeat(t, q.shape[-3] // t.shape[-3], -3) if t.ndim > 2 else t for t in (k, v))
    scores = q @ k.swapaxes(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    seen = np.ones(scores.shape, bool)
    if causal:
        seen = np.tril(seen)
    if mask is not None and mask.dtype == torch.bool:
        seen = seen & mask.numpy()
    elif mask is not None:
        scores = scores + mask.double().numpy()
    scores = np.where(seen, scores, -np.inf)
    most = scores.max(-1, keepdims=True)
    p = np.exp(scores - np.where(np.isinf(most), 0, most))
    total = p.sum(-1, keepdims=True)
    return (p / np.where(total == 0, 1, total)) @ v


def draw(dtype, *shapes):
    torch.manual_seed(len(shapes))
    return [torch.randn(shape).to(dtype).requires_grad_() for shape in shapes]


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("queries, keys", [(1, 1), (3, 300), (64, 64), (65, 257), (130, 20), (200, 513)])
def test_sizes(dtype, causal, queries, keys):
    q, k, v = draw(dtype, (2, 3, queries, 8), (2, 3, keys, 8), (2, 3, keys, 5))
    out = attend(q, k, v, is_causal=causal)
    assert out.dtype is dtype
    assert np.abs(out.detach().double().numpy() - defined(q, k, v, causal=causal)).max() <= 2 * TOLERANCE[dtype]


@pytest.mark.parametrize("kind", ["bool", "float", "row", "head"])
def test_masks(kind):
    q, k, v = draw(torch.float32, (2, 3, 70, 8), (2, 3, 300, 8), (2, 3, 300, 8))
    torch.manual_seed(1)
    mask = {"bool": torch.rand(70, 300) > 0.7, "float": torch.randn(2, 1, 70, 300), "row": torch.rand(1, 300) > 0.5,
            "head": torch.randn(3, 70, 300).transpose(-1, -2).contiguous().transpose(-1, -2)}[kind]
    if kind == "bool":
        mask[5] = False
    out = attend(q, k, v, mask)
    assert np.abs(out.detach().numpy() - defined(q, k, v, mask)).max() < 3e-6
    if kind == "bool":
        assert (out[:, :, 5] == 0).all()


def backward_both(q, k, v, **options):
    """Returns the gradients of the fused engine, and those of the recorded operations (create_graph=True)."""
    out = attend(q, k, v, **options)
    up = torch.cos(torch.arange(out.numel(), dtype=out.dtype)).view(out.shape)
    return torch.autograd.grad(out, (q, k, v), up, retain_graph=True), torch.autograd.grad(out, (q, k, v), up, create_graph=True)


@pytest.mark.parametrize("options", [{}, {"is_causal": True}, {"scale": -0.3}, {"enable_gqa": True}, {"attn_mask": True}], ids=str)
def test_gradients(options):
    if options.get("attn_mask"):
        torch.manual_seed(2)
        options = {"attn_mask": torch.rand(2, 1, 130, 270) > 0.5}
        options["attn_mask"][:, :, 3] = False
    heads = 2 if "enable_gqa" in options else 4
    q, k, v = draw(torch.float64, (2, 4, 130, 6), (2, heads, 270, 6), (2, heads, 270, 5))
    for fused, recorded in zip(*backward_both(q, k, v, **options)):
        assert np.abs((fused - recorded).detach().numpy()).max() < 1e-13


def test_some_gradients_and_layouts():
    qkv = torch.randn(2, 9, 3, 4, 5, dtype=torch.float64, requires_grad=True)
    q, k, v = qkv.permute(2, 0, 3, 1, 4)
    out = attend(q, k.detach(), v, is_causal=True)
    assert out.stride() == (180, 5, 20, 1)  # the heads of a row are adjacent in memory, as in the query
    (whole,) = torch.autograd.grad(out.sum(), qkv)
    assert (whole[:, :, 1] == 0).all() and (whole[:, :, 0] != 0).any()


def test_threads_do_not_matter():
    q, k, v = draw(torch.float32, (3, 4, 200, 16), (3, 4, 300, 16), (3, 4, 300, 16))
    found = []
    before = torch.get_num_threads()
    for threads in (1, 3):
        torch.set_num_threads(threads)
        out = attend(q, k, v)
        found.append([out.detach().numpy(), *(g.numpy() for g in torch.autograd.grad(out.sum(), (q, k, v)))])
    torch.set_num_threads(before)
    assert all((a == b).all() for a, b in zip(*found))


def test_dropout_draws_as_dropout_does():
    q, k, v = draw(torch.float64, (2, 5, 4), (2, 6, 4), (2, 6, 4))
    torch.manual_seed(7)
    out = attend(q, k, v, dropout_p=0.4)
    torch.manual_seed(7)
    p = torch.softmax(q @ k.transpose(-1, -2) / 2, -1)
    assert torch.allclose(out, torch.dropout(p, 0.4, True) @ v)
