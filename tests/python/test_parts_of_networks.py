# SPDX-License-Identifier: BSD-3-Clause
"""Functions that return their statistics, losses and products in parts. The numbers are PyTorch 2.15's for the same tensors."""
import math

import pytest

import corten as torch
from corten.nn.attention.varlen import AuxRequest, varlen_attn, varlen_attn_out

F, nn = torch.nn.functional, torch.nn
Options = nn.LinearCrossEntropyOptions
Scaling = F.ScalingType


def made(*shape):
    n = math.prod(shape)
    return (torch.arange(n) * 7 % 11 - 5).reshape(shape).float() / 4


def close(a, b, **more):
    torch.testing.assert_close(a, b, **{"rtol": 1e-4, "atol": 2e-5, **more})


def starts_of(tensors):
    return [v for t in tensors for v in t.flatten()[:3].tolist()]


# ---- normalisation with its statistics ----

@pytest.mark.parametrize("call, results, history, gradients", [
    (lambda x, w, b: torch.native_layer_norm(x, (3,), w[:3], b[:3], 1e-3),
     [1.2016838, 2.1387408, 0.5580674, -0.4166667, 0.25, 0.0, 1.3936163, 1.2238274, 1.2238274], [True, False, False],
     [0.397086, 0.294854, -0.69194, 12.975496, 10.219852, 12.975496, 2.25, 0.0, -2.25]),
    (lambda x, w, b: torch.native_batch_norm(x, w, b, None, None, True, 0.1, 1e-3),
     [1.8944041, -0.7941025, 0.7421869, 0.1458333, 0.125, -0.125, 1.2290316, 1.2910393, 1.2910393], [True, False, False],
     [0.003239, -0.000822, 0.001499, 9.749037, 9.279346, 9.279346, 1.75, 1.5, -1.5]),
    (lambda x, w, b: torch.native_group_norm(x, w, b, 4, 4, 3, 2, 1e-3),
     [1.4900751, -1.1200376, 0.3714554, -0.0833333, -0.125, 0.2916667, 1.1931944, 1.2097536, 1.3729402], [True, True, True],
     [0.420856, -0.914445, -0.151416, 9.488966, 9.208714, 9.208714, 1.75, 1.5, -1.5]),
])
def test_native_norms_return_statistics(call, results, history, gradients):
    x, w, b = made(4, 4, 3).requires_grad_(), made(4).requires_grad_(), (made(4) + 1).requires_grad_()
    found = call(x, w, b)
    assert type(found) is tuple and [t.requires_grad for t in found] == history
    close(torch.tensor(starts_of(found)), torch.tensor(results))
    grads = torch.autograd.grad(sum((t * made(*t.shape)).sum() for t in found), (x, w, b))
    close(torch.tensor(starts_of(grads)), torch.tensor(gradients))


def test_types_and_running_statistics_of_native_norms():
    half, weight = made(2, 3, 2).bfloat16(), torch.ones(2)
    kinds = [[t.dtype for t in torch.native_layer_norm(half, (2,), w, None, 1e-5)] for w in (weight, None)]
    assert kinds == [[torch.bfloat16, torch.float32, torch.float32], [torch.bfloat16] * 3]
    mean, var = torch.zeros(3), torch.ones(3)
    out = torch.native_batch_norm(made(2, 3, 2), None, None, mean, var, False, 0.1, 1e-5)
    assert [t.numel() for t in out] == [12, 0, 0] and mean.tolist() == [0, 0, 0]
    x = torch.arange(12.).reshape(2, 3, 2)
    found = torch.batch_norm_update_stats(x, mean, var, 0.1)
    close(found[0], torch.tensor([3.5, 5.5, 7.5]))
    close(found[1], torch.tensor([9.25] * 3))
    close(mean, torch.tensor([0.35, 0.55, 0.75]))
    close(var, torch.tensor([2.133333] * 3))


def test_native_group_norm_takes_any_shape_of_the_right_size():
    rows = torch.arange(12.).reshape(4, 3)
    out, mean, rstd = torch.native_group_norm(rows, None, None, 2, 3, 2, 3, 1e-5)
    close(out, torch.tensor([[-1., 1., -1.], [1., -1., 1.]] * 2))
    assert mean.tolist() == [[0.5, 2.5, 4.5], [6.5, 8.5, 10.5]] and rstd.shape == (2, 3)
    with pytest.raises(RuntimeError, match=r"Expected X.numel\(\) == N \* C \* HxW to be true"):
        torch.native_group_norm(rows, None, None, 2, 3, 3, 3, 1e-5)
    with pytest.raises(RuntimeError, match="divisible by num_groups, but got input of shape \\[4, 3\\] and num_groups=2"):
        torch.native_group_norm(rows, None, None, 2, 3, 2, 2, 1e-5)
    with pytest.raises(RuntimeError, match="weight to be a vector of size equal to the number of channels"):
        torch.native_group_norm(rows, torch.ones(4), None, 2, 3, 2, 3, 1e-5)


@pytest.mark.filterwarnings("ignore:at..nuclear_norm")
def test_nuclear_norm_and_channel_shuffle():
    x = torch.arange(12.).reshape(2, 3, 2)
    close(torch.nuclear_norm(x), torch.tensor([8.0497, 21.4662]))
    close(torch.nuclear_norm(x, (0, 1), True), torch.tensor([[[16.6969, 18.5685]]]))
    out = torch.empty(0)
    assert torch.nuclear_norm(x[0], out=out) is out
    close(out, torch.tensor(8.0497))
    with pytest.raises(RuntimeError, match="dims must be different"):
        torch.nuclear_norm(x, 1)
    assert torch.native_channel_shuffle(x.view(1, 6, 2), 3).flatten()[:6].tolist() == [0, 1, 4, 5, 8, 9]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_batch_norm_in_steps_is_batch_norm_of_the_whole(dtype):
    x, w, b = (made(*shape).to(dtype) + i for i, shape in enumerate(((5, 3, 2), (3,), (3,))))
    grad, kept, wanted = made(5, 3, 2).to(dtype) + x, [torch.zeros(3), torch.ones(3)], [torch.zeros(3), torch.ones(3)]
    leaves = [t.clone().requires_grad_() for t in (x, w, b)]
    whole, mean, rstd = torch.native_batch_norm(*leaves, *wanted, True, 0.1, 1e-3)
    parts, counts = (x[:2], x[2:]), torch.tensor([4., 6.])
    found = [torch.stack(t) for t in zip(*(torch.batch_norm_stats(p, 1e-3) for p in parts))]
    joined = torch.batch_norm_gather_stats_with_counts(x, *found, *kept, 0.1, 1e-3, counts)
    close(joined, (mean, rstd))
    close(kept, wanted)
    close(torch.cat([torch.batch_norm_elemt(p, w, b, *joined, 1e-3) for p in parts]), whole.detach())
    sums = [torch.batch_norm_backward_reduce(g, p, *joined, w, True, True, True) for g, p in zip((grad[:2], grad[2:]), parts)]
    dy, dy_xmu, dw, db = (one + two for one, two in zip(*sums))
    dx = torch.cat([torch.batch_norm_backward_elemt(g, p, *joined, w, dy, dy_xmu, counts)
                    for g, p in zip((grad[:2], grad[2:]), parts)])
    close((dx, dw, db), torch.autograd.grad(whole, leaves, grad))
    assert torch.batch_norm_backward_reduce(grad, x, *joined, w, False, False, True)[:3] == (None, None, None)
    same = torch.batch_norm_gather_stats(x, *(t[:1].repeat(2, 1) for t in found), None, None, 0.1, 1e-3, 4)
    close(same, tuple(t[0] for t in found))


# ---- the cross entropy of a linear layer ----

LOSSES = {
    (False, "mean"): (2.46124, [0.41913, -0.19932, 0.00761, 0.28272, -0.11269, 0.1116, -0.22304, -0.01757, -0.12701]),
    (False, "sum"): (12.92153, [2.20044, -1.04644, 0.03993, 1.48427, -0.59163, 0.58589, -1.17099, -0.09226, -0.66683]),
    (False, "none"): (16.91261, [-0.55011, 0.26161, -0.00998, -0.35447, 0.14522, -0.15863, 0.31202, 0.008, -1.80937]),
    (True, "mean"): (18.66324, [-0.06004, 0.16825, -0.28224, -0.77016, 0.23629, 0.06053, -0.77816, 0.51948, -0.2775]),
    (True, "sum"): (93.31619, [-0.30021, 0.84127, -1.4112, -3.85081, 1.18146, 0.30266, -3.89079, 2.59739, -1.38752]),
    (True, "none"): (94.06801, [0.07505, -0.21032, 0.3528, -2.72034, 1.27028, -0.41571, -4.27599, 1.73445, -1.52922]),
}


@pytest.mark.parametrize("options", [None, Options(batch_chunk_size=2), Options(), Options(chunking_method="aspect_ratio:4"),
                                     Options(batch_chunk_size=2, allow_retain_graph=True, acc_policy="accurate")])
@pytest.mark.parametrize("soft, reduction", LOSSES)
def test_linear_cross_entropy(soft, reduction, options):
    x, w, b = made(5, 3).requires_grad_(), made(7, 3).requires_grad_(), made(7).requires_grad_()
    target = made(5, 7).abs() if soft else torch.tensor([0, 6, -100, 2, 1])
    loss = F.linear_cross_entropy(x, w, target, linear_bias=b, weight=made(7).abs() + 0.5, reduction=reduction, options=options)
    if reduction == "none":
        loss = (loss * made(5) + loss).sum()
    wanted, gradients = LOSSES[soft, reduction]
    close(loss.detach(), torch.tensor(wanted))
    close(torch.tensor(starts_of(torch.autograd.grad(loss, (x, w, b)))), torch.tensor(gradients))


def test_chunks_never_hold_all_scores():
    sizes, real = [], torch._C._submodules["nn.functional"].cross_entropy
    from corten.nn import _linear_cross_entropy
    try:
        _linear_cross_entropy._rows.cross_entropy = lambda scores, *args, **more: sizes.append(len(scores)) or real(scores, *args, **more)
        F.linear_cross_entropy(made(10, 3), made(7, 3), torch.zeros(10, dtype=torch.int64), options=Options(batch_chunk_size=4))
    finally:
        _linear_cross_entropy._rows.cross_entropy = real
    assert sizes == [4, 4, 2]


def test_halves_are_added_up_in_float32():
    x, w, target = made(64, 8), made(32, 8), torch.arange(64) % 32
    want = [p.requires_grad_() for p in (x.clone(), w.clone())]
    F.linear_cross_entropy(*want, target).backward()
    got = [p.bfloat16().requires_grad_() for p in (x, w)]
    loss = F.linear_cross_entropy(*got, target, options=Options(batch_chunk_size=8))
    loss.backward()
    assert loss.dtype == got[1].grad.dtype == torch.bfloat16
    close(got[1].grad.float(), want[1].grad, rtol=1e-2, atol=1e-3)
    with pytest.raises(RuntimeError, match="supports float32 acc_dtype with float16/bfloat16 inputs, but got torch.float16"):
        F.linear_cross_entropy(x, w, target, options=Options(acc_dtype=torch.float16))


def test_backward_of_chunks_runs_once_unless_it_may_run_twice():
    x, w, target = made(5, 3).requires_grad_(), made(7, 3).requires_grad_(), torch.tensor([0, 6, 3, 2, 1])
    loss = F.linear_cross_entropy(x, w, target, options=Options())
    loss.backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="linear_cross_entropy chunked backward called twice"):
        loss.backward()
    loss = F.linear_cross_entropy(x, w, target, options=Options(allow_retain_graph=True))
    first, second = (torch.autograd.grad(loss, (x, w), retain_graph=True) for _ in range(2))
    assert all(map(torch.equal, first, second))


def test_linear_cross_entropy_says_what_is_wrong():
    x, w, target = made(5, 3), made(7, 3), torch.tensor([0, 6, 3, 2, 1])
    with pytest.raises(RuntimeError, match="expected input with dimensionality 1 or 2, got 3"):
        F.linear_cross_entropy(x[None], w, target)
    with pytest.raises(RuntimeError, match=r"expected linear_bias shape \(7,\), got \(3,\)"):
        F.linear_cross_entropy(x, w, target, linear_bias=made(3))
    with pytest.raises(RuntimeError, match="ignore_index cannot be specified when target contains probabilities"):
        F.linear_cross_entropy(x, w, made(5, 7), ignore_index=1)
    with pytest.raises(ValueError, match=r"Expected input batch_size \(5\) to match target batch_size \(3\)"):
        F.linear_cross_entropy(x, w, target[:3], options=Options())
    with pytest.warns(UserWarning, match="``options`` ignored; chunked path needs"):
        F.linear_cross_entropy(x, w, target, label_smoothing=0.1, options=Options())
    with pytest.raises(ValueError, match="invalid chunking_method: 'aspect_ratio:0'"):
        Options(chunking_method="aspect_ratio:0")
    with pytest.raises(ValueError, match="batch_chunk_size must be positive int or None, got 0"):
        Options(batch_chunk_size=0)
    with pytest.raises(ValueError, match="give different chunk sizes"):
        F.linear_cross_entropy(x, w, target, options=Options(batch_chunk_size=1, chunking_method="aspect_ratio"))


def test_linear_cross_entropy_loss():
    torch.manual_seed(0)
    loss = nn.LinearCrossEntropyLoss(5, 10, out_features=(4, 3), bias=True)
    x, target = torch.randn(2, 5, requires_grad=True), torch.randint(0, 10, (2, 4, 3))
    scores = loss.linear(x).reshape(2, 10, 4, 3)
    close(loss(x, target), F.cross_entropy(scores, target))
    assert [name for name, _ in loss.named_parameters()] == ["linear.weight", "linear.bias"]
    assert "in_features=5, num_classes=10, out_features=(4, 3), bias=True, reduction=mean, ignore_index=None" in repr(loss)
    flat = nn.LinearCrossEntropyLoss(5, 10, options=Options(batch_chunk_size=1))
    assert flat(x[0].detach(), torch.tensor(3)).shape == ()
    with pytest.raises(RuntimeError, match=r"expected weight shape to be \(10,\), got \(9,\)"):
        nn.LinearCrossEntropyLoss(5, 10, weight=torch.ones(9))


# ---- products of groups ----

def ends(*values):
    return torch.tensor(values, dtype=torch.int32)


def test_grouped_mm_has_a_product_for_each_group():
    a, b, flat = made(8, 16), made(2, 16, 8), made(16, 8) + 1
    close(F.grouped_mm(a, b, offs=ends(3, 8)), torch.cat([a[:3] @ b[0], a[3:] @ b[1]]))
    close(F.grouped_mm(a, flat, offs=ends(4, 16)), torch.stack([a[:, :4] @ flat[:4], a[:, 4:] @ flat[4:]]))
    close(F.grouped_mm(made(2, 4, 16), flat, offs=ends(4, 8)),
          torch.cat([made(2, 4, 16)[0] @ flat[:, :4], made(2, 4, 16)[1] @ flat[:, 4:]], 1))
    close(F.grouped_mm(made(2, 4, 16), b), made(2, 4, 16) @ b)
    assert F.grouped_mm(a, b, offs=ends(3, 6))[6:].tolist() == [[0.] * 8] * 2
    assert F.grouped_mm(made(4, 16).bfloat16(), made(2, 7, 16).bfloat16().mT, offs=ends(2, 4)).stride() == (8, 1)


def test_grouped_mm_has_gradients():
    a, b = made(8, 16).requires_grad_(), made(2, 16, 8).requires_grad_()
    got = torch.autograd.grad((F.grouped_mm(a, b, offs=ends(3, 8)) * made(8, 8)).sum(), (a, b))
    want = torch.autograd.grad((torch.cat([a[:3] @ b[0], a[3:] @ b[1]]) * made(8, 8)).sum(), (a, b))
    close(got, want)


@pytest.mark.parametrize("a, b, more, text", [
    (made(8, 16).double(), made(2, 16, 8), {"offs": ends(3, 8)}, "Expected mat_a to be Float32, BFloat16 or Float16 matrix, got Double"),
    (made(8, 16).bfloat16(), made(2, 16, 8), {"offs": ends(3, 8)}, "to have the same dtype, got BFloat16 and Float"),
    (made(8, 16), made(2, 16, 8), {}, "Have to provide offsets if there is a 2d matrix"),
    (made(8, 16), made(2, 16, 8), {"offs": ends(3, 8).long()}, "Offsets have to be int32"),
    (made(8, 16), made(2, 16, 8), {"offs": ends(3, 4, 8)}, "matrix batch sizes have to match"),
    (made(8, 16), made(2, 12, 8), {"offs": ends(3, 8)}, "contraction dimension of mat_a and mat_b must match"),
    (made(16), made(2, 16, 8), {"offs": ends(3, 8)}, "mat_a has to be 2 or 3d"),
    (made(8, 15), made(2, 15, 8), {"offs": ends(3, 8)}, "strides should be multiple of 16 bytes"),
    (made(3, 4, 16), made(2, 16, 8), {}, "batched dimension has to match"),
    (made(8, 16), made(2, 16, 8), {"offs": ends(3, 8), "bias": made(8)}, "Bias not supported yet"),
    (made(8, 16), made(2, 16, 8), {"offs": ends(3, 8), "out_dtype": torch.bfloat16}, "output dtype must match `mat_a` dtype"),
])
def test_grouped_mm_says_what_is_wrong(a, b, more, text):
    with pytest.raises(RuntimeError, match=text):
        F.grouped_mm(a, b, **more)


def test_scaled_mm():
    kind = torch.float8_e4m3fn
    a, b, two = made(32, 16).to(kind), made(48, 16).to(kind).t(), torch.tensor(2.)
    plain = a.float() @ b.float()
    close(F.scaled_mm(a, b, two, Scaling.TensorWise, two, Scaling.TensorWise), (plain * 4).bfloat16())
    rows, columns = made(32, 1).abs() + 1, made(1, 48).abs() + 1
    close(F.scaled_mm(a, b, rows, Scaling.RowWise, columns, Scaling.RowWise, output_dtype=torch.float32), plain * rows * columns)
    close(F.scaled_mm(a, b, two, Scaling.TensorWise, two, Scaling.TensorWise, bias=made(48), output_dtype=torch.float32),
          plain * 4 + made(48))
    loud = F.scaled_mm(a, b, two * 300, Scaling.TensorWise, two, Scaling.TensorWise, output_dtype=None)
    assert loud.dtype == kind and loud.float().abs().max() == 448
    close(F.scaled_addmm(torch.ones(32, 48), a, b, two, Scaling.TensorWise, two, Scaling.TensorWise, beta=3, alpha=0.5),
          3 + plain * 2)
    kept = torch.ones(32, 48)
    assert F.scaled_addmm_(kept, a, b, two, Scaling.TensorWise, two, Scaling.TensorWise) is kept
    close(kept, 1 + plain * 4)


def test_older_names_of_products():
    kind, two = torch.float8_e4m3fn, torch.tensor(2.)
    a, b = torch.ones(16, 32).to(kind), torch.ones(48, 32).to(kind).t()
    assert [(t.dtype, t[0, 0].item()) for t in (
        torch._scaled_mm(a, b, two, two), torch._scaled_mm(a, b, two, two, out_dtype=torch.bfloat16, use_fast_accum=True),
        torch._scaled_mm(a, b, torch.ones(16, 1), torch.ones(1, 48), out_dtype=torch.float32, bias=torch.ones(48)),
        torch._scaled_mm(a, b, two, two, scale_result=two), torch._scaled_mm(a, b, two, two, out=torch.empty(16, 48, dtype=kind)),
        torch._grouped_mm(torch.ones(8, 16), torch.ones(2, 16, 8), ends(3, 8)))] == [
            (kind, 128), (torch.bfloat16, 128), (torch.float32, 33), (kind, 64), (kind, 128), (torch.float32, 16)]
    with pytest.raises(ValueError, match="Invalid scaling configuration."):
        torch._scaled_mm(a, b, torch.ones(16, 1), two)
    with pytest.raises(RuntimeError, match="Bias must be size 48 but got 3"):
        torch._scaled_mm(a, b, two, two, bias=torch.ones(3))


def test_scaled_mm_says_what_is_wrong():
    kind, one, per = torch.float8_e4m3fn, torch.tensor(1.), Scaling.TensorWise
    a, b = made(32, 16).to(kind), made(48, 16).to(kind).t()
    with pytest.raises(ValueError, match="Expected both inputs to be fp8 or fp4 types but got mat_a.dtype=Float and mat_b.dtype=Float"):
        F.scaled_mm(a.float(), b.float(), one, per, one, per)
    with pytest.raises(ValueError, match="scale_a must have 1 Float element"):
        F.scaled_mm(a, b, one.double(), per, one, per)
    with pytest.raises(ValueError, match="unsupported recipe"):
        F.scaled_mm(a, b, one, Scaling.RowWise, one, per)
    with pytest.raises(ValueError, match="only supports contraction_dim"):
        F.scaled_mm(a, b, one, per, one, per, contraction_dim=[0, 1])
    with pytest.raises(ValueError, match=r"shapes cannot be multiplied \(32x16 and 8x48\)"):
        F.scaled_mm(a, b[:8], one, per, one, per)
    with pytest.raises(NotImplementedError, match="use ScalingType.TensorWise or ScalingType.RowWise"):
        F.scaled_mm(a, b, one, Scaling.BlockWise1x32, one, Scaling.BlockWise1x32)
    with pytest.raises(NotImplementedError, match="swizzled scales"):
        F.scaled_mm(a, b, made(32, 1), Scaling.RowWise, made(1, 48), Scaling.RowWise, F.SwizzleType.SWIZZLE_32_4_4)


def test_scaled_grouped_mm():
    kind, per = torch.float8_e4m3fn, Scaling.RowWise
    a, b, sa, sb = made(8, 16).to(kind), made(2, 16, 48).to(kind), made(8).abs() + 1, made(2, 48).abs() + 1
    dense_a, dense_b = a.float() * sa[:, None], b.float() * sb[:, None]
    want = torch.cat([dense_a[:3] @ dense_b[0], dense_a[3:] @ dense_b[1]])
    close(F.scaled_grouped_mm(a, b, sa, per, sb, per, offs=ends(3, 8)), want.bfloat16(), rtol=1e-2, atol=1e-2)
    flat, s = made(16, 48).to(kind), (made(16).abs() + 1, made(96).abs() + 1)
    want = torch.stack([(a.float()[:, i:j] * s[0][8 * g:8 * g + 8, None]) @ (flat.float()[i:j] * s[1][48 * g:48 * g + 48])
                        for g, (i, j) in enumerate([(0, 4), (4, 16)])])
    close(F.scaled_grouped_mm(a, flat, s[0], per, s[1], per, offs=ends(4, 16)), want.bfloat16(), rtol=1e-2, atol=1e-2)
    with pytest.raises(ValueError, match="Have to provide offsets if there is a 2d matrix"):
        F.scaled_grouped_mm(a, b, sa, per, sb, per)


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
