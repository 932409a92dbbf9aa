# SPDX-License-Identifier: BSD-3-Clause
"""Boxes: areas, overlaps and non-maximum suppression. The default format is (x1, y1, x2, y2)."""
from ... import _C
from ..._missing import MissingFeature

__all__ = ["batched_nms", "box_area", "box_convert", "box_iou", "clip_boxes_to_image", "complete_box_iou", "distance_box_iou",
           "generalized_box_iou", "masks_to_boxes", "nms", "remove_small_boxes"]


def box_area(boxes, fmt="xyxy"):
    """Returns the area of each box, in the format "xyxy", "xywh" or "cxcywh"."""
    if fmt not in ("xyxy", "xywh", "cxcywh"):
        raise ValueError(f"Unsupported Bounding Box area for given format {fmt}")
    if fmt != "xyxy":
        return boxes[..., 2] * boxes[..., 3]
    return (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])


def _overlap(boxes1, boxes2):
    top, end = _C.maximum(boxes1[:, None, :2], boxes2[:, :2]), _C.minimum(boxes1[:, None, 2:], boxes2[:, 2:])
    size = (end - top).clamp(min=0)
    inter = size[..., 0] * size[..., 1]
    return inter, box_area(boxes1)[:, None] + box_area(boxes2) - inter


def box_iou(boxes1, boxes2, fmt="xyxy"):
    """Intersection over union of all pairs: (N, 4) and (M, 4) give (N, M).

    fmt: "xyxy", "xywh" or "cxcywh"; or "cxcywhr" for boxes (N, 5) that are rotated by an angle in degrees.
    """
    if fmt == "cxcywhr":
        from ._rotated import box_iou_rotated
        return box_iou_rotated(boxes1, boxes2)
    if fmt in ("xywhr", "xyxyxyxy"):
        raise MissingFeature(f"torchvision.ops.box_iou(fmt={fmt!r})", "convert the boxes to 'cxcywhr' first")
    if fmt not in ("xyxy", "xywh", "cxcywh"):
        raise ValueError(f"Unsupported format '{fmt}'. Supported axis-aligned formats: ('xyxy', 'xywh', 'cxcywh'). "
                         "Supported rotated formats: ('cxcywhr', 'xywhr', 'xyxyxyxy').")
    if fmt != "xyxy":
        boxes1, boxes2 = (box_convert(boxes, fmt, "xyxy") for boxes in (boxes1, boxes2))
    inter, union = _overlap(boxes1, boxes2)
    return inter / union


def generalized_box_iou(boxes1, boxes2):
    """Generalized IoU (Rezatofighi et al., 2019): IoU minus the fraction of the smallest enclosing box that neither box covers."""
    inter, union = _overlap(boxes1, boxes2)
    size = (_C.maximum(boxes1[:, None, 2:], boxes2[:, 2:]) - _C.minimum(boxes1[:, None, :2], boxes2[:, :2])).clamp(min=0)
    hull = size[..., 0] * size[..., 1]
    return inter / union - (hull - union) / hull


def _distance(boxes1, boxes2, eps):
    """Returns the squared distance of the centers divided by the squared diagonal of the smallest enclosing box."""
    size = (_C.maximum(boxes1[:, None, 2:], boxes2[:, 2:]) - _C.minimum(boxes1[:, None, :2], boxes2[:, :2])).clamp(min=0)
    diagonal = (size ** 2).sum(-1) + eps
    middle1, middle2 = (boxes1[:, :2] + boxes1[:, 2:]) / 2, (boxes2[:, :2] + boxes2[:, 2:]) / 2
    return ((middle1[:, None] - middle2) ** 2).sum(-1) / diagonal


def distance_box_iou(boxes1, boxes2, eps=1e-7):
    """Distance IoU (Zheng et al., 2020): IoU minus the normalized squared distance of the centers."""
    return box_iou(boxes1, boxes2) - _distance(boxes1, boxes2, eps)


def complete_box_iou(boxes1, boxes2, eps=1e-7):
    """Complete IoU (Zheng et al., 2020): distance IoU minus a term for the difference of the aspect ratios."""
    iou = box_iou(boxes1, boxes2)

    def angle(b):
        return _C.atan((b[:, 2] - b[:, 0]) / (b[:, 3] - b[:, 1]))
    v = 4 / 9.869604401089358 * (angle(boxes1)[:, None] - angle(boxes2)) ** 2
    alpha = (v / (1 - iou + v + eps)).detach()
    return iou - _distance(boxes1, boxes2, eps) - alpha * v


def box_convert(boxes, in_fmt, out_fmt):
    """Converts boxes between the formats "xyxy" (two corners), "xywh" (corner and size) and "cxcywh" (center and size)."""
    known = ("xyxy", "xywh", "cxcywh")
    if in_fmt not in known or out_fmt not in known:
        raise ValueError(f"Unsupported Bounding Box Conversions for given in_fmt {in_fmt} and out_fmt {out_fmt}")
    if in_fmt == out_fmt:
        return boxes.clone()
    a, b, c, d = boxes.unbind(-1)
    if in_fmt == "xywh":
        a, b, c, d = a, b, a + c, b + d
    elif in_fmt == "cxcywh":
        a, b, c, d = a - 0.5 * c, b - 0.5 * d, a + 0.5 * c, b + 0.5 * d
    if out_fmt == "xywh":
        c, d = c - a, d - b
    elif out_fmt == "cxcywh":
        a, b, c, d = (a + c) / 2, (b + d) / 2, c - a, d - b
    return _C.stack((a, b, c, d), dim=-1)


def clip_boxes_to_image(boxes, size):
    """Clips boxes to an image of size (height, width)."""
    height, width = size
    x, y = boxes[..., 0::2].clamp(min=0, max=width), boxes[..., 1::2].clamp(min=0, max=height)
    return _C.stack((x, y), dim=-1).reshape(boxes.shape)


def remove_small_boxes(boxes, min_size):
    """Returns the indices of the boxes whose width and height are at least `min_size`."""
    wide, high = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    return ((wide >= min_size) & (high >= min_size)).nonzero().flatten()


_BLOCK = 256  # boxes per block of nms: their pairwise overlaps fit the cache


def _overlapping(boxes1, boxes2, iou_threshold):
    # float64, so that the threshold is not rounded to the type of the boxes
    return box_iou(boxes1, boxes2).double() > iou_threshold


def _kept_in_block(boxes, alive, iou_threshold):
    """Returns which boxes of a block, sorted by score, survive: those that no better surviving box overlaps.

    A box is decided once all better ones are, so iterating the rule on all boxes at once converges to the greedy choice. The
    number of iterations is the longest chain of boxes that suppress each other, a handful in practice.
    """
    better = _overlapping(boxes, boxes, iou_threshold).triu(1).to(_C.float32)
    kept = alive
    while True:
        again = alive & ((kept.to(_C.float32) @ better) == 0)
        if _C.equal(again, kept):
            return kept
        kept = again


def nms(boxes, scores, iou_threshold):
    """Non-maximum suppression: drops boxes that overlap a better one with an IoU above the threshold.

    Returns the indices of the kept boxes by descending score.

    Boxes are compared block by block, so memory grows linearly with their number.
    """
    if boxes.dim() != 2:
        raise RuntimeError(f"boxes should be a 2d tensor, got {boxes.dim()}D")
    if boxes.size(1) != 4:
        raise RuntimeError(f"boxes should have 4 elements in dimension 1, got {boxes.size(1)}")
    if scores.dim() != 1:
        raise RuntimeError(f"scores should be a 1d tensor, got {scores.dim()}D")
    if boxes.size(0) != scores.size(0):
        raise RuntimeError("boxes and scores should have same number of elements in dimension 0, got "
                           f"{boxes.size(0)} and {scores.size(0)}")
    if boxes.dtype != scores.dtype:
        raise RuntimeError("dets should have the same type as scores")
    if not boxes.is_floating_point():
        raise RuntimeError(f"nms is not implemented for boxes of {boxes.dtype}")
    order = scores.detach().argsort(descending=True, stable=True)
    boxes = boxes.detach()[order]
    boxes = boxes if boxes.dtype == _C.float64 else boxes.float()
    kept, indices = boxes[:0], order[:0]
    for block, places in zip(boxes.split(_BLOCK), order.split(_BLOCK)):
        alive = ~_overlapping(kept, block, iou_threshold).any(0)
        chosen = _kept_in_block(block, alive, iou_threshold)
        kept, indices = _C.cat([kept, block[chosen]]), _C.cat([indices, places[chosen]])
    return indices


def batched_nms(boxes, scores, idxs, iou_threshold):
    """Non-maximum suppression per class: only boxes with equal `idxs` suppress each other."""
    if boxes.numel() == 0:
        return _C.empty(0, dtype=_C.int64, device=boxes.device)
    apart = idxs.to(boxes.dtype) * (boxes.max() + 1)  # shift classes apart, so that their boxes do not overlap
    return nms(boxes + apart[:, None], scores, iou_threshold)


def masks_to_boxes(masks):
    """Returns the bounding box (x1, y1, x2, y2) of the nonzero pixels of each mask (N, H, W)."""
    boxes = []
    for mask in masks:
        y, x = _C.where(mask != 0)
        boxes.append(_C.stack([x.min(), y.min(), x.max(), y.max()]).to(_C.float32))
    return _C.stack(boxes) if boxes else _C.zeros(0, 4)
