# SPDX-License-Identifier: BSD-3-Clause
"""PixelShuffle and PixelUnshuffle: rearrange channels as pixels, and pixels as channels."""
from .. import functional as F
from ._stateless import Stateless

__all__ = ["PixelShuffle", "PixelUnshuffle"]


class PixelShuffle(Stateless):
    """Rearrange blocks of r^2 channels as r x r pixels, which enlarges the image (Shi et al., 2016).

        out[c, h * r + i, w * r + j] = in[c * r^2 + i * r + j, h, w]

    After a convolution it upsamples without the checkerboard patterns of ConvTranspose2d.

    Args:
        upscale_factor: r, the factor for height and width.

    Shape:
        - Input: (*, C * r^2, H, W).
        - Output: (*, C, H * r, W * r).

    Example:
        >>> x = torch.tensor([1., 2., 3., 4.]).view(1, 4, 1, 1)  # one pixel with four channels
        >>> nn.PixelShuffle(2)(x)
        tensor([[[[1., 2.],
                  [3., 4.]]]])
    """

    _shown = ("upscale_factor",)

    def __init__(self, upscale_factor):
        super().__init__(upscale_factor=upscale_factor)

    def forward(self, input):
        """Move channels of the input to pixels."""
        return F.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Stateless):
    """Rearrange r x r blocks of pixels as channels: the inverse of PixelShuffle.

        out[c * r^2 + i * r + j, h, w] = in[c, h * r + i, w * r + j]

    It downsamples without losing anything. Height and width must be divisible by r, otherwise
    RuntimeError.

    Args:
        downscale_factor: r, the factor for height and width.

    Shape:
        - Input: (*, C, H * r, W * r).
        - Output: (*, C * r^2, H, W).

    Example:
        >>> x = torch.tensor([[[[1., 2.], [3., 4.]]]])
        >>> nn.PixelUnshuffle(2)(x).flatten(), nn.PixelUnshuffle(2)(x).shape
        (tensor([1., 2., 3., 4.]), torch.Size([1, 4, 1, 1]))
    """

    _shown = ("downscale_factor",)

    def __init__(self, downscale_factor):
        super().__init__(downscale_factor=downscale_factor)

    def forward(self, input):
        """Move pixels of the input to channels."""
        return F.pixel_unshuffle(input, self.downscale_factor)
