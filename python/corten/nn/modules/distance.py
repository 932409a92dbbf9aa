# SPDX-License-Identifier: BSD-3-Clause
"""Distances between two inputs."""
from .. import functional as F
from ._stateless import Stateless

__all__ = ["CosineSimilarity", "PairwiseDistance"]


class PairwiseDistance(Stateless):
    """The p-norm of the difference of rows.

        >>> nn.PairwiseDistance()(torch.randn(3, 4), torch.randn(3, 4)).shape
        torch.Size([3])
    """

    def __init__(self, p=2.0, eps=1e-6, keepdim=False):
        super().__init__(norm=p, eps=eps, keepdim=keepdim)

    def forward(self, x1, x2):
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


class CosineSimilarity(Stateless):
    """The cosine of the angle between vectors along `dim`.

        >>> nn.CosineSimilarity()(torch.randn(3, 4), torch.randn(3, 4)).shape
        torch.Size([3])
    """

    def __init__(self, dim=1, eps=1e-8):
        super().__init__(dim=dim, eps=eps)

    def forward(self, x1, x2):
        return F.cosine_similarity(x1, x2, self.dim, self.eps)
