# SPDX-License-Identifier: BSD-3-Clause
"""Losses of torch's main namespace, where `reduction` is a number: 0 none, 1 mean, 2 sum."""
from . import _C

_rows = _C._submodules["nn.functional"]
__all__ = ["binary_cross_entropy_with_logits", "cosine_embedding_loss", "hinge_embedding_loss", "kl_div",
           "margin_ranking_loss", "poisson_nll_loss", "triplet_margin_loss"]


def _reduction_name(reduction):
    if not 0 <= reduction <= 2:
        raise RuntimeError(f"Expected a reduction from 0 to 2, but got {reduction}")
    return ("none", "mean", "sum")[reduction]


def binary_cross_entropy_with_logits(input, target, weight=None, pos_weight=None, reduction=0):
    """Compute nn.functional.binary_cross_entropy_with_logits, with a number for the reduction.

    Args:
        input: unnormalized scores (logits).
        target: the truth, between 0 and 1.
        weight: a factor for each element. Default: None
        pos_weight: a factor for the positive class. Default: None
        reduction: 0 (none), 1 (mean) or 2 (sum). Default: 0

        >>> torch.binary_cross_entropy_with_logits(torch.zeros(2), torch.tensor([0., 1.]))
        tensor([0.6931, 0.6931])
    """
    return _rows.binary_cross_entropy_with_logits(input, target, weight, reduction=_reduction_name(reduction), pos_weight=pos_weight)


def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction=0):
    """Compute nn.functional.cosine_embedding_loss, with a number for the reduction.

    Args:
        input1, input2: the vectors, of shape (N, D).
        target: 1 for pairs that should be alike, -1 for pairs that should differ.
        margin: the cosine that pairs with target -1 may have. Default: 0.0
        reduction: 0 (none), 1 (mean) or 2 (sum). Default: 0
    """
    return _rows.cosine_embedding_loss(input1, input2, target, margin, reduction=_reduction_name(reduction))


def hinge_embedding_loss(input, target, margin=1.0, reduction=0):
    """Compute nn.functional.hinge_embedding_loss, with a number for the reduction.

    Args:
        input: distances.
        target: 1 for pairs that should be close, -1 for pairs that should be far apart.
        margin: the distance that pairs with target -1 should have. Default: 1.0
        reduction: 0 (none), 1 (mean) or 2 (sum). Default: 0
    """
    return _rows.hinge_embedding_loss(input, target, margin, reduction=_reduction_name(reduction))


def kl_div(input, target, reduction=0, *, log_target=False):
    """Compute nn.functional.kl_div, with a number for the reduction.

    Args:
        input: the logarithms of the predicted probabilities.
        target: the true probabilities.
        reduction: 0 (none), 1 (mean) or 2 (sum). Default: 0
        log_target: whether target contains logarithms, too. Default: False

        >>> torch.kl_div(torch.zeros(2), torch.tensor([0.5, 0.5]), reduction=2)
        tensor(-0.6931)
    """
    if _reduction_name(reduction) == "mean":  # without the warning of nn.functional
        return _rows.kl_div(input, target, reduction="none", log_target=log_target).mean()
    return _rows.kl_div(input, target, reduction=_reduction_name(reduction), log_target=log_target)


def margin_ranking_loss(input1, input2, target, margin=0.0, reduction=0):
    """Compute nn.functional.margin_ranking_loss, with a number for the reduction.

    Args:
        input1, input2: the scores to be ranked.
        target: 1 if the first input should rank higher, -1 if the second should.
        margin: the required difference. Default: 0.0
        reduction: 0 (none), 1 (mean) or 2 (sum). Default: 0

        >>> torch.margin_ranking_loss(torch.zeros(2), torch.ones(2), torch.ones(2), 0.5)
        tensor([1.5000, 1.5000])
    """
    return _rows.margin_ranking_loss(input1, input2, target, margin, reduction=_reduction_name(reduction))


def poisson_nll_loss(input, target, log_input, full, eps, reduction):
    """Compute nn.functional.poisson_nll_loss, with a number for the reduction.

    Args:
        input: the predicted rate, or its logarithm.
        target: the counts.
        log_input: whether input is the logarithm of the rate.
        full: whether to add Stirling's approximation of the constant term.
        eps: a small number that keeps the logarithm finite.
        reduction: 0 (none), 1 (mean) or 2 (sum).
    """
    return _rows.poisson_nll_loss(input, target, log_input, full, eps=eps, reduction=_reduction_name(reduction))


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2.0, eps=1e-6, swap=False, reduction=0):
    """Compute nn.functional.triplet_margin_loss, with a number for the reduction.

    Args:
        anchor, positive, negative: the vectors, of shape (N, D).
        margin: the required difference of the distances. Default: 1.0
        p: the order of the norm. Default: 2
        eps: a small number that is added to differences.
        swap: whether to use the distance of positive and negative if it is smaller. Default: False
        reduction: 0 (none), 1 (mean) or 2 (sum).
    """
    return _rows.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, reduction=_reduction_name(reduction))
