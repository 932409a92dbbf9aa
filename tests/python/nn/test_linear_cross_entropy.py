# SPDX-License-Identifier: BSD-3-Clause
"""linear_cross_entropy: a linear layer and its cross entropy, computed in chunks so that the full matrix of logits never
exists. Expected values are PyTorch 2.15's for the same tensors."""
import math

import pytest

import corten as torch

F, nn = torch.nn.functional, torch.nn
Options = nn.LinearCrossEntropyOptions


def made(*shape):
    n = math.prod(shape)
    return (torch.arange(n) * 7 % 11 - 5).reshape(shape).float() / 4


def close(a, b, **more):
    torch.testing.assert_close(a, b, **{"rtol": 1e-4, "atol": 2e-5, **more})


def starts_of(tensors):
    return [v for t in tensors for v in t.flatten()[:3].tolist()]


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
