# SPDX-License-Identifier: BSD-3-Clause
"""Distance and cosine similarity of pairs of vectors."""
from .. import functional as F
from ._stateless import Stateless

__all__ = ["CosineSimilarity", "PairwiseDistance"]


class PairwiseDistance(Stateless):
    """Distance between corresponding vectors of two inputs: the p-norm of their difference.

        distance[n] = (sum over i of |x1[n, i] - x2[n, i] + eps|^p)^(1 / p)

    Because of `eps`, equal vectors are not exactly 0 apart, and their gradient is finite.

    Args:
        p: exponent of the norm. Default: 2.
        eps: added to every difference. Default: 1e-6.
        keepdim: keep the last dimension, with size 1. Default: False.

    Shape:
        - Input1, input2: (N, D) or (D,); they broadcast.
        - Output: (N,) or (); with keepdim=True (N, 1) or (1,).

    Example:
        >>> a, b = torch.tensor([[0., 0.], [1., 1.]]), torch.tensor([[3., 4.], [1., 2.]])
        >>> nn.PairwiseDistance()(a, b)
        tensor([5.0000, 1.0000])
        >>> nn.PairwiseDistance(p=1.)(a, b)
        tensor([7.0000, 1.0000])
    """

    def __init__(self, p=2.0, eps=1e-6, keepdim=False):
        super().__init__(norm=p, eps=eps, keepdim=keepdim)

    def forward(self, x1, x2):
        """Return the distances between the vectors of x1 and x2."""
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


class CosineSimilarity(Stateless):
    """Cosine of the angle between corresponding vectors of two inputs.

        similarity = sum of x1 * x2 / (max(norm(x1), eps) * max(norm(x2), eps))

    It is 1 for the same direction, 0 for right angles and -1 for opposite directions; lengths do
    not matter. A zero vector gives 0.

    Args:
        dim: the dimension that holds the vectors. Default: 1.
        eps: lower limit of each norm. Default: 1e-8.

    Shape:
        - Input1, input2: (*, D, *), where D is the size of `dim`; they broadcast.
        - Output: the same without `dim`.

    Example:
        >>> a, b = torch.tensor([[1., 0.], [1., 0.], [0., 0.]]), torch.tensor([[5., 0.], [0., 2.], [1., 1.]])
        >>> nn.CosineSimilarity()(a, b)
        tensor([1., 0., 0.])
    """

    def __init__(self, dim=1, eps=1e-8):
        super().__init__(dim=dim, eps=eps)

    def forward(self, x1, x2):
        """Return the cosines between the vectors of x1 and x2."""
        return F.cosine_similarity(x1, x2, self.dim, self.eps)
