# SPDX-License-Identifier: BSD-3-Clause
"""Losses of nn.functional with arguments other than tensors, such as a distance function."""
from .. import _C

_rows = _C._submodules["nn.functional"]
__all__ = ["gaussian_nll_loss", "triplet_margin_with_distance_loss"]


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """Negative log-likelihood of targets under normal distributions with given mean and variance.

        loss = (log(max(var, eps)) + (input - target)^2 / max(var, eps)) / 2

    The clamping by `eps` is not part of the gradient. The layer is nn.GaussianNLLLoss.

    Args:
        input: the means, any shape.
        target: the observed values, in the shape of `input` or one that broadcasts to it.
        var: the variances: the shape of `input`, the same without its last dimension or with 1 in
            its place, or one float for all. A negative one raises ValueError.
        full: add the constant log(2 * pi) / 2. Default: False.
        eps: lower limit of the variance. Default: 1e-6.
        reduction: "none", "sum" or "mean". Default: "mean".

    Example:
        >>> mean, target = torch.tensor([1., 2.]), torch.tensor([1., 4.])
        >>> nn.functional.gaussian_nll_loss(mean, target, torch.tensor([1., 4.]), reduction="none")
        tensor([0.0000, 1.1931])
    """
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = _C.full_like(input, var)
    return _rows.gaussian_nll_loss(input, target, var, full, eps, reduction)


def triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False,
                                      reduction="mean"):
    """Triplet margin loss with a distance function of your choice.

        loss = max(d(anchor, positive) - d(anchor, negative) + margin, 0)

    The layer is nn.TripletMarginWithDistanceLoss.

    Args:
        anchor, positive, negative: embeddings with the same number of dimensions, usually (N, D).
        distance_function: called with two tensors, gives their non-negative distances. Default:
            None, `pairwise_distance`.
        margin: the minimum difference between the distances; positive, otherwise ValueError. Default: 1.
        swap: use d(positive, negative) instead of d(anchor, negative) where it is smaller. Default:
            False.
        reduction: "none", "sum" or "mean". Default: "mean".

    Example:
        >>> def largest(a, b):  # the maximum norm
        ...     return (a - b).abs().amax(-1)
        >>> anchor, near, far = torch.tensor([[0., 0.]]), torch.tensor([[3., 4.]]), torch.tensor([[0., 4.5]])
        >>> nn.functional.triplet_margin_with_distance_loss(anchor, near, far, distance_function=largest)
        tensor(0.5000)
    """
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    dims = [t.ndim for t in (anchor, positive, negative)]
    if not dims[0] == dims[1] == dims[2]:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            f"anchor {dims[0]}D, positive {dims[1]}D, and negative {dims[2]}D inputs")
    distance = distance_function or _C.pairwise_distance
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = _C.minimum(far, distance(positive, negative))
    loss = _C.clamp_min(margin + near - far, 0)
    return loss if reduction == "none" else getattr(_C, reduction)(loss)
