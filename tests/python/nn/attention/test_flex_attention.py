# SPDX-License-Identifier: BSD-3-Clause
"""Compares flex_attention with plain attention with a bias, and its block masks with values recorded from PyTorch 2.15."""
import corten
import pytest
from corten.nn.attention.flex_attention import (AuxRequest, BlockMask, and_masks, create_block_mask, create_mask, flex_attention,
                                                noop_mask, or_masks)

F = corten.nn.functional
B, H, Q, K = 2, 4, 40, 50
TABLE = corten.arange(H * Q).reshape(H, Q).sin()
BIAS = corten.arange(H * Q * K).reshape(H, Q, K).cos()
DOCUMENT = corten.arange(K) // 7


def causal(b, h, q, kv):
    return q >= kv


def window(b, h, q, kv):
    return (q - kv).abs() < 5


def inputs(dtype=corten.float32, heads=H):
    g = corten.Generator().manual_seed(0)
    return [corten.randn(B, h, n, e, generator=g).to(dtype) for h, n, e in ((H, Q, 8), (heads, K, 8), (heads, K, 6))]


grid = [corten.arange(n).reshape([-1 if d == e else 1 for e in range(4)]) for d, n in enumerate((B, H, Q, K))]
MODS = {
    "relative": (lambda s, b, h, q, kv: s + (q - kv) * .01, (grid[2] - grid[3]) * .01),
    "table": (lambda s, b, h, q, kv: s + BIAS[h, q, kv], BIAS),
    "row of a table": (lambda s, b, h, q, kv: s + TABLE[h][q], TABLE[:, :, None]),
    "column of a row": (lambda s, b, h, q, kv: s + BIAS[h][q, kv], BIAS),
    "part of a table": (lambda s, b, h, q, kv: s + BIAS[h, q][3:][0], BIAS[:, :, 3:4]),
    "documents": (lambda s, b, h, q, kv: corten.where(DOCUMENT[q] == DOCUMENT[kv], s, -float("inf")),
                  corten.where(DOCUMENT[:Q, None] == DOCUMENT, 0., -float("inf"))),
    "batch": (lambda s, b, h, q, kv: s + b * h * .1, grid[0] * grid[1] * .1),
}


@pytest.mark.parametrize("name", MODS)
def test_score_mod(name):
    mod, bias = MODS[name]
    q, k, v = inputs(corten.float64)
    want = F.scaled_dot_product_attention(q, k, v, attn_mask=bias.double().expand(B, H, Q, K))
    corten.testing.assert_close(flex_attention(q, k, v, score_mod=mod), want)


@pytest.mark.parametrize("mod,mask", [
    (causal, grid[2] >= grid[3]), (window, (grid[2] - grid[3]).abs() < 5), (noop_mask, corten.ones(1, 1, Q, K, dtype=corten.bool)),
    (and_masks(causal, window), (grid[2] >= grid[3]) & (grid[2] - grid[3] < 5)),
    (or_masks(causal, window), grid[2] + 5 > grid[3]),
    (lambda b, h, q, kv: DOCUMENT[q] == DOCUMENT[kv], DOCUMENT[:Q, None] == DOCUMENT),
])
@pytest.mark.parametrize("size", [128, 16, (8, 32)])
def test_mask_mod(mod, mask, size):
    q, k, v = inputs()
    blocks = create_block_mask(mod, B, H, Q, K, device="cpu", BLOCK_SIZE=size)
    want = F.scaled_dot_product_attention(q, k, v, attn_mask=mask.expand(B, H, Q, K))
    corten.testing.assert_close(flex_attention(q, k, v, block_mask=blocks), want)
    assert create_mask(mod, B, H, Q, K, device="cpu").equal(mask.expand(B, H, Q, K))
    rows, columns = blocks.BLOCK_SIZE
    some = F.max_pool2d(mask.expand(B, H, Q, K).float(), (rows, columns), ceil_mode=True)
    assert blocks.to_dense().equal(some.int()) and blocks.shape == (B, H, Q, K)
    assert abs(blocks.sparsity() - 100 * (1 - some.mean().item())) < 1e-3


def test_derivatives():
    q, k, v = (t.requires_grad_() for t in inputs(corten.float64))
    blocks = create_block_mask(causal, B, H, Q, K, device="cpu")
    grads = corten.autograd.grad(flex_attention(q, k, v, MODS["table"][0], blocks).square().sum(), (q, k, v))
    bias = corten.where(grid[2] >= grid[3], BIAS.double(), -float("inf"))
    want = corten.autograd.grad(F.scaled_dot_product_attention(q, k, v, attn_mask=bias.expand(B, H, Q, K)).square().sum(), (q, k, v))
    for g, w in zip(grads, want):
        corten.testing.assert_close(g, w)


def test_queries_that_see_nothing():
    q, k, v = inputs()
    q.requires_grad_()
    blocks = create_block_mask(lambda b, h, q, kv: (q >= 3) & (kv < 9), None, None, Q, K, device="cpu")
    out, aux = flex_attention(q, k, v, block_mask=blocks, return_aux=AuxRequest(lse=True, max_scores=True))
    assert (out[:, :, :3] == 0).all() and (aux.lse[:, :, :3] == -float("inf")).all() and aux.max_scores[:, :, 3:].isfinite().all()
    out.sum().backward()
    assert q.grad.isfinite().all()


def test_heads_that_share_keys():
    q, k, v = inputs(heads=2)
    want = F.scaled_dot_product_attention(q, k, v, enable_gqa=True, scale=.3)
    corten.testing.assert_close(flex_attention(q, k, v, enable_gqa=True, scale=.3), want)
    half = flex_attention(*(t.half() for t in inputs()))
    assert half.dtype == corten.float16 and (half.float() - flex_attention(*inputs())).abs().max() < 1e-2


def test_block_mask():
    blocks = create_block_mask(causal, B, H, Q, K, device="cpu", BLOCK_SIZE=16)
    assert blocks.kv_num_blocks[0, 0].tolist() == [1, 1, 3] and blocks.kv_indices[0, 0].tolist() == [
        [0, 1, 2, 3], [1, 0, 2, 3], [0, 1, 2, 3]]
    assert blocks.full_kv_num_blocks[0, 0].tolist() == [0, 1, 0] and blocks.q_num_blocks[0, 0].tolist() == [2, 2, 1, 0]
    assert blocks.full_q_indices[0, 0, :2].tolist() == [[1, 0, 2], [0, 1, 2]]
    assert str(blocks[0, 0]) == "BlockMask(shape=(1, 1, 40, 50), sparsity=50.00%, \n(0, 0)\n██      \n████    \n██████\n)"
    assert repr(blocks).splitlines()[1] == "    kv_num_blocks=torch.Size([2, 4, 3]),"
    assert len(blocks.as_tuple()) == 17 and len(blocks.as_tuple(flatten=False)) == 15 and blocks.numel() == B * H * Q * K
    for index, shape in ((0, (1, 4, 40, 50)), ((slice(None), slice(None), 2), (2, 4, 8, 50)),
                         ((slice(None), -1, slice(1, None)), (2, 1, 24, 50)), ((1, 0, corten.tensor([0, 2])), (1, 1, 32, 50))):
        assert blocks[index].shape == shape
    cropped = blocks._adjust(20, 33)
    assert cropped.shape == (2, 4, 20, 33) and cropped.kv_num_blocks[0, 0].tolist() == [1, 1]
    moved = blocks.to("meta")
    assert moved.kv_indices.is_meta and moved.mask_mod is causal
    whole = create_block_mask(causal, None, None, Q, K, device="cpu", separate_full_blocks=False)
    assert whole.full_kv_indices is None and isinstance(whole, BlockMask)


def test_what_is_refused():
    q, k, v = inputs()
    blocks = create_block_mask(causal, B, H, Q, K, device="cpu")
    for error, text, call in (
            (NotImplementedError, "must be 4D", lambda: flex_attention(q[0], k, v)),
            (ValueError, "same number of heads but got Hq=4 and Hkv=2", lambda: flex_attention(q, k[:, :2], v[:, :2])),
            (ValueError, "same embedding dimension", lambda: flex_attention(q, k[..., :4], v)),
            (ValueError, "same batch size", lambda: flex_attention(q, k[:1], v[:1])),
            (RuntimeError, "smaller length", lambda: flex_attention(corten.cat([q, q], 2), k, v, block_mask=blocks)),
            (RuntimeError, "larger length", lambda: flex_attention(q[:, :, :9], k, v, block_mask=blocks)),
            (RuntimeError, "sliced BlockMask", lambda: flex_attention(q, k, v, block_mask=blocks[:])),
            (AssertionError, "requires a mask_mod", lambda: create_block_mask(MODS["batch"][0], 1, 1, 3, 3, device="cpu")),
            (RuntimeError, "callable mask_mods", lambda: or_masks(1)), (IndexError, "supports batch", lambda: blocks[0, 0, 0, 0])):
        with pytest.raises(error, match=text):
            call()


def test_options_without_effect_say_so():
    from corten import _missing
    from corten.nn.attention.flex_attention import noop_mask
    q = corten.ones(1, 1, 2, 4)
    _missing._WARNED -= {"flex_attention(kernel_options=...)", "create_block_mask(compute_dq_write_order=True)"}
    with pytest.warns(UserWarning, match=r"flex_attention\(kernel_options=...\) has no effect in Corten"):
        flex_attention(q, q, q, kernel_options={"BLOCK_M": 32})
    with pytest.warns(UserWarning, match=r"compute_dq_write_order=True\) has no effect in Corten"):
        create_block_mask(noop_mask, 1, 1, 2, 2, "cpu", compute_dq_write_order=True)
