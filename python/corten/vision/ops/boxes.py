# SPDX-License-Identifier: BSD-3-Clause
"""Boxes (x1, y1, x2, y2): areas, overlaps, suppression."""
from ... import _C

__all__ = ["batched_nms", "box_area", "box_convert", "box_iou", "clip_boxes_to_image", "complete_box_iou", "distance_box_iou",
           "generalized_box_iou", "masks_to_boxes", "nms", "remove_small_boxes"]


def box_area(boxes):
    """The area of each box."""
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def _overlap(boxes1, boxes2):
    top, end = _C.maximum(boxes1[:, None, :2], boxes2[:, :2]), _C.minimum(boxes1[:, None, 2:], boxes2[:, 2:])
    size = (end - top).clamp(min=0)
    inter = size[..., 0] * size[..., 1]
    return inter, box_area(boxes1)[:, None] + box_area(boxes2) - inter


def box_iou(boxes1, boxes2):
    """The area that two boxes share over the area they cover, for all pairs."""
    inter, union = _overlap(boxes1, boxes2)
    return inter / union


def generalized_box_iou(boxes1, boxes2):
    """The same less the empty part of the box around both."""
    inter, union = _overlap(boxes1, boxes2)
    size = (_C.maximum(boxes1[:, None, 2:], boxes2[:, 2:]) - _C.minimum(boxes1[:, None, :2], boxes2[:, :2])).clamp(min=0)
    hull = size[..., 0] * size[..., 1]
    return inter / union - (hull - union) / hull


def _distance(boxes1, boxes2, eps):
    """How far the middles lie from each other, over the diagonal of the box around both."""
    size = (_C.maximum(boxes1[:, None, 2:], boxes2[:, 2:]) - _C.minimum(boxes1[:, None, :2], boxes2[:, :2])).clamp(min=0)
    diagonal = (size ** 2).sum(-1) + eps
    middle1, middle2 = (boxes1[:, :2] + boxes1[:, 2:]) / 2, (boxes2[:, :2] + boxes2[:, 2:]) / 2
    return ((middle1[:, None] - middle2) ** 2).sum(-1) / diagonal


def distance_box_iou(boxes1, boxes2, eps=1e-7):
    """The same less the distance of the middles."""
    return box_iou(boxes1, boxes2) - _distance(boxes1, boxes2, eps)


def complete_box_iou(boxes1, boxes2, eps=1e-7):
    """The same less the distance of the middles and the difference of the shapes."""
    iou = box_iou(boxes1, boxes2)

    def angle(b):
        return _C.atan((b[:, 2] - b[:, 0]) / (b[:, 3] - b[:, 1]))
    v = 4 / 9.869604401089358 * (angle(boxes1)[:, None] - angle(boxes2)) ** 2
    alpha = (v / (1 - iou + v + eps)).detach()
    return iou - _distance(boxes1, boxes2, eps) - alpha * v


def box_convert(boxes, in_fmt, out_fmt):
    """Between xyxy, xywh and cxcywh."""
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
    """The parts of boxes inside of a picture of (height, width)."""
    height, width = size
    x, y = boxes[..., 0::2].clamp(min=0, max=width), boxes[..., 1::2].clamp(min=0, max=height)
    return _C.stack((x, y), dim=-1).reshape(boxes.shape)


def remove_small_boxes(boxes, min_size):
    """Which boxes have both sides of a size."""
    wide, high = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    return ((wide >= min_size) & (high >= min_size)).nonzero().flatten()


def nms(boxes, scores, iou_threshold):
    """The best boxes, without those that overlap a better one by more than a threshold; best first."""
    order = scores.argsort(descending=True, stable=True)
    overlap = box_iou(boxes[order], boxes[order]) > iou_threshold
    keep, gone = [], _C.zeros(len(order), dtype=_C.bool)
    for i in range(len(order)):
        if not gone[i]:
            keep.append(i)
            gone |= overlap[i]
    return order[_C.tensor(keep, dtype=_C.int64)]


def batched_nms(boxes, scores, idxs, iou_threshold):
    """The same for each class by itself."""
    if boxes.numel() == 0:
        return _C.empty(0, dtype=_C.int64)
    apart = idxs.to(boxes.dtype) * (boxes.max() + 1)  # classes lie far from each other
    return nms(boxes + apart[:, None], scores, iou_threshold)


def masks_to_boxes(masks):
    """The box around each mask."""
    boxes = []
    for mask in masks:
        y, x = _C.where(mask != 0)
        boxes.append(_C.stack([x.min(), y.min(), x.max(), y.max()]).to(_C.float32))
    return _C.stack(boxes) if boxes else _C.zeros(0, 4)
