# SPDX-License-Identifier: BSD-3-Clause
"""Upsample and its two older forms."""
from .. import functional as F
from ._stateless import Stateless

__all__ = ["Upsample", "UpsamplingBilinear2d", "UpsamplingNearest2d"]


class Upsample(Stateless):
    """Resize sequences, images or volumes, by interpolation.

    Give either the new size or a factor; a factor below 1 shrinks (without the smoothing that
    `interpolate` offers as antialias).

    Args:
        size: the new spatial size, an int or a tuple of one int per spatial dimension. Default:
            None.
        scale_factor: factor of the spatial sizes, a number or a tuple; results are rounded down.
            Default: None.
        mode: "nearest"; "linear" for (N, C, L), "bilinear" or "bicubic" for (N, C, H, W),
            "trilinear" for (N, C, D, H, W). Default: "nearest".
        align_corners: for the linear modes and bicubic. True puts the centres of the corner
            elements of input and output on top of each other; False aligns their outer edges, so
            that results do not depend on the size. Default: None, which is False.
        recompute_scale_factor: compute the factor anew from the rounded output size, instead of
            using it as given. Default: None, as given.

    Shape:
        - Input: (N, C, L), (N, C, H, W) or (N, C, D, H, W).
        - Output: the same with new spatial sizes, floor(size * scale_factor).

    Example:
        >>> x = torch.tensor([[[1., 2., 3.]]])
        >>> nn.Upsample(scale_factor=2)(x)
        tensor([[[1., 1., 2., 2., 3., 3.]]])
        >>> nn.Upsample(size=5, mode="linear", align_corners=True)(x)
        tensor([[[1.0000, 1.5000, 2.0000, 2.5000, 3.0000]]])
    """

    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        if isinstance(scale_factor, tuple):
            scale_factor = tuple(float(factor) for factor in scale_factor)
        else:
            scale_factor = float(scale_factor) if scale_factor else None
        super().__init__(name=type(self).__name__, size=size, scale_factor=scale_factor, mode=mode, align_corners=align_corners,
                         recompute_scale_factor=recompute_scale_factor)

    def forward(self, input):
        """Resize the input."""
        return F.interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners,
                             recompute_scale_factor=self.recompute_scale_factor)

    def __setstate__(self, state):
        state.setdefault("recompute_scale_factor", True)
        super().__setstate__(state)

    def extra_repr(self):
        """The arguments as printed."""
        name = "size" if self.scale_factor is None else "scale_factor"
        return f"{name}={getattr(self, name)!r}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Resize images by repeating the nearest pixel.

    An older form of Upsample(mode="nearest"), limited to images.

    Args:
        size: the new size, an int or a pair (height, width). Default: None.
        scale_factor: factor of height and width, a number or a pair. Default: None. One of both has
            to be given.

    Shape:
        - Input: (N, C, H, W).
        - Output: (N, C, *size) or (N, C, floor(H * scale_factor), floor(W * scale_factor)).

    Example:
        >>> nn.UpsamplingNearest2d(scale_factor=2)(torch.tensor([[[[1., 2.]]]]))
        tensor([[[[1., 1., 2., 2.],
                  [1., 1., 2., 2.]]]])
    """

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Resize images by bilinear interpolation with aligned corners.

    An older form of Upsample(mode="bilinear", align_corners=True).

    Args:
        size: the new size, an int or a pair (height, width). Default: None.
        scale_factor: factor of height and width, a number or a pair. Default: None. One of both has
            to be given.

    Shape:
        - Input: (N, C, H, W).
        - Output: (N, C, *size) or (N, C, floor(H * scale_factor), floor(W * scale_factor)).

    Example:
        >>> nn.UpsamplingBilinear2d(size=(1, 5))(torch.tensor([[[[0., 4.]]]]))
        tensor([[[[0., 1., 2., 3., 4.]]]])
    """

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)
