# SPDX-License-Identifier: BSD-3-Clause
"""varlen_attn: attention of sequences of different lengths, packed without padding. Expected values are PyTorch
2.15's for the same tensors."""
import math

import pytest

import corten as torch
from corten.nn.attention.varlen import AuxRequest, varlen_attn, varlen_attn_out

F, nn = torch.nn.functional, torch.nn


def made(*shape):
    n = math.prod(shape)
    return (torch.arange(n) * 7 % 11 - 5).reshape(shape).float() / 4


def close(a, b, **more):
    torch.testing.assert_close(a, b, **{"rtol": 1e-4, "atol": 2e-5, **more})


def ends(*values):
    return torch.tensor(values, dtype=torch.int32)


# ---- attention of sequences without padding ----

def alone(q, k, v, **more):
    return F.scaled_dot_product_attention(*(t.transpose(0, 1) for t in (q, k, v)), **more).transpose(0, 1)


def test_varlen_attn_is_attention_within_each_sequence():
    q, k, v = (made(7, 2, 8) + i for i in range(3))
    starts = ends(0, 3, 7)
    for window, causal in (((-1, -1), False), ((-1, 0), True)):
        want = torch.cat([alone(q[i:j], k[i:j], v[i:j], is_causal=causal, scale=0.5) for i, j in ((0, 3), (3, 7))])
        close(varlen_attn(q, k, v, starts, starts, 4, 4, scale=0.5, window_size=window), want)
    near = (torch.arange(4)[:, None] - torch.arange(4)).abs() <= 1
    close(varlen_attn(q, k, v, starts, starts, 4, 4, window_size=(1, 1))[3:], alone(q[3:], k[3:], v[3:], attn_mask=near))
    out = torch.empty(7, 2, 8)
    assert varlen_attn_out(out, q, k, v, starts, starts, 4, 4) is out
    close(out, varlen_attn(q, k, v, starts, starts, 4, 4))


def test_varlen_attn_returns_sums_and_has_gradients():
    q, k = made(7, 4, 8).requires_grad_(), made(7, 2, 8)
    starts = ends(0, 3, 7)
    out, sums = varlen_attn(q, k, k, starts, starts, 4, 4, return_aux=AuxRequest(lse=True), enable_gqa=True)
    scores = torch.einsum("qhd,khd->hqk", q[:3], k[:3].repeat_interleave(2, 1)) / 8 ** 0.5
    assert sums.shape == (4, 7) and sums.dtype == torch.float32
    close(sums[:, :3], scores.logsumexp(-1).detach())
    grad, = torch.autograd.grad(out.sum(), q)
    want, = torch.autograd.grad(torch.cat([alone(q[i:j], k[i:j], k[i:j], enable_gqa=True) for i, j in ((0, 3), (3, 7))]).sum(), q)
    close(grad, want)


def test_varlen_attn_reads_a_cache_of_pages():
    q, pages = made(2, 2, 8), made(4, 2, 2, 8)
    table, used = torch.tensor([[3, 0], [1, 2]], dtype=torch.int32), ends(3, 2)
    got = varlen_attn(q, pages, pages, ends(0, 1, 2), None, 1, 4, seqused_k=used, block_table=table, window_size=(-1, 0))
    first, second = torch.cat([pages[3], pages[0][:1]]), pages[1]
    close(got, torch.cat([alone(q[:1], first, first), alone(q[1:], second, second)]))


def test_varlen_attn_says_what_is_wrong():
    q, starts = made(7, 4, 8), ends(0, 3, 7)
    with pytest.raises(ValueError, match="got Hq=4 and Hkv=2. Try setting enable_gqa=True for GQA."):
        varlen_attn(q, q[:, :2], q[:, :2], starts, starts, 4, 4)
    with pytest.raises(ValueError, match="scale must be greater than 0, got 0"):
        varlen_attn(q, q, q, starts, starts, 4, 4, scale=0)
    with pytest.raises(ValueError, match="max_q is 3, but the longest sequence has a length of 4"):
        varlen_attn(q, q, q, starts, starts, 3, 4)
    with pytest.raises(RuntimeError, match="seqused_k is an inference-only parameter."):
        varlen_attn(q.requires_grad_(), q, q, starts, starts, 4, 4, seqused_k=ends(1, 1))
