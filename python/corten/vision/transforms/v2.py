# SPDX-License-Identifier: BSD-3-Clause
"""The second names of transforms: those of the first, for one picture, and what scripts of today add to them."""
from ... import _C
from ...nn import Module
from . import functional
from .functional import InterpolationMode
from .transforms import *  # noqa: F403
from .transforms import __all__ as _names

__all__ = [*_names, "Identity", "InterpolationMode", "ToDtype", "ToImage", "ToPureTensor", "functional"]


class Identity(Module):
    """Nothing."""

    def forward(self, img):
        return img


class ToImage(Module):
    """A PIL image or an array as a tensor (C, H, W) of its own type."""

    def forward(self, img):
        if isinstance(img, _C.Tensor):
            return img
        return functional.pil_to_tensor(img) if functional._is_pil(img) else functional._rows_to_planes(img).contiguous()


class ToPureTensor(Identity):
    """A tensor as it is."""


class ToDtype(Module):
    """Another type; scale: with the range that goes with it."""

    def __init__(self, dtype, scale=False):
        super().__init__()
        self.dtype, self.scale = dtype, scale

    def forward(self, img):
        return functional.convert_image_dtype(img, self.dtype) if self.scale else img.to(self.dtype)

    def extra_repr(self):
        return f"dtype={self.dtype}, scale={self.scale}"
