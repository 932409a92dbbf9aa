# SPDX-License-Identifier: BSD-3-Clause
"""Position-sensitive RoI align (Li et al., Light-Head R-CNN, 2017)."""
from ... import nn
from . import _regions
from .roi_align import pair, rows_of

__all__ = ["PSRoIAlign", "ps_roi_align"]


def ps_roi_align(input, boxes, output_size, spatial_scale=1.0, sampling_ratio=-1):
    """roi_align in which each bin reads separate channels: (number of boxes, channels / bins, *output_size).

    boxes: rows (image, x1, y1, x2, y2), or a list with the boxes of each image. The number of channels must be a multiple of the
    number of bins. Other arguments are those of roi_align.
    """
    return _regions.ps_roi_align(input, rows_of(boxes), spatial_scale, *pair(output_size), sampling_ratio)[0]


class PSRoIAlign(nn.Module):
    """Module form of ps_roi_align."""

    def __init__(self, output_size, spatial_scale, sampling_ratio):
        super().__init__()
        self.output_size, self.spatial_scale, self.sampling_ratio = output_size, spatial_scale, sampling_ratio

    def forward(self, input, rois):
        """Applies ps_roi_align to the boxes `rois`."""
        return ps_roi_align(input, rois, self.output_size, self.spatial_scale, self.sampling_ratio)

    def __repr__(self):
        return (f"{type(self).__name__}(output_size={self.output_size}, spatial_scale={self.spatial_scale}, "
                f"sampling_ratio={self.sampling_ratio})")
