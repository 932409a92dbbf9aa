# SPDX-License-Identifier: BSD-3-Clause
"""Position-sensitive RoI pooling (Dai et al., R-FCN, 2016)."""
from ... import nn
from . import _regions
from .roi_align import pair, rows_of

__all__ = ["PSRoIPool", "ps_roi_pool"]


def ps_roi_pool(input, boxes, output_size, spatial_scale=1.0):
    """Mean pixel in each bin of each box, where each bin reads separate channels: (number of boxes, channels / bins, *output_size).

    boxes: rows (image, x1, y1, x2, y2), or a list with the boxes of each image. The number of channels must be a multiple of the
    number of bins.
    """
    return _regions.ps_roi_pool(input, rows_of(boxes), spatial_scale, *pair(output_size))[0]


class PSRoIPool(nn.Module):
    """Module form of ps_roi_pool."""

    def __init__(self, output_size, spatial_scale):
        super().__init__()
        self.output_size, self.spatial_scale = output_size, spatial_scale

    def forward(self, input, rois):
        """Applies ps_roi_pool to the boxes `rois`."""
        return ps_roi_pool(input, rois, self.output_size, self.spatial_scale)

    def __repr__(self):
        return f"{type(self).__name__}(output_size={self.output_size}, spatial_scale={self.spatial_scale})"
