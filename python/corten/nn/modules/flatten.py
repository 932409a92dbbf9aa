# SPDX-License-Identifier: BSD-3-Clause
"""Several dims as one, and back."""
from ._stateless import Stateless

__all__ = ["Flatten", "Unflatten"]


class Flatten(Stateless):
    """Makes one dim of several.

        >>> nn.Flatten()(torch.randn(2, 3, 4)).shape
        torch.Size([2, 12])
    """

    _shown = ("start_dim", "end_dim")

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__(start_dim=start_dim, end_dim=end_dim)

    def forward(self, input):
        return input.flatten(self.start_dim, self.end_dim)


class Unflatten(Stateless):
    """Makes several dims of one.

        >>> nn.Unflatten(1, (2, 3))(torch.randn(2, 6)).shape
        torch.Size([2, 2, 3])
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
        return input.unflatten(self.dim, self.unflattened_size)
