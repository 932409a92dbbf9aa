# SPDX-License-Identifier: BSD-3-Clause
"""Unfold and Fold: copy the patches of an image to columns, and sum columns to an image."""
from .. import functional as F
from ._stateless import Stateless

__all__ = ["Fold", "Unfold"]


class Fold(Stateless):
    """Add up the columns of a matrix as patches of an image (col2im).

    Where patches overlap their values are summed, so Fold after Unfold multiplies each pixel by the
    number of patches it belongs to.

    Args:
        output_size: size of the image, an int or a pair (height, width).
        kernel_size: size of a patch, an int or a pair (height, width).
        dilation: distance between neighbouring elements of a patch. Default: 1.
        padding: zeros added at both ends of each spatial dimension. Default: 0.
        stride: step between neighbouring patches. Default: 1.

    Shape:
        - Input: (N, C * kernel_height * kernel_width, L) or the same without N, with L as for
          Unfold.
        - Output: (N, C, height, width) or (C, height, width).

    Example:
        >>> columns = nn.Unfold(kernel_size=2)(torch.ones(1, 1, 3, 3))
        >>> nn.Fold(output_size=3, kernel_size=2)(columns)  # how many patches cover each pixel
        tensor([[[[1., 2., 1.],
                  [2., 4., 2.],
                  [1., 2., 1.]]]])
    """

    _shown = ("output_size", "kernel_size", "dilation", "padding", "stride")

    def __init__(self, output_size, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__(output_size=output_size, kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride)

    def forward(self, input):
        """Sum the columns of the input into images."""
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)


class Unfold(Stateless):
    """Copy the sliding patches of an image into the columns of a matrix (im2col).

    A convolution is the product of its weight matrix with these columns. Values that belong to
    several patches are copied several times.

    Args:
        kernel_size: size of a patch, an int or a pair (height, width).
        dilation: distance between neighbouring elements of a patch. Default: 1.
        padding: zeros added at both ends of each spatial dimension. Default: 0.
        stride: step between neighbouring patches. Default: 1.

    Shape:
        - Input: (N, C, H, W) or (C, H, W).
        - Output: (N, C * kernel_height * kernel_width, L), where L, the number of patches, is the
          product over both dimensions of floor((size + 2 * padding - dilation * (kernel_size - 1) -
          1) / stride) + 1.

    Example:
        >>> image = torch.arange(9.).view(1, 1, 3, 3)
        >>> nn.Unfold(kernel_size=2)(image)  # four patches of four elements, one in each column
        tensor([[[0., 1., 3., 4.],
                 [1., 2., 4., 5.],
                 [3., 4., 6., 7.],
                 [4., 5., 7., 8.]]])
    """

    _shown = ("kernel_size", "dilation", "padding", "stride")

    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__(kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride)

    def forward(self, input):
        """Copy the patches of the input into columns."""
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)
