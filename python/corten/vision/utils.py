# SPDX-License-Identifier: BSD-3-Clause
"""Grids of pictures, and drawing on them."""
import colorsys
import math
import os
import warnings

from .. import _C
from . import io

__all__ = ["draw_bounding_boxes", "draw_keypoints", "draw_segmentation_masks", "flow_to_image", "make_grid", "save_image"]


def make_grid(tensor, nrow=8, padding=2, normalize=False, value_range=None, scale_each=False, pad_value=0.0):
    """Pictures (B, C, H, W), or a list of them, side by side with `padding` pixels between; `nrow` in a row."""
    if not isinstance(tensor, _C.Tensor):
        if not isinstance(tensor, list):
            raise TypeError(f"tensor or list of tensors expected, got {type(tensor)}")
        for t in tensor:
            if not isinstance(t, _C.Tensor):
                raise TypeError(f"tensor or list of tensors expected, got a list containing {type(t)}")
        tensor = _C.stack(tensor, dim=0)
    if value_range is not None and not isinstance(value_range, tuple):
        raise TypeError("value_range has to be a tuple (min, max) if specified. min and max are numbers")
    low, high = value_range or (None, None)
    return _C._make_grid(tensor, nrow, padding, normalize, low, high, scale_each, float(pad_value))


def save_image(tensor, fp, format=None, **kwargs):
    """A grid of pictures with values from 0 to 1 as a file; the name's ending, or `format`, tells which."""
    grid = make_grid(tensor, **kwargs)
    data = grid.mul(255).add_(0.5).clamp_(0, 255).to("cpu", _C.uint8)
    kind = (format or os.path.splitext(os.fspath(fp))[1].lstrip(".")).lower()
    if kind not in ("png", "jpg", "jpeg", "ppm", "pnm"):
        raise ValueError(f"unknown file extension: .{kind}")
    if kind == "png":
        encoded = io.encode_png(data)
    elif kind in ("jpg", "jpeg"):
        encoded = io.encode_jpeg(data)
    else:
        head = f"P6\n{data.shape[2]} {data.shape[1]}\n255\n".encode()
        body = data.permute(1, 2, 0).contiguous()
        encoded = _C.frombuffer(bytearray(head + bytes(body.untyped_storage())), dtype=_C.uint8)
    if hasattr(fp, "write"):
        fp.write(bytes(encoded.untyped_storage()))
    else:
        io.write_file(fp, encoded)


def _color(color):
    """(r, g, b) of a name, "#rrggbb" or three numbers."""
    names = {"red": (255, 0, 0), "green": (0, 128, 0), "blue": (0, 0, 255), "white": (255, 255, 255), "black": (0, 0, 0),
             "yellow": (255, 255, 0), "cyan": (0, 255, 255), "magenta": (255, 0, 255), "orange": (255, 165, 0),
             "purple": (128, 0, 128), "gray": (128, 128, 128), "lime": (0, 255, 0)}
    if isinstance(color, str):
        if color.startswith("#") and len(color) == 7:
            return tuple(int(color[i:i + 2], 16) for i in (1, 3, 5))
        if color.lower() in names:
            return names[color.lower()]
        raise ValueError(f"unknown color specifier: {color!r}")
    return tuple(color)


def _colors(colors, count):
    """A color for each object: all the same, a list, or spread over the circle."""
    if colors is None:
        return [tuple(int(255 * part) for part in colorsys.hsv_to_rgb(i / max(count, 1), 1, 1)) for i in range(count)]
    if isinstance(colors, list):
        if len(colors) < count:
            raise ValueError(f"Number of colors must be equal or larger than the number of objects, but got {len(colors)} < {count}.")
        return [_color(c) for c in colors[:count]]
    return [_color(colors)] * count


def _picture(image):
    if not isinstance(image, _C.Tensor):
        raise TypeError(f"Tensor expected, got {type(image)}")
    if image.dim() != 3:
        raise ValueError("Pass individual images, not batches")
    if image.size(0) not in (1, 3):
        raise ValueError("Only grayscale and RGB images are supported")
    return image.expand(3, -1, -1).clone()


def draw_bounding_boxes(image, boxes, labels=None, colors=None, fill=False, width=1, font=None, font_size=None,
                        label_colors=None, label_background_colors=None, fill_labels=False):
    """Boxes (xmin, ymin, xmax, ymax) on a picture. Labels are drawn where PIL is installed."""
    drawn = _picture(image)
    if len(boxes) == 0:
        warnings.warn("boxes doesn't contain any box. No box was drawn", stacklevel=2)
        return image
    if (boxes[:, 0] > boxes[:, 2]).any() or (boxes[:, 1] > boxes[:, 3]).any():
        raise ValueError("Boxes need to be in (xmin, ymin, xmax, ymax) format. Use torchvision.ops.box_convert to convert them")
    scale = 1.0 if drawn.dtype == _C.uint8 else 1 / 255
    height, wide = drawn.shape[1:]
    for box, color in zip(boxes.to(_C.int64).tolist(), _colors(colors, len(boxes))):
        paint = (_C.tensor(color, dtype=_C.float64) * scale).to(drawn.dtype).view(3, 1, 1)
        x0, y0, x1, y1 = max(box[0], 0), max(box[1], 0), min(box[2], wide - 1), min(box[3], height - 1)
        if fill:
            inside = drawn[:, y0:y1 + 1, x0:x1 + 1]
            inside.copy_((inside.to(_C.float32) * (155 / 255) + paint.to(_C.float32) * (100 / 255)).to(drawn.dtype))
        for rows, columns in ((slice(y0, min(y0 + width, y1 + 1)), slice(x0, x1 + 1)),
                              (slice(max(y1 - width + 1, y0), y1 + 1), slice(x0, x1 + 1)),
                              (slice(y0, y1 + 1), slice(x0, min(x0 + width, x1 + 1))),
                              (slice(y0, y1 + 1), slice(max(x1 - width + 1, x0), x1 + 1))):
            drawn[:, rows, columns] = paint
    if labels is not None:
        drawn = _draw_labels(drawn, boxes, labels, _colors(label_colors or colors, len(boxes)), width, font_size)
    return drawn


def _draw_labels(image, boxes, labels, colors, width, font_size):
    from PIL import ImageDraw
    from .transforms import functional
    picture = functional.to_pil_image(image)
    draw = ImageDraw.Draw(picture)
    for box, label, color in zip(boxes.tolist(), labels, colors):
        if label is not None:
            draw.text((box[0] + width + 1, box[1] + width + 1), label, fill=color)
    return functional.pil_to_tensor(picture).to(image.dtype)


def draw_segmentation_masks(image, masks, alpha=0.8, colors=None):
    """Regions (masks of bool) of a picture in colors."""
    if masks.dim() == 2:
        masks = masks[None]
    if masks.dtype != _C.bool:
        raise ValueError(f"The masks must be of dtype bool. Got {masks.dtype}")
    if masks.shape[-2:] != image.shape[-2:]:
        raise ValueError("The image and the masks must have the same height and width")
    base = _picture(image)
    out = base.clone()
    for mask, color in zip(masks, _colors(colors, len(masks))):
        paint = _C.tensor(color, dtype=_C.float64).mul(1 if base.dtype == _C.uint8 else 1 / 255).to(base.dtype)
        out[:, mask] = paint[:, None]
    mixed = base.to(_C.float32) * (1 - alpha) + out.to(_C.float32) * alpha
    return mixed.to(base.dtype)


def draw_keypoints(image, keypoints, connectivity=None, colors=None, radius=2, width=3, visibility=None):
    """Points (instances, points, 2) on a picture."""
    drawn = _picture(image)
    height, wide = drawn.shape[1:]
    paint = _C.tensor(_color(colors or "white")).to(drawn.dtype).view(3, 1)
    rows, columns = _C.arange(height)[:, None], _C.arange(wide)[None]
    for instance in keypoints.tolist():
        for x, y in instance:
            near = (rows - y) ** 2 + (columns - x) ** 2 <= radius ** 2
            drawn[:, near] = paint
    return drawn


def flow_to_image(flow):
    """A field of vectors (2, H, W) as a picture: the angle is the hue, the length the saturation."""
    batch = flow[None] if flow.dim() == 3 else flow
    length = (batch ** 2).sum(1).sqrt()
    length = length / length.max().clamp(min=1e-12)
    angle = _C.atan2(-batch[:, 1], -batch[:, 0]) / math.pi
    hue = (angle + 1) * 3
    channels = []
    for shift in (5, 3, 1):
        k = (shift + hue) % 6
        channels.append(1 - length * _C.minimum(k, 4 - k).clamp(0, 1))
    image = (_C.stack(channels, 1) * 255).to(_C.uint8)
    return image[0] if flow.dim() == 3 else image
