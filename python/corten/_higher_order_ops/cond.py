# SPDX-License-Identifier: BSD-3-Clause
"""torch.cond: calls one of two functions."""
from .._C import Tensor

__all__ = ["cond"]


def cond(pred, true_fn, false_fn, operands=()):
    """Returns true_fn(*operands) if pred is true, else false_fn(*operands)."""
    if isinstance(pred, Tensor) and pred.numel() != 1:
        raise RuntimeError(f"Expected pred to be bool or single-element tensor, but got {pred}.")
    if not isinstance(pred, (bool, Tensor)):
        raise RuntimeError(f"Expected pred to be bool or tensor, but got {pred}.")
    return true_fn(*operands) if pred else false_fn(*operands)
