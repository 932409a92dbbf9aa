# SPDX-License-Identifier: BSD-3-Clause
"""RoI align: averages bilinear samples in each bin of a box (He et al., Mask R-CNN, 2017)."""
from ... import _C, nn
from . import _regions

__all__ = ["RoIAlign", "roi_align"]


def pair(v):
    """Returns (v, v) for a number; returns a pair unchanged."""
    return (v, v) if isinstance(v, int) else tuple(v)


def _check(condition, message):
    if not condition:
        raise AssertionError(message)


def rows_of(boxes):
    """Returns boxes as rows (image, x1, y1, x2, y2), from such rows or from a list with the boxes (x1, y1, x2, y2) of each image."""
    if isinstance(boxes, _C.Tensor):
        _check(boxes.size(1) == 5, "The boxes tensor shape is not correct as Tensor[K, 5]")
        return boxes
    _check(isinstance(boxes, (list, tuple)), "boxes is expected to be a Tensor[L, 5] or a List[Tensor[K, 4]]")
    for each in boxes:
        _check(each.size(1) == 4, "The shape of the tensor in the boxes list is not correct as List[Tensor[L, 4]]")
    return _C.cat([_C.cat((_C.full_like(each[:, :1], i), each), dim=1) for i, each in enumerate(boxes)])


def roi_align(input, boxes, output_size, spatial_scale=1.0, sampling_ratio=-1, aligned=False):
    """Averages bilinear samples in each bin of each box: (number of boxes, channels, *output_size).

    boxes: rows (image, x1, y1, x2, y2), or a list with the boxes of each image. output_size: number of bins, (height, width).
    spatial_scale: factor from box coordinates to pixels of `input`. sampling_ratio: a bin has sampling_ratio ** 2 samples; if not
    positive, about one per pixel. aligned: whether pixel centers are at half-integer coordinates.
    """
    return _regions.roi_align(input, rows_of(boxes), spatial_scale, *pair(output_size), sampling_ratio, aligned)


class RoIAlign(nn.Module):
    """Module form of roi_align."""

    def __init__(self, output_size, spatial_scale, sampling_ratio, aligned=False):
        super().__init__()
        self.output_size, self.spatial_scale, self.sampling_ratio, self.aligned = output_size, spatial_scale, sampling_ratio, aligned

    def forward(self, input, rois):
        """Applies roi_align to the boxes `rois`."""
        return roi_align(input, rois, self.output_size, self.spatial_scale, self.sampling_ratio, self.aligned)

    def __repr__(self):
        return (f"{type(self).__name__}(output_size={self.output_size}, spatial_scale={self.spatial_scale}, "
                f"sampling_ratio={self.sampling_ratio}, aligned={self.aligned})")
