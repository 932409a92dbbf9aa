# SPDX-License-Identifier: BSD-3-Clause
"""Losses of the main module, which take reduction as an integer, and the type of binary_cross_entropy_with_logits."""
import math

import pytest

import corten as torch


def test_losses_take_a_number():
    x, y = torch.tensor([[0.2, -0.5], [1.0, 0.3]]), torch.tensor([[0.1, 0.4], [0.6, 0.2]])
    F = torch.nn.functional
    for reduction, word in enumerate(("none", "mean", "sum")):
        pairs = [
            (torch.kl_div(x, y, reduction), F.kl_div(x, y, reduction=word)),
            (torch.poisson_nll_loss(x, y, True, False, 1e-8, reduction), F.poisson_nll_loss(x, y, reduction=word)),
            (torch.cosine_embedding_loss(x, y, torch.tensor([1, -1]), 0.1, reduction),
             F.cosine_embedding_loss(x, y, torch.tensor([1, -1]), 0.1, reduction=word)),
            (torch.hinge_embedding_loss(x, torch.ones(2, 2), 1.0, reduction), F.hinge_embedding_loss(x, torch.ones(2, 2), reduction=word)),
            (torch.margin_ranking_loss(x, y, torch.ones(2, 2), 0.1, reduction), F.margin_ranking_loss(x, y, torch.ones(2, 2), 0.1, reduction=word)),
            (torch.triplet_margin_loss(x, y, y + 1, reduction=reduction), F.triplet_margin_loss(x, y, y + 1, reduction=word)),
            (torch.binary_cross_entropy_with_logits(x, y, None, None, reduction), F.binary_cross_entropy_with_logits(x, y, reduction=word))]
        for mine, theirs in pairs:
            assert torch.allclose(mine, theirs)
    assert math.isclose(torch.kl_div(x, y, 2).item(), sum(t * (math.log(t) - v) for t, v in zip([.1, .4, .6, .2], [.2, -.5, 1., .3])), rel_tol=1e-5)
    with pytest.raises(RuntimeError):
        torch.kl_div(x, y, 3)


def test_binary_cross_entropy_with_logits_has_the_target_s_type():
    """PyTorch starts with 1 - target and computes in place, so a float32 target makes a float32 loss of float64 logits."""
    x = torch.tensor([0.3, -2.0], dtype=torch.float64, requires_grad=True)
    loss = torch.nn.functional.binary_cross_entropy_with_logits(x, torch.tensor([0.2, 0.7]))
    loss.backward()
    assert loss.dtype == torch.float32 and loss.item() == pytest.approx(1.16064, abs=1e-4)
    assert x.grad.dtype == torch.float64 and x.grad.sum().item() == pytest.approx(-0.10317727)
    half = torch.nn.functional.binary_cross_entropy_with_logits(x.detach().float(), torch.tensor([0.2, 0.7]).bfloat16(),
                                                                 pos_weight=torch.tensor(2.), reduction='none')
    assert half.dtype == torch.bfloat16
    with pytest.raises(RuntimeError, match="result type Float can't be cast to the desired output type Long"):
        torch.nn.functional.binary_cross_entropy_with_logits(torch.zeros(2), torch.tensor([0, 1]))
    with pytest.raises(RuntimeError, match='with a bool tensor is not supported'):
        torch.nn.functional.binary_cross_entropy_with_logits(torch.zeros(2), torch.tensor([False, True]))
