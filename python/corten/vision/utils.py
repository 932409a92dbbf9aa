# SPDX-License-Identifier: BSD-3-Clause
"""Image grids, saving to files, and drawing (_draw.py)."""
import os

from .. import _C
from . import io
from ._draw import draw_bounding_boxes, draw_keypoints, draw_segmentation_masks, flow_to_image

__all__ = ["draw_bounding_boxes", "draw_keypoints", "draw_segmentation_masks", "flow_to_image", "make_grid", "save_image"]


def make_grid(tensor, nrow=8, padding=2, normalize=False, value_range=None, scale_each=False, pad_value=0.0):
    """Arranges images (B, C, H, W), or a list of them, in a grid with `nrow` images per row and `padding` pixels between."""
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
    """Saves images with values from 0 to 1 as a grid; the extension of `fp`, or `format`, selects the file type."""
    grid = make_grid(tensor, **kwargs)
    data = grid.mul(255).add_(0.5).clamp_(0, 255).to("cpu", _C.uint8)
    kind = (format or os.path.splitext(os.fspath(fp))[1].lstrip(".")).lower()
    if kind not in ("png", "jpg", "jpeg", "ppm", "pnm"):
        return _save_by_pillow(data, fp, format, kind)
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


def _save_by_pillow(data, fp, format, kind):
    """Saves file types that only Pillow supports; raises ValueError without Pillow."""
    try:
        import PIL  # noqa: F401
    except ImportError:
        raise ValueError(f"unknown file extension: .{kind}") from None
    from .transforms import functional
    functional.to_pil_image(data).save(fp, format=format)
