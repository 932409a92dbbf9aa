# SPDX-License-Identifier: BSD-3-Clause
"""Dropout of elements or whole channels, with zeros or with the value suited to SELU."""
from .. import functional as F
from ._stateless import Stateless

__all__ = ["AlphaDropout", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "FeatureAlphaDropout"]


class _DropoutNd(Stateless):
    """Base of the dropout layers: checks and stores `p` and `inplace`."""

    _shown = ("p", "inplace")

    def __init__(self, p=0.5, inplace=False):
        super().__init__(p=p, inplace=inplace)
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


class Dropout(_DropoutNd):
    """While training, set elements to zero at random, each with probability p.

        y = x * mask / (1 - p), where mask is 1 with probability 1 - p, else 0

    What remains is multiplied by 1 / (1 - p), so the expected value does not change. In evaluation
    mode the input is returned unchanged. p=1 gives all zeros. Dropout regularizes: no unit can rely on
    the presence of another one (Hinton et al., 2012; Srivastava et al., 2014).

    Args:
        p: probability of being dropped, from 0 to 1, otherwise ValueError. Default: 0.5.
        inplace: overwrite the input instead of returning a new tensor. Default: False.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> drop = nn.Dropout(0.5)
        >>> y = drop(torch.ones(1000))
        >>> y.unique()  # dropped, or doubled
        tensor([0., 2.])
        >>> drop.eval()(torch.tensor([1., 2.]))
        tensor([1., 2.])
    """

    def forward(self, input):
        """Drop elements of the input while training."""
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_DropoutNd):
    """While training, set whole channels of sequences to zero, each with probability p.

    What remains is multiplied by 1 / (1 - p), so the expected value does not change. In evaluation
    mode the input is returned unchanged. p=1 gives all zeros. Neighbouring elements of a channel are
    strongly correlated, so dropping single ones would hardly regularize; a convolution is therefore
    better followed by this layer than by Dropout. (Tompson et al., 2015.)

    Args:
        p: probability of being dropped, from 0 to 1, otherwise ValueError. Default: 0.5.
        inplace: overwrite the input instead of returning a new tensor. Default: False.

    Shape:
        - Input: (N, C, L) or (C, L).
        - Output: the same shape.

    Example:
        >>> y = nn.Dropout1d(0.5)(torch.ones(100, 8, 2))
        >>> (y[..., 0] == y[..., 1]).all().item(), y.unique().tolist()
        (True, [0.0, 2.0])
    """

    def forward(self, input):
        """Drop channels of the input while training."""
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_DropoutNd):
    """While training, set whole channels of images to zero, each with probability p.

    What remains is multiplied by 1 / (1 - p), so the expected value does not change. In evaluation
    mode the input is returned unchanged. p=1 gives all zeros. Neighbouring elements of a channel are
    strongly correlated, so dropping single ones would hardly regularize; a convolution is therefore
    better followed by this layer than by Dropout. (Tompson et al., 2015.)

    Args:
        p: probability of being dropped, from 0 to 1, otherwise ValueError. Default: 0.5.
        inplace: overwrite the input instead of returning a new tensor. Default: False.

    Shape:
        - Input: (N, C, H, W). An input of 3 dimensions is taken as (N, C, L) and warns, as in
          PyTorch; use Dropout1d for it.
        - Output: the same shape.

    Example:
        >>> y = nn.Dropout2d(0.5)(torch.ones(100, 8, 2, 2))
        >>> (y[..., :1, :1] == y).all().item(), y.unique().tolist()
        (True, [0.0, 2.0])
    """

    def forward(self, input):
        """Drop channels of the input while training."""
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_DropoutNd):
    """While training, set whole channels of volumes to zero, each with probability p.

    What remains is multiplied by 1 / (1 - p), so the expected value does not change. In evaluation
    mode the input is returned unchanged. p=1 gives all zeros. Neighbouring elements of a channel are
    strongly correlated, so dropping single ones would hardly regularize; a convolution is therefore
    better followed by this layer than by Dropout. (Tompson et al., 2015.)

    Args:
        p: probability of being dropped, from 0 to 1, otherwise ValueError. Default: 0.5.
        inplace: overwrite the input instead of returning a new tensor. Default: False.

    Shape:
        - Input: (N, C, D, H, W) or (C, D, H, W).
        - Output: the same shape.

    Example:
        >>> y = nn.Dropout3d(0.5)(torch.ones(50, 8, 2, 2, 2))
        >>> (y[..., :1, :1, :1] == y).all().item(), y.unique().tolist()
        (True, [0.0, 2.0])
    """

    def forward(self, input):
        """Drop channels of the input while training."""
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_DropoutNd):
    """Dropout for networks with SELU: it preserves mean 0 and variance 1 (Klambauer et al., 2017).

        y = a * (x * mask + (1 - mask) * m) + b, with m = -1.7580..., the value SELU approaches for very negative inputs

    mask is 1 with probability 1 - p, else 0; a and b are chosen so that inputs of mean 0 and
    variance 1 keep both. In evaluation mode the input is returned unchanged.

    Args:
        p: probability of being dropped, from 0 to 1, otherwise ValueError. Default: 0.5.
        inplace: accepted and printed, but the result is always a new tensor. Default: False.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> y = nn.AlphaDropout(0.5)(torch.zeros(1000))
        >>> y.unique()  # a * m + b, and b
        tensor([-0.7792,  0.7792])
    """

    def forward(self, input):
        """Drop elements of the input while training."""
        return F.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(_DropoutNd):
    """AlphaDropout of whole channels.

        y = a * (x * mask + (1 - mask) * m) + b, with one mask for all elements of a channel

    Like AlphaDropout it preserves mean 0 and variance 1 of SELU's results; like Dropout2d it drops
    correlated neighbours together. In evaluation mode the input is returned unchanged.

    Args:
        p: probability of being dropped, from 0 to 1, otherwise ValueError. Default: 0.5.
        inplace: kept and printed, but the result is always a new tensor. Default: False.

    Shape:
        - Input: (N, C, ...).
        - Output: the same shape.

    Example:
        >>> y = nn.FeatureAlphaDropout(0.5)(torch.zeros(100, 8, 2))
        >>> (y[..., 0] == y[..., 1]).all().item()
        True
    """

    def forward(self, input):
        """Drop channels of the input while training."""
        return F.feature_alpha_dropout(input, self.p, self.training)
