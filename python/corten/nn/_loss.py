# SPDX-License-Identifier: BSD-3-Clause
"""The losses of nn.functional that take what is no tensor: a variance that is a number, a function of distance."""
from .. import _C

_rows = _C._submodules["nn.functional"]
__all__ = ["gaussian_nll_loss", "triplet_margin_with_distance_loss"]


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """The negative log likelihood of the normal distribution.

        >>> nn.functional.gaussian_nll_loss(torch.tensor([1., 2.]), torch.tensor([3., 4.]), torch.tensor([1., 1.]))
        tensor(2.)
    """
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = _C.full_like(input, var)
    return _rows.gaussian_nll_loss(input, target, var, full, eps, reduction)


def triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False,
                                      reduction="mean"):
    """What the negative lacks to be farther than the positive by the margin, in a distance of one's own.

        >>> nn.functional.triplet_margin_with_distance_loss(torch.randn(2, 3), torch.randn(2, 3), torch.randn(2, 3)).shape
        torch.Size([])
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
