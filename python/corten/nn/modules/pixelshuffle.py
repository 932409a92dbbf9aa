# SPDX-License-Identifier: BSD-3-Clause
"""Channels as pixels, and back."""
from .. import functional as F
from ._stateless import Stateless

__all__ = ["PixelShuffle", "PixelUnshuffle"]


class PixelShuffle(Stateless):
    """r^2 channels become blocks of r x r pixels.

        >>> nn.PixelShuffle(2)(torch.randn(1, 8, 2, 3)).shape
        torch.Size([1, 2, 4, 6])
    """

    _shown = ("upscale_factor",)

    def __init__(self, upscale_factor):
        super().__init__(upscale_factor=upscale_factor)

    def forward(self, input):
        return F.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Stateless):
    """Blocks of r x r pixels become r^2 channels.

        >>> nn.PixelUnshuffle(2)(torch.randn(1, 2, 4, 6)).shape
        torch.Size([1, 8, 2, 3])
    """

    _shown = ("downscale_factor",)

    def __init__(self, downscale_factor):
        super().__init__(downscale_factor=downscale_factor)

    def forward(self, input):
        return F.pixel_unshuffle(input, self.downscale_factor)
