# SPDX-License-Identifier: BSD-3-Clause
"""Flatten and Unflatten: merge several dimensions into one, and split one into several."""
from ._stateless import Stateless

__all__ = ["Flatten", "Unflatten"]


class Flatten(Stateless):
    """Merge a range of dimensions into one.

    By default everything but the batch dimension is merged, as needed between convolutions and a
    linear layer. The result is a view if the memory layout allows one.

    Args:
        start_dim: first dimension to merge. Default: 1.
        end_dim: last dimension to merge, inclusive. Default: -1.

    Shape:
        - Input: (*, S_start, ..., S_end, *).
        - Output: (*, S_start * ... * S_end, *).

    Example:
        >>> nn.Flatten()(torch.zeros(32, 1, 5, 5)).shape
        torch.Size([32, 25])
        >>> nn.Flatten(0, 2)(torch.zeros(32, 1, 5, 5)).shape
        torch.Size([160, 5])
    """

    _shown = ("start_dim", "end_dim")

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__(start_dim=start_dim, end_dim=end_dim)

    def forward(self, input):
        """Merge the dimensions of the input."""
        return input.flatten(self.start_dim, self.end_dim)


class Unflatten(Stateless):
    """Split a dimension into several: the inverse of Flatten.

    The result is a view.

    Args:
        dim: the dimension to split.
        unflattened_size: a tuple or list of the new sizes, whose product is the old size; one may
            be -1 and is inferred. Anything else raises TypeError.

    Shape:
        - Input: (*, S, *), where S is the size of `dim`.
        - Output: (*, *unflattened_size, *).

    Example:
        >>> nn.Unflatten(1, (2, 5, 5))(torch.zeros(2, 50)).shape
        torch.Size([2, 2, 5, 5])
        >>> nn.Unflatten(1, (2, -1))(torch.zeros(2, 50)).shape
        torch.Size([2, 2, 25])
    """

    _shown = ("dim", "unflattened_size")

    def __init__(self, dim, unflattened_size):
        if not isinstance(unflattened_size, (tuple, list)):
            raise TypeError(f"unflattened_size must be a tuple of ints, but found type {type(unflattened_size).__name__}")
        for i, size in enumerate(unflattened_size):
            if not isinstance(size, int):
                raise TypeError(f"unflattened_size must be tuple of ints, but found element of type {type(size).__name__} at pos "
                                f"{i}")
        super().__init__(dim=dim, unflattened_size=unflattened_size)

    def forward(self, input):
        """Split the dimension of the input."""
        return input.unflatten(self.dim, self.unflattened_size)
