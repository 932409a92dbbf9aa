# SPDX-License-Identifier: BSD-3-Clause
"""torchvision.transforms.v2: the transforms of version 1, for single images, plus common additions of version 2."""
from .... import float32
from ....nn import Module
from ..._elsewhere import names_of
from .. import transforms as _first
from ..functional import InterpolationMode
from ..transforms import *  # noqa: F403
from ..transforms import __all__ as _names
from . import functional

__all__ = [*_names, "Identity", "InterpolationMode", "ToDtype", "ToImage", "ToPureTensor", "functional"]


class Identity(Module):
    """Returns the image unchanged."""

    def forward(self, img):
        """Returns the image."""
        return img


class ConvertImageDtype(_first.ConvertImageDtype):
    """Converts the dtype and scales the values to its range."""

    def __init__(self, dtype=float32):
        super().__init__(dtype)


class ColorJitter(_first.ColorJitter):
    """Changes brightness, contrast, saturation and hue by random factors; None or 0 leaves one unchanged."""

    def __init__(self, brightness=None, contrast=None, saturation=None, hue=None):
        super().__init__(*(0 if value is None else value for value in (brightness, contrast, saturation, hue)))


class ToImage(Module):
    """Converts a PIL image or an array to a tensor (C, H, W), keeping the dtype."""

    def forward(self, img):
        """Returns the image as a tensor."""
        return functional.to_image(img)


class ToPureTensor(Identity):
    """Returns a tensor unchanged."""


class ToDtype(Module):
    """Converts the dtype; with `scale`, also scales the values to its range."""

    def __init__(self, dtype, scale=False):
        super().__init__()
        self.dtype, self.scale = dtype, scale

    def forward(self, img):
        """Returns the converted tensor."""
        return functional.to_dtype(img, self.dtype, self.scale)

    def extra_repr(self):
        """Returns the arguments for repr."""
        return f"dtype={self.dtype}, scale={self.scale}"


__getattr__ = names_of(__name__)
