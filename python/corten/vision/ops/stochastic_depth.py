# SPDX-License-Identifier: BSD-3-Clause
"""Stochastic depth (Huang et al., 2016): drops residual branches at random during training."""
from ... import _C, nn

__all__ = ["StochasticDepth", "stochastic_depth"]


def stochastic_depth(input, p, mode, training=True):
    """Sets whole rows (mode="row") or the whole batch (mode="batch") to zero with probability p, and scales the rest by 1 / (1 - p)."""
    if mode not in ("batch", "row"):
        raise ValueError(f"mode has to be either 'batch' or 'row', but got {mode}")
    if not training or p == 0.0:
        return input
    shape = [input.shape[0] if mode == "row" else 1] + [1] * (input.ndim - 1)
    noise = _C.empty(shape, dtype=input.dtype, device=input.device).bernoulli_(1.0 - p)
    return input * (noise.div_(1.0 - p) if p < 1.0 else noise)


class StochasticDepth(nn.Module):
    """Module form of stochastic_depth."""

    def __init__(self, p, mode):
        super().__init__()
        self.p, self.mode = p, mode

    def forward(self, input):
        """Applies stochastic_depth; an identity in evaluation mode."""
        return stochastic_depth(input, self.p, self.mode, self.training)
