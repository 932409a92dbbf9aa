# SPDX-License-Identifier: BSD-3-Clause
"""Focal loss (Lin et al., 2017), for few hard examples among many easy ones."""
from ...nn import functional

__all__ = ["sigmoid_focal_loss"]


def sigmoid_focal_loss(inputs, targets, alpha=0.25, gamma=2, reduction="none"):
    """Binary cross entropy of logits that down-weights easy examples: alpha_t * (1 - p_t) ** gamma * BCE.

    alpha: weight of the positive class, or -1 for no weighting. gamma: focusing strength. reduction: "none", "mean" or "sum".
    """
    p = inputs.sigmoid()
    loss = functional.binary_cross_entropy_with_logits(inputs, targets, reduction="none")
    loss = loss * (1 - (p * targets + (1 - p) * (1 - targets))) ** gamma
    if alpha >= 0:
        loss = (alpha * targets + (1 - alpha) * (1 - targets)) * loss
    return loss.mean() if reduction == "mean" else loss.sum() if reduction == "sum" else loss
