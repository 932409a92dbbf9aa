# SPDX-License-Identifier: BSD-3-Clause
"""Parts of pictures, each sampled at a grid of points between the pixels."""
from ... import _C, nn

__all__ = ["RoIAlign", "roi_align"]


def _along(start, size, bins, samples, extent):
    """Along one dim: the pixels before and behind each sample, the weights of both, and whether it lies in the picture."""
    step = size / bins
    inside = (_C.arange(samples, device=start.device) + 0.5) / samples
    at = start[:, None, None] + (_C.arange(bins, device=start.device)[:, None] + inside) * step[:, None, None]
    at = at.flatten(1)
    valid = (at >= -1) & (at <= extent)
    at = at.clamp(min=0)
    low = at.to(_C.int64).clamp(max=extent - 1)
    at = _C.where(low >= extent - 1, low.to(at.dtype), at)
    far = at - low
    return low, (low + 1).clamp(max=extent - 1), (1 - far) * valid, far * valid


def _sampled(input, batch, x1, y1, width, height, bins, samples):
    """The means of (samples x samples) points in each of the bins of some boxes."""
    extent = input.shape[2:]
    low_y, high_y, near_y, far_y = _along(y1, height, bins[0], samples[0], extent[0])
    low_x, high_x, near_x, far_x = _along(x1, width, bins[1], samples[1], extent[1])
    channels = _C.arange(input.shape[1], device=input.device)[None, :, None, None]

    def corner(y, x, weight_y, weight_x):
        pixels = input[batch[:, None, None, None], channels, y[:, None, :, None], x[:, None, None, :]]
        return pixels * (weight_y[:, None, :, None] * weight_x[:, None, None, :]).to(input.dtype)
    values = (corner(low_y, low_x, near_y, near_x) + corner(low_y, high_x, near_y, far_x)
              + corner(high_y, low_x, far_y, near_x) + corner(high_y, high_x, far_y, far_x))
    values = values.reshape(*values.shape[:2], bins[0], samples[0], bins[1], samples[1])
    return values.mean(dim=(3, 5))


def roi_align(input, boxes, output_size, spatial_scale=1.0, sampling_ratio=-1, aligned=False):
    """(boxes, channels, *output_size): boxes are rows (picture, x1, y1, x2, y2), or a list with the boxes of each picture."""
    bins = (output_size,) * 2 if isinstance(output_size, int) else tuple(output_size)
    if not isinstance(boxes, _C.Tensor):
        rows = [_C.cat((_C.full_like(b[:, :1], i), b), dim=1) for i, b in enumerate(boxes)]
        boxes = _C.cat(rows)
    if boxes.shape[0] == 0:
        return input.new_zeros((0, input.shape[1], *bins))
    batch, boxes = boxes[:, 0].to(_C.int64), boxes[:, 1:] * spatial_scale - (0.5 if aligned else 0.0)
    x1, y1, x2, y2 = boxes.unbind(1)
    width, height = x2 - x1, y2 - y1
    if not aligned:
        width, height = width.clamp(min=1.0), height.clamp(min=1.0)
    if sampling_ratio > 0:
        return _sampled(input, batch, x1, y1, width, height, bins, (sampling_ratio, sampling_ratio))
    counts = [(max(int(h), 1), max(int(w), 1)) for h, w in zip((height / bins[0]).ceil(), (width / bins[1]).ceil())]
    parts = [_sampled(input, *(v[i:i + 1] for v in (batch, x1, y1, width, height)), bins, n) for i, n in enumerate(counts)]
    return _C.cat(parts)


class RoIAlign(nn.Module):
    """roi_align as a layer."""

    def __init__(self, output_size, spatial_scale, sampling_ratio, aligned=False):
        super().__init__()
        self.output_size, self.spatial_scale, self.sampling_ratio, self.aligned = output_size, spatial_scale, sampling_ratio, aligned

    def forward(self, input, rois):
        return roi_align(input, rois, self.output_size, self.spatial_scale, self.sampling_ratio, self.aligned)

    def __repr__(self):
        return (f"{type(self).__name__}(output_size={self.output_size}, spatial_scale={self.spatial_scale}, "
                f"sampling_ratio={self.sampling_ratio}, aligned={self.aligned})")
