# SPDX-License-Identifier: BSD-3-Clause
"""The second names of transforms: those of the first, for one picture, and what scripts of today add to them."""
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
    """Nothing."""

    def forward(self, img):
        return img


class ConvertImageDtype(_first.ConvertImageDtype):
    """Another type, with the range that goes with it."""

    def __init__(self, dtype=float32):
        super().__init__(dtype)


class ColorJitter(_first.ColorJitter):
    """Random brightness, contrast, saturation and hue; None, like 0, leaves one as it is."""

    def __init__(self, brightness=None, contrast=None, saturation=None, hue=None):
        super().__init__(*(0 if value is None else value for value in (brightness, contrast, saturation, hue)))


class ToImage(Module):
    """A PIL image or an array as a tensor (C, H, W) of its own type."""

    def forward(self, img):
        return functional.to_image(img)


class ToPureTensor(Identity):
    """A tensor as it is."""


class ToDtype(Module):
    """Another type; scale: with the range that goes with it."""

    def __init__(self, dtype, scale=False):
        super().__init__()
        self.dtype, self.scale = dtype, scale

    def forward(self, img):
        return functional.to_dtype(img, self.dtype, self.scale)

    def extra_repr(self):
        return f"dtype={self.dtype}, scale={self.scale}"


__getattr__ = names_of(__name__)
