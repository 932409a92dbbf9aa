# SPDX-License-Identifier: BSD-3-Clause
"""Losses under the names and with the arguments that PyTorch's main module gives them: a reduction is a number there
(0: none, 1: the mean, 2: the sum)."""
from . import _C

_rows = _C._submodules["nn.functional"]
__all__ = ["binary_cross_entropy_with_logits", "cosine_embedding_loss", "hinge_embedding_loss", "kl_div",
           "margin_ranking_loss", "poisson_nll_loss", "triplet_margin_loss"]


def _word(reduction):
    if not 0 <= reduction <= 2:
        raise RuntimeError(f"Expected a reduction from 0 to 2, but got {reduction}")
    return ("none", "mean", "sum")[reduction]


def binary_cross_entropy_with_logits(input, target, weight=None, pos_weight=None, reduction=0):
    """The cross entropy of the sigmoid and the truth.

        >>> torch.binary_cross_entropy_with_logits(torch.zeros(2), torch.tensor([0., 1.]))
        tensor([0.6931, 0.6931])
    """
    return _rows.binary_cross_entropy_with_logits(input, target, weight, reduction=_word(reduction), pos_weight=pos_weight)


def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction=0):
    """1 less the cosine of two vectors where the target is 1, what it has above the margin where that is -1."""
    return _rows.cosine_embedding_loss(input1, input2, target, margin, reduction=_word(reduction))


def hinge_embedding_loss(input, target, margin=1.0, reduction=0):
    """The input where the target is 1, what it lacks of the margin where that is -1."""
    return _rows.hinge_embedding_loss(input, target, margin, reduction=_word(reduction))


def kl_div(input, target, reduction=0, *, log_target=False):
    """The Kullback-Leibler divergence; `input` is a logarithm, `target` perhaps.

        >>> torch.kl_div(torch.zeros(2), torch.tensor([0.5, 0.5]), reduction=2)
        tensor(-0.6931)
    """
    if _word(reduction) == "mean":  # without what nn.functional says of it
        return _rows.kl_div(input, target, reduction="none", log_target=log_target).mean()
    return _rows.kl_div(input, target, reduction=_word(reduction), log_target=log_target)


def margin_ranking_loss(input1, input2, target, margin=0.0, reduction=0):
    """What input1 lacks to be ahead of input2 by the margin; of a target of -1 the other way around.

        >>> torch.margin_ranking_loss(torch.zeros(2), torch.ones(2), torch.ones(2), 0.5)
        tensor([1.5000, 1.5000])
    """
    return _rows.margin_ranking_loss(input1, input2, target, margin, reduction=_word(reduction))


def poisson_nll_loss(input, target, log_input, full, eps, reduction):
    """The negative log likelihood of Poisson's distribution."""
    return _rows.poisson_nll_loss(input, target, log_input, full, eps=eps, reduction=_word(reduction))


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2.0, eps=1e-6, swap=False, reduction=0):
    """What the negative lacks to be farther than the positive by the margin."""
    return _rows.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, reduction=_word(reduction))
