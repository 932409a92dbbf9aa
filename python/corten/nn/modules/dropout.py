# SPDX-License-Identifier: BSD-3-Clause
"""Dropout."""
from .. import functional as F
from ._stateless import Stateless

__all__ = ["AlphaDropout", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "FeatureAlphaDropout"]


class _DropoutNd(Stateless):
    _shown = ("p", "inplace")

    def __init__(self, p=0.5, inplace=False):
        super().__init__(p=p, inplace=inplace)
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


class Dropout(_DropoutNd):
    """Sets elements to 0 with probability `p` and scales the others, while training.

        >>> nn.Dropout()(torch.tensor([-1., 0., 2.]))
        tensor([-0., 0., 4.])
    """

    def forward(self, input):
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_DropoutNd):
    """Sets whole channels of (N, C, L) or (C, L) to 0, while training.

        >>> nn.Dropout1d(0.3)(torch.randn(3, 4, 2)).shape
        torch.Size([3, 4, 2])
    """

    def forward(self, input):
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_DropoutNd):
    """Sets whole channels of (N, C, H, W) to 0, while training.

        >>> nn.Dropout2d(0.4)(torch.randn(3, 4, 2, 2)).shape
        torch.Size([3, 4, 2, 2])
    """

    def forward(self, input):
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_DropoutNd):
    """Sets whole channels of (N, C, D, H, W) to 0, while training.

        >>> nn.Dropout3d()(torch.tensor([-1., 0., 2.]))
        tensor([-0., 0., 4.])
    """

    def forward(self, input):
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_DropoutNd):
    """Dropout that keeps mean and variance of what SELU makes.

        >>> nn.AlphaDropout()(torch.tensor([-1., 0., 2.]))
        tensor([-0.7792, -0.7792,  2.5520])
    """

    def forward(self, input):
        return F.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(_DropoutNd):
    """Alpha dropout of whole channels.

        >>> nn.FeatureAlphaDropout(0.3)(torch.randn(3, 4, 2)).shape
        torch.Size([3, 4, 2])
    """

    def forward(self, input):
        return F.feature_alpha_dropout(input, self.p, self.training)
