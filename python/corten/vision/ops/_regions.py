# SPDX-License-Identifier: BSD-3-Clause
"""Operators on image regions: RoI align and pool, their position-sensitive forms, and deformable convolution.

All five compute a weighted sum (or maximum) of a few pixels for each bin. If each pixel is a row of channels, `embedding_bag`
computes exactly that: a bag is a bin, its indices are the pixels, its weights the bilinear weights. So one library call does
the work on every device, and its derivatives give those of the operators.

The arguments are those of PyTorch's operators torch.ops.torchvision.*. Boxes are rows (image, x1, y1, x2, y2).
Letters: K boxes, C channels, P x Q bins per box.
"""
import functools

from ... import _C
from ..._settings import is_autocast_enabled
from ...amp import autocast


def float32_under_autocast(function):
    """Decorator: under autocast, computes in float32 and casts the result to the type of the first argument, as torchvision does."""
    @functools.wraps(function)
    def call(input, *args):
        kind = input.device.type
        if kind == "meta" or not is_autocast_enabled(kind):
            return function(input, *args)
        with autocast(kind, enabled=False):
            outputs = function(*(_widened(x) for x in (input, *args)))
        return tuple(x.to(input.dtype) for x in outputs) if isinstance(outputs, tuple) else outputs.to(input.dtype)
    return call


def _widened(x):
    narrow = isinstance(x, _C.Tensor) and x.is_floating_point() and x.dtype != _C.float64
    return x.float() if narrow else x


def _check(input, rois):
    if rois.dim() != 2 or rois.size(1) != 5:
        raise RuntimeError("rois must have shape as Tensor[K, 5]")
    if input.dtype != rois.dtype:
        raise RuntimeError("input should have the same type as rois")


def _nothing(input, shape):
    """Returns the result for an empty input; autograd still connects it to the input."""
    return input.flatten()[:0].sum() + input.new_zeros(shape)


def _corners(rois):
    """Returns (image, x1, y1, x2, y2): the image index as int64, the coordinates in a floating-point type that can hold them."""
    rois = rois.detach()
    boxes = rois if rois.dtype == _C.float64 else rois.float()
    return boxes[:, 0].long(), *boxes[:, 1:].unbind(1)


def _grid(count, device):
    return _C.arange(count, device=device)


def _ragged(sizes):
    """Enumerates the items of bags with `sizes` items each.

    Returns the first item of each bag, and for each item its bag and its index within the bag.
    """
    sizes = sizes.flatten()
    starts = sizes.cumsum(0) - sizes
    bag = _C.repeat_interleave(_grid(sizes.numel(), sizes.device), sizes)
    return starts, bag, _grid(bag.numel(), sizes.device) - starts[bag]


def _rows(input):
    """Returns the pixels of (N, C, H, W) as rows of C channels."""
    return input.permute(0, 2, 3, 1).reshape(-1, input.shape[1])


def _rows_by_bin(input, bins):
    """Like _rows, but each bin has separate channels: channel (c * P + p) * Q + q belongs to bin (p, q)."""
    n, channels, height, width = input.shape
    own = channels // (bins[0] * bins[1])
    return input.reshape(n, own, *bins, height, width).permute(0, 2, 3, 4, 5, 1).reshape(-1, own)


def _channel_mapping(k, own, bins, device):
    """Returns (K, channels, P, Q): the input channel that each bin reads."""
    return _C.arange(own * bins[0] * bins[1], dtype=_C.int32, device=device).view(1, own, *bins).repeat(k, 1, 1, 1)


def _planes(output, k, bins):
    """Reshapes bags in the order (K, P, Q), each a row of channels, to (K, C, P, Q)."""
    return output.view(k, *bins, output.shape[1]).permute(0, 3, 1, 2).contiguous()


def _taps(y, x, height, width):
    """Returns the four pixels around each point (inside the image) and their bilinear weights, stacked along dim 0."""
    low_y, low_x = y.long().clamp(max=height - 1), x.long().clamp(max=width - 1)
    far_y = _C.where(low_y >= height - 1, 0, y - low_y)
    far_x = _C.where(low_x >= width - 1, 0, x - low_x)
    high_y, high_x = (low_y + 1).clamp(max=height - 1), (low_x + 1).clamp(max=width - 1)
    near_y, near_x = 1 - far_y, 1 - far_x
    pixels = _C.stack([low_y * width + low_x, low_y * width + high_x, high_y * width + low_x, high_y * width + high_x])
    return pixels, _C.stack([near_y * near_x, near_y * far_x, far_y * near_x, far_y * far_x])


def _sampled_sums(rows, first_row, start, size, samples, bins, extent):
    """Sums bilinear samples over each bin.

    first_row (K, P, Q): row index of pixel (0, 0); start, size, samples (K, 2): of each box, as (y, x).
    """
    k = start.shape[0]
    per_bin = (samples[:, 0] * samples[:, 1])[:, None].expand(k, bins[0] * bins[1])
    _, bag, item = _ragged(per_bin)
    box, place = bag // (bins[0] * bins[1]), bag % (bins[0] * bins[1])
    columns = samples[box, 1]
    step = size / _C.tensor(bins, dtype=size.dtype, device=size.device)

    def along(dim, bin, sample):
        return start[box, dim] + bin * step[box, dim] + (sample + 0.5) * step[box, dim] / samples[box, dim]
    y, x = along(0, place // bins[1], item // columns), along(1, place % bins[1], item % columns)
    height, width = extent
    seen = (y >= -1) & (y <= height) & (x >= -1) & (x <= width)  # points up to one pixel outside take the value at the edge
    pixels, weights = _taps(_C.where(seen, y, 0).clamp(min=0), _C.where(seen, x, 0).clamp(min=0), height, width)
    pixels = pixels + first_row.flatten()[bag]
    offsets = (per_bin.flatten().cumsum(0) - per_bin.flatten()) * 4
    # embedding_bag takes items bag by bag, so the four taps of a sample have to be adjacent.
    return _C.embedding_bag(rows, pixels.t().flatten(), offsets, False, 0, False, (weights * seen).t().flatten().to(rows.dtype))[0]


def _samples(size, bins, sampling_ratio):
    """Returns (K, 2), the number of samples per bin in y and x; without a ratio about one per pixel."""
    if sampling_ratio > 0:
        return _C.full((size.shape[0], 2), sampling_ratio, device=size.device)
    return (size / _C.tensor(bins, dtype=size.dtype, device=size.device)).ceil().long().clamp(min=0)


@float32_under_autocast
def roi_align(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned):
    """Averages bilinear samples over each bin of each box: (K, C, P, Q)."""
    _check(input, rois)
    bins, k, extent = (pooled_height, pooled_width), rois.shape[0], input.shape[2:]
    if input.is_meta or k == 0:
        return _nothing(input, (k, input.shape[1], *bins))
    image, x1, y1, x2, y2 = _corners(rois)
    start = _C.stack([y1, x1], 1) * spatial_scale - (0.5 if aligned else 0.0)
    size = _C.stack([y2, x2], 1) * spatial_scale - (0.5 if aligned else 0.0) - start
    if not aligned:
        size = size.clamp(min=1)
    samples = _samples(size, bins, sampling_ratio)
    first = (image * (extent[0] * extent[1]))[:, None, None].expand(k, *bins)
    sums = _planes(_sampled_sums(_rows(input), first, start, size, samples, bins, extent), k, bins)
    return sums / samples.prod(1).clamp(min=1).view(k, 1, 1, 1).to(sums.dtype)


def _first_rows(image, bins, extent):
    """Returns (K, P, Q): the first row of the channels that belong to each bin."""
    place = _grid(bins[0] * bins[1], image.device).view(1, *bins)
    return (image[:, None, None] * (bins[0] * bins[1]) + place) * (extent[0] * extent[1])


def _own_channels(input, bins):
    if input.size(1) % (bins[0] * bins[1]):
        raise RuntimeError("input channels must be a multiple of pooling height * pooling width")
    return input.size(1) // (bins[0] * bins[1])


@float32_under_autocast
def ps_roi_align(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio):
    """Position-sensitive roi_align, where bin (p, q) reads separate channels; also returns the indices of those channels."""
    _check(input, rois)
    bins, k, extent = (pooled_height, pooled_width), rois.shape[0], input.shape[2:]
    own = _own_channels(input, bins)
    mapping = _channel_mapping(k, own, bins, input.device)
    if input.is_meta or k == 0:
        return _nothing(input, (k, own, *bins)), mapping
    image, x1, y1, x2, y2 = _corners(rois)
    start = _C.stack([y1, x1], 1) * spatial_scale - 0.5
    size = _C.stack([y2, x2], 1) * spatial_scale - 0.5 - start
    samples = _samples(size, bins, sampling_ratio)
    sums = _sampled_sums(_rows_by_bin(input, bins), _first_rows(image, bins, extent), start, size, samples, bins, extent)
    sums = _planes(sums, k, bins)
    return sums / samples.prod(1).view(k, 1, 1, 1).to(sums.dtype), mapping


def _rounded(v):
    """Rounds to the nearest integer, .5 away from zero, like C's round()."""
    return _C.where(v < 0, (v - 0.5).ceil(), (v + 0.5).floor()).long()


def _pixel_bins(low, high, count, limit):
    """Divides pixels `low` to `high` into `count` bins; returns their starts and ends, (K, count) each, clipped to `limit`."""
    step = (high - low).to(_C.float32) / count
    bins = _grid(count, low.device)
    begin, end = (bins * step[:, None]).floor().long(), ((bins + 1) * step[:, None]).ceil().long()
    return (begin + low[:, None]).clamp(0, limit), (end + low[:, None]).clamp(0, limit)


def _pixels_of_bins(rois, spatial_scale, bins, limits, closed):
    """Lists the pixels in each bin.

    Returns (image, first pixel of each bag, bag of each pixel, y and x of each pixel, number of pixels in each bag).
    """
    image, x1, y1, x2, y2 = _corners(rois)
    y1, x1, y2, x2 = (_rounded(v * spatial_scale) for v in (y1, x1, y2, x2))
    top, bottom = _pixel_bins(y1, _C.maximum(y2 + closed, y1 + 1), bins[0], limits[0])
    left, right = _pixel_bins(x1, _C.maximum(x2 + closed, x1 + 1), bins[1], limits[1])
    high, wide = (bottom - top).clamp(min=0), (right - left).clamp(min=0)
    sizes = high[:, :, None] * wide[:, None, :]
    starts, bag, item = _ragged(sizes)
    box, place = bag // (bins[0] * bins[1]), bag % (bins[0] * bins[1])
    p, q = place // bins[1], place % bins[1]
    columns = wide[box, q]
    return image, starts, bag, top[box, p] + item // columns, left[box, q] + item % columns, sizes.flatten()


@float32_under_autocast
def roi_pool(input, rois, spatial_scale, pooled_height, pooled_width):
    """Maximum pixel in each bin of each box, 0 for an empty bin; also returns its index in the plane, -1 for an empty bin."""
    _check(input, rois)
    bins, k, (height, width) = (pooled_height, pooled_width), rois.shape[0], input.shape[2:]
    shape = k, input.shape[1], *bins
    if input.is_meta or k == 0:
        return _nothing(input, shape), _C.zeros(shape, dtype=_C.int32, device=input.device)
    image, starts, bag, y, x, sizes = _pixels_of_bins(rois, spatial_scale, bins, (height, width), 1)
    box = bag // (bins[0] * bins[1])
    rows = (image[box] * height + y) * width + x
    output, _, _, places = _C.embedding_bag(_rows(input), rows, starts, False, 2, False)
    places = _C.where((sizes == 0)[:, None], -1, places % (height * width))
    return _planes(output, k, bins), _planes(places, k, bins).to(_C.int32)


@float32_under_autocast
def ps_roi_pool(input, rois, spatial_scale, pooled_height, pooled_width):
    """Mean pixel in each bin of each box, where each bin reads separate channels; also returns those channels."""
    _check(input, rois)
    bins, k, (height, width) = (pooled_height, pooled_width), rois.shape[0], input.shape[2:]
    own = _own_channels(input, bins)
    mapping = _channel_mapping(k, own, bins, input.device)
    if input.is_meta or k == 0:
        return _nothing(input, (k, own, *bins)), mapping
    # Like torchvision, bins end before the last row and column of the image. Its backward ignores that; ours does not.
    image, starts, bag, y, x, _ = _pixels_of_bins(rois, spatial_scale, bins, (height - 1, width - 1), 0)
    rows = _first_rows(image, bins, (height, width)).flatten()[bag] + y * width + x
    output = _C.embedding_bag(_rows_by_bin(input, bins), rows, starts, False, 1, False)[0]
    return _planes(output, k, bins), mapping


def _check_deform(input, weight, offset, mask, stride, padding, dilation, groups, offset_groups):
    for name, x in (("input", input), ("weight", weight), ("offset", offset)):
        if x.dim() != 4:
            raise RuntimeError(f"{name} must have 4 dimensions, got {x.dim()}")
    n, channels = input.shape[:2]
    if channels != weight.shape[1] * groups:
        raise RuntimeError(f"input has {channels} channels, weight.shape[1] * groups is {weight.shape[1] * groups}")
    if weight.shape[0] % groups or channels % offset_groups:
        raise RuntimeError(f"{weight.shape[0]} output channels must be a multiple of {groups} groups, {channels} input channels of "
                           f"{offset_groups} groups of offsets")
    out = tuple((size + 2 * p - d * (k - 1) - 1) // s + 1
                for size, k, s, p, d in zip(input.shape[2:], weight.shape[2:], stride, padding, dilation))
    for name, x, each in (("offset", offset, 2), ("mask", mask, 1)):
        if x is None:
            continue
        if x.shape[0] != n:
            raise RuntimeError(f"invalid batch size of {name}")
        expected = each * offset_groups * weight.shape[2] * weight.shape[3]
        if x.shape[1] != expected:
            raise RuntimeError(f"{name}.shape[1] is not valid: got: {x.shape[1]} expected: {expected}")
        if tuple(x.shape[2:]) != out:
            raise RuntimeError(f"{name} output dims: ({x.shape[2]}, {x.shape[3]}) - computed output dims: ({out[0]}, {out[1]})")


@float32_under_autocast
def deform_conv2d(input, weight, offset, mask, bias, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, groups,
                  offset_groups, use_mask):
    """Convolution whose taps are displaced by offsets (y, x), sampled bilinearly, and multiplied by a mask."""
    n, channels, height, width = input.shape
    kernel, (rows, columns) = weight.shape[2:], offset.shape[2:]
    _check_deform(input, weight, offset, mask if use_mask else None, (stride_h, stride_w), (pad_h, pad_w), (dilation_h, dilation_w),
                  groups, offset_groups)
    if input.is_meta:
        return input.new_empty((n, weight.shape[0], rows, columns))
    taps, per = kernel[0] * kernel[1], channels // offset_groups
    tap = _grid(taps, input.device)
    moved = offset.reshape(n, offset_groups, taps, 2, rows, columns)
    y = moved[:, :, :, 0] + ((tap // kernel[1]) * dilation_h - pad_h)[:, None, None] + (_grid(rows, input.device) * stride_h)[:, None]
    x = moved[:, :, :, 1] + ((tap % kernel[1]) * dilation_w - pad_w)[:, None, None] + _grid(columns, input.device) * stride_w
    scale = mask.reshape(n, offset_groups, taps, rows, columns) if use_mask else None
    first = (_grid(n * offset_groups, input.device) * (height * width)).view(n, offset_groups, 1, 1, 1)
    pixels, weights = _zero_padded_taps(y, x, height, width, scale)
    images = input.reshape(n, offset_groups, per, height, width).permute(0, 1, 3, 4, 2).reshape(-1, per)
    bags = (pixels + first).permute(1, 2, 3, 4, 5, 0).reshape(-1, 4)
    each = weights.permute(1, 2, 3, 4, 5, 0).reshape(-1).to(input.dtype)
    starts = _grid(bags.shape[0], input.device) * 4
    patches = _C.embedding_bag(images, bags.flatten(), starts, False, 0, False, each)[0]
    patches = patches.view(n, offset_groups, taps, rows, columns, per).permute(0, 1, 5, 2, 3, 4)
    patches = patches.reshape(n, groups, channels // groups * taps, rows * columns)
    result = weight.reshape(groups, weight.shape[0] // groups, -1) @ patches
    return result.view(n, weight.shape[0], rows, columns) + bias.view(1, -1, 1, 1)


def _zero_padded_taps(y, x, height, width, scale):
    """Returns the four pixels around points and their weights times `scale`; pixels outside the image have weight 0."""
    low_y, low_x = y.detach().floor(), x.detach().floor()
    far_y, far_x = y - low_y, x - low_x
    pixels, weights = [], []
    for row, near_y in ((low_y, 1 - far_y), (low_y + 1, far_y)):
        for column, near_x in ((low_x, 1 - far_x), (low_x + 1, far_x)):
            inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
            pixels.append(_C.where(inside, row * width + column, 0).long())
            product = near_y * near_x
            weights.append(_C.where(inside, product if scale is None else product * scale, 0))
    return _C.stack(pixels), _C.stack(weights)
