# SPDX-License-Identifier: BSD-3-Clause
"""Drawing on images: boxes with labels, segmentation masks, keypoints, and optical flow.

Pillow draws text, rotated boxes and circles, as in torchvision, so the pixels are equal; upright boxes and masks do not need
it. Images are (C, H, W), uint8 from 0 to 255 or floating-point from 0 to 1.
"""
import math
import warnings

from .. import _C, no_grad

__all__ = ["draw_bounding_boxes", "draw_keypoints", "draw_segmentation_masks", "flow_to_image"]

_NAMES = {"red": (255, 0, 0), "green": (0, 128, 0), "blue": (0, 0, 255), "white": (255, 255, 255), "black": (0, 0, 0),
          "yellow": (255, 255, 0), "cyan": (0, 255, 255), "magenta": (255, 0, 255), "orange": (255, 165, 0),
          "purple": (128, 0, 128), "gray": (128, 128, 128), "lime": (0, 255, 0)}


# ---- colors ----

def _color(color):
    """Parses a color: a name, "#rrggbb" or three numbers. Pillow, if installed, knows more names and notations."""
    if not isinstance(color, str):
        return tuple(color)
    if color.lower() in _NAMES:
        return _NAMES[color.lower()]
    if color.startswith("#") and len(color) == 7:
        return tuple(int(color[i:i + 2], 16) for i in (1, 3, 5))
    try:
        from PIL import ImageColor
    except ImportError:
        raise ValueError(f"unknown color specifier: {color!r}; Pillow knows more names") from None
    return ImageColor.getrgb(color)


def _colors(colors, count):
    """Returns a color for each object, from one color for all, a list, or torchvision's palette."""
    if colors is None:
        return [tuple(i * step % 255 for step in (2**25 - 1, 2**15 - 1, 2**21 - 1)) for i in range(count)]
    if isinstance(colors, list):
        if len(colors) < count:
            raise ValueError(f"Number of colors must be equal or larger than the number of objects, but got {len(colors)} < {count}.")
        return [_color(c) for c in colors]
    if not isinstance(colors, (tuple, str)):
        raise ValueError(f"colors must be a tuple or a string, or a list thereof, but got {colors}.")
    if isinstance(colors, tuple) and len(colors) != 3:
        raise ValueError(f"If passed as tuple, colors should be an RGB triplet, but got {colors}.")
    return [_color(colors)] * count


# ---- images ----

def _check(image, what, channels, of_channels):
    if not isinstance(image, _C.Tensor):
        raise TypeError(f"{what}, got {type(image)}")
    if image.dtype != _C.uint8 and not image.is_floating_point():
        raise ValueError(f"The image dtype must be uint8 or float, got {image.dtype}")
    if image.dim() != 3:
        raise ValueError("Pass individual images, not batches")
    if image.size(0) not in channels:
        raise ValueError(of_channels)


def _has_pillow():
    from importlib.util import find_spec
    return find_spec("PIL") is not None


def _pillow(name):
    """Imports Pillow's modules Image, ImageDraw and ImageFont."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError as error:
        raise ImportError(f"{name} draws with Pillow here, which is not installed: pip install pillow") from error
    return Image, ImageDraw, ImageFont


def _as_bytes(image):
    from .transforms import functional
    return functional.convert_image_dtype(image, _C.uint8) if image.is_floating_point() else image


def _from_pillow(picture, dtype):
    from .transforms import functional
    out = functional.pil_to_tensor(picture)
    return functional.convert_image_dtype(out, dtype) if dtype.is_floating_point else out


# ---- boxes ----

@no_grad()
def draw_bounding_boxes(image, boxes, labels=None, colors=None, fill=False, width=1, font=None, font_size=None,
                        label_colors=None, label_background_colors=None, fill_labels=False):
    """Returns the image with boxes drawn on it.

    Args:
        image: uint8 or floating-point, of shape (C, H, W).
        boxes: rows (xmin, ymin, xmax, ymax), or the corners of rotated boxes (x1, y1, ..., x4, y4).
        labels: a text for each box, drawn in its upper left corner. Default: None
        colors: one color for all boxes, or a list. Default: None, for a palette
        fill: whether to tint the interior. Default: False
        width: line width in pixels. Default: 1
        font: path of a TrueType font for labels. Default: None, for Pillow's own font
        font_size: font size in points. Default: None, for 10
        fill_labels: whether labels have a background. Default: False

    Labels and rotated boxes need Pillow.
    """
    _check(image, "Tensor expected", (1, 3), "Only grayscale and RGB images are supported")
    if boxes.shape[-1] == 4 and ((boxes[:, 0] > boxes[:, 2]).any() or (boxes[:, 1] > boxes[:, 3]).any()):
        raise ValueError("Boxes need to be in (xmin, ymin, xmax, ymax) format. Use torchvision.ops.box_convert to convert them")
    count = boxes.shape[0]
    if count == 0:
        warnings.warn("boxes doesn't contain any box. No box was drawn", stacklevel=2)
        return image
    if labels is not None and len(labels) != count:
        raise ValueError(f"Number of boxes ({count}) and labels ({len(labels)}) mismatch. Please specify labels for each box.")
    colors = _colors(colors, count)
    inks = _colors(label_colors or "black", count) if label_colors or fill_labels else colors
    grounds = _colors(label_background_colors, count) if fill_labels and label_background_colors else colors
    if font is None and font_size is not None:
        warnings.warn("Argument 'font_size' will be ignored since 'font' is not set.", stacklevel=2)
    picture = _as_bytes(image).expand(3, -1, -1)
    boxes = boxes.to(_C.int64).tolist()
    from .transforms import functional
    if labels is None and len(boxes[0]) == 4 and not _has_pillow():
        out = picture.clone()
        for box, color in zip(boxes, colors):
            _paint_box(out, box, color, fill, width)
        return functional.convert_image_dtype(out, image.dtype) if image.is_floating_point() else out
    _, draws, fonts = _pillow("draw_bounding_boxes(labels=...)" if labels else "draw_bounding_boxes of slanted boxes")
    letters = fonts.load_default() if font is None else fonts.truetype(font=font, size=font_size or 10)
    drawn = functional.to_pil_image(picture)
    draw = draws.ImageDraw(drawn, "RGBA") if fill else draws.ImageDraw(drawn)
    for box, color, label, ink, ground in zip(boxes, colors, labels or [None] * count, inks, grounds):
        inside = (*color, 100) if fill else None
        if len(box) == 4:
            draw.rectangle(box, width=width, outline=color, fill=inside)
        else:
            _slanted_box(draw, box, color, inside, width)
        if label is not None:
            place = box[0] + width + 1, box[1] + width + 1
            if fill_labels:
                left, top, right, bottom = draw.textbbox(place, label, font=letters)
                draw.rectangle((left - 1, top - 1, right + 1, bottom + 1), fill=ground)
            draw.text(place, label, fill=ink, font=letters)
    return _from_pillow(drawn, image.dtype)


def _paint_box(picture, box, color, fill, width):
    """Draws an upright box with the same pixels as Pillow: the outline is inside the box, a fill has opacity 100 / 255."""
    high, wide = picture.shape[1:]
    x0, y0, x1, y1 = box
    paint = _C.tensor(color, dtype=_C.uint8).view(3, 1, 1)

    def part(left, top, right, bottom):  # both ends are inclusive
        return picture[:, max(top, 0):max(min(bottom, high - 1) + 1, 0), max(left, 0):max(min(right, wide - 1) + 1, 0)]
    if fill:
        inside = part(x0 + width, y0 + width, x1 - width, y1 - width)
        mixed = inside.to(_C.int32) * 155 + paint.to(_C.int32) * 100 + 128
        inside.copy_((mixed + mixed // 256) // 256)
    for edge in (part(x0, y0, x1, min(y0 + width - 1, y1)), part(x0, max(y1 - width + 1, y0), x1, y1),
                 part(x0, y0, min(x0 + width - 1, x1), y1), part(max(x1 - width + 1, x0), y0, x1, y1)):
        edge.copy_(paint.expand_as(edge))


def _slanted_box(draw, box, color, inside, width):
    """Draws a box from four corners. The first edge is dashed to mark the top."""
    corners = [tuple(box[i:i + 2]) for i in range(0, len(box), 2)]
    (x, y), (end_x, end_y) = corners[:2]
    left, dash = math.hypot(end_x - x, end_y - y), True
    while left > 0:
        step, angle = min(left, 5), math.atan2(end_y - y, end_x - x)
        next_x, next_y = x + math.cos(angle) * step, y + math.sin(angle) * step
        if dash:
            draw.line([(x, y), (next_x, next_y)], color, width, None)
        x, y, left, dash = next_x, next_y, left - step, not dash
    for i in range(1, len(corners)):
        draw.line((corners[i], corners[(i + 1) % len(corners)]), width=width, fill=color)
    draw.polygon(box, fill=inside, outline=None, width=0)


# ---- masks and points ----

@no_grad()
def draw_segmentation_masks(image, masks, alpha=0.8, colors=None):
    """Returns the image with regions tinted in colors of opacity `alpha`; masks are bool. Overlapping masks become black."""
    _check(image, "The image must be a tensor", (3,), "Pass an RGB image. Other Image formats are not supported")
    if masks.dim() == 2:
        masks = masks[None]
    if masks.dim() != 3:
        raise ValueError("masks must be of shape (H, W) or (batch_size, H, W)")
    if masks.dtype != _C.bool:
        raise ValueError(f"The masks must be of dtype bool. Got {masks.dtype}")
    if masks.shape[-2:] != image.shape[-2:]:
        raise ValueError("The image and the masks must have the same height and width")
    if masks.shape[0] == 0:
        warnings.warn("masks doesn't contain any mask. No mask was drawn", stacklevel=2)
        return image
    painted = image.clone()
    for mask, color in zip(masks, _colors(colors, len(masks))):
        paint = [v / 255 for v in color] if image.is_floating_point() else color
        painted[:, mask] = _C.tensor(paint, dtype=image.dtype, device=image.device)[:, None]
    painted[:, masks.sum(0) > 1] = 0
    return (image * (1 - alpha) + painted * alpha).to(image.dtype)


@no_grad()
def draw_keypoints(image, keypoints, connectivity=None, colors=None, radius=2, width=3, visibility=None):
    """Returns the image with keypoints (instances, K, 2) drawn as circles of `radius`. Needs Pillow.

    `connectivity` lists pairs of point indices that a line of `width` joins in each instance. Points where `visibility`
    (instances, K) is False are not drawn, and neither are their lines.
    """
    _check(image, "The image must be a tensor", (3,), "Pass an RGB image. Other Image formats are not supported")
    if keypoints.dim() != 3:
        raise ValueError("keypoints must be of shape (num_instances, K, 2)")
    if visibility is None:
        visibility = _C.ones(keypoints.shape[:-1], dtype=_C.bool)
    if visibility.dim() == 3:
        visibility = visibility.squeeze(-1)  # of shape (num_instances, K, 1), as some networks return it
    if visibility.dim() != 2:
        raise ValueError(f"visibility must be of shape (num_instances, K). Got ndim={visibility.dim()}")
    if visibility.shape != keypoints.shape[:-1]:
        raise ValueError("keypoints and visibility must have the same dimensionality for num_instances and K. "
                         f"Got visibility.shape={visibility.shape} and keypoints.shape={keypoints.shape}")
    from .transforms import functional
    _, draws, _ = _pillow("draw_keypoints")
    drawn = functional.to_pil_image(_as_bytes(image))
    draw = draws.Draw(drawn)
    for points, seen in zip(keypoints.to(_C.int64).tolist(), visibility.to(_C.bool).tolist()):
        for (x, y), visible in zip(points, seen):
            if visible:
                draw.ellipse([x - radius, y - radius, x + radius, y + radius], fill=colors, outline=None, width=0)
        for a, b in connectivity or ():
            if seen[a] and seen[b]:
                draw.line((tuple(points[a]), tuple(points[b])), width=width)
    return _from_pillow(drawn, image.dtype)


# ---- optical flow ----

def _wheel():
    """Returns the (55, 3) color wheel, 0 to 255, of Baker et al., "A Database and Evaluation Methodology for Optical Flow" (2007).

    It has six segments between red, yellow, green, cyan, blue and magenta; in each, one channel is full and another rises or falls.
    """
    parts = []
    for count, full, moving, rises in ((15, 0, 1, True), (6, 1, 0, False), (4, 1, 2, True), (11, 2, 1, False), (13, 2, 0, True),
                                       (6, 0, 2, False)):
        ramp = (255 * _C.arange(count) / count).floor()
        part = _C.zeros(count, 3)
        part[:, full] = 255
        part[:, moving] = ramp if rises else 255 - ramp
        parts.append(part)
    return _C.cat(parts)


@no_grad()
def flow_to_image(flow):
    """Converts optical flow (2, H, W) or (N, 2, H, W) to uint8 images: direction is hue, length is saturation."""
    if flow.dtype != _C.float32:
        raise ValueError(f"Flow should be of dtype torch.float, got {flow.dtype}.")
    batch = flow[None] if flow.dim() == 3 else flow
    if batch.dim() != 4 or batch.shape[1] != 2:
        raise ValueError(f"Input flow should have shape (2, H, W) or (N, 2, H, W), got {flow.shape}.")
    longest = batch.square().sum(1).sqrt().max()
    batch = batch / (longest + 2.0**-23)
    length = batch.square().sum(1).sqrt()[..., None]
    wheel = _wheel().to(flow.device)
    hue = (_C.atan2(-batch[:, 1], -batch[:, 0]) / math.pi + 1) / 2 * (len(wheel) - 1)
    low = hue.floor().long()
    far = (hue - low)[..., None]
    color = (1 - far) * (wheel[low] / 255) + far * (wheel[(low + 1) % len(wheel)] / 255)
    image = (255 * (1 - length * (1 - color))).floor().to(_C.uint8).permute(0, 3, 1, 2).contiguous()
    return image[0] if flow.dim() == 3 else image
