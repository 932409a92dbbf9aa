# SPDX-License-Identifier: BSD-3-Clause
"""Patches of images as columns, and back."""
from .. import functional as F
from ._stateless import Stateless

__all__ = ["Fold", "Unfold"]


class Fold(Stateless):
    """Adds columns up to an image.

        >>> nn.Fold((4, 5), (2, 2))(torch.randn(1, 8, 12)).shape
        torch.Size([1, 2, 4, 5])
    """

    _shown = ("output_size", "kernel_size", "dilation", "padding", "stride")

    def __init__(self, output_size, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__(output_size=output_size, kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride)

    def forward(self, input):
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)


class Unfold(Stateless):
    """Takes patches of an image as columns.

        >>> nn.Unfold((2, 3), dilation=1, padding=1, stride=2)(torch.randn(1, 2, 4, 5)).shape
        torch.Size([1, 12, 9])
    """

    _shown = ("kernel_size", "dilation", "padding", "stride")

    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__(kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride)

    def forward(self, input):
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)
