# SPDX-License-Identifier: BSD-3-Clause
"""Larger images."""
from .. import functional as F
from ._stateless import Stateless

__all__ = ["Upsample", "UpsamplingBilinear2d", "UpsamplingNearest2d"]


class Upsample(Stateless):
    """Resizes to a size or by a factor.

        >>> nn.Upsample(scale_factor=2)(torch.randn(1, 2, 3, 3)).shape
        torch.Size([1, 2, 6, 6])
    """

    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        if isinstance(scale_factor, tuple):
            scale_factor = tuple(float(factor) for factor in scale_factor)
        else:
            scale_factor = float(scale_factor) if scale_factor else None
        super().__init__(name=type(self).__name__, size=size, scale_factor=scale_factor, mode=mode, align_corners=align_corners,
                         recompute_scale_factor=recompute_scale_factor)

    def forward(self, input):
        return F.interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners,
                             recompute_scale_factor=self.recompute_scale_factor)

    def __setstate__(self, state):
        state.setdefault("recompute_scale_factor", True)
        super().__setstate__(state)

    def extra_repr(self):
        name = "size" if self.scale_factor is None else "scale_factor"
        return f"{name}={getattr(self, name)!r}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Upsample with the nearest element.

        >>> nn.UpsamplingNearest2d(scale_factor=2)(torch.randn(1, 2, 3, 3)).shape
        torch.Size([1, 2, 6, 6])
    """

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Upsample with bilinear interpolation between corners that stay in place.

        >>> nn.UpsamplingBilinear2d(size=(5, 4))(torch.randn(1, 2, 3, 3)).shape
        torch.Size([1, 2, 5, 4])
    """

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)
