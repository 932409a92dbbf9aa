# SPDX-License-Identifier: BSD-3-Clause
"""RoI pooling: the maximum pixel in each bin of a box (Girshick, Fast R-CNN, 2015)."""
from ... import nn
from . import _regions
from .roi_align import pair, rows_of

__all__ = ["RoIPool", "roi_pool"]


def roi_pool(input, boxes, output_size, spatial_scale=1.0):
    """Maximum pixel in each bin of each box: (number of boxes, channels, *output_size). Empty bins give 0.

    boxes: rows (image, x1, y1, x2, y2), or a list with the boxes of each image; corners are multiplied by `spatial_scale` and
    rounded to pixels.
    """
    return _regions.roi_pool(input, rows_of(boxes), spatial_scale, *pair(output_size))[0]


class RoIPool(nn.Module):
    """Module form of roi_pool."""

    def __init__(self, output_size, spatial_scale):
        super().__init__()
        self.output_size, self.spatial_scale = output_size, spatial_scale

    def forward(self, input, rois):
        """Applies roi_pool to the boxes `rois`."""
        return roi_pool(input, rois, self.output_size, self.spatial_scale)

    def __repr__(self):
        return f"{type(self).__name__}(output_size={self.output_size}, spatial_scale={self.spatial_scale})"
