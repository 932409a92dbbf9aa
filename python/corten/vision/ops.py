# SPDX-License-Identifier: BSD-3-Clause
"""Boxes (x1, y1, x2, y2): areas, overlaps, suppression; and a few layers that networks of pictures share."""
from .. import _C, nn
from .models.mobilenet import ConvNormActivation as Conv2dNormActivation
from .models.mobilenet import SqueezeExcitation

__all__ = ["Conv2dNormActivation", "MLP", "Permute", "SqueezeExcitation", "StochasticDepth", "batched_nms", "box_area",
           "box_convert", "box_iou", "clip_boxes_to_image", "complete_box_iou", "generalized_box_iou", "masks_to_boxes", "nms",
           "remove_small_boxes", "sigmoid_focal_loss", "stochastic_depth"]


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


def complete_box_iou(boxes1, boxes2, eps=1e-7):
    """The same less the distance of the middles and the difference of the shapes."""
    iou = box_iou(boxes1, boxes2)
    size = (_C.maximum(boxes1[:, None, 2:], boxes2[:, 2:]) - _C.minimum(boxes1[:, None, :2], boxes2[:, :2])).clamp(min=0)
    diagonal = (size ** 2).sum(-1) + eps
    middle1, middle2 = (boxes1[:, :2] + boxes1[:, 2:]) / 2, (boxes2[:, :2] + boxes2[:, 2:]) / 2
    distance = ((middle1[:, None] - middle2) ** 2).sum(-1)

    def angle(b):
        return _C.atan((b[:, 2] - b[:, 0]) / (b[:, 3] - b[:, 1]))
    v = 4 / 9.869604401089358 * (angle(boxes1)[:, None] - angle(boxes2)) ** 2
    alpha = (v / (1 - iou + v + eps)).detach()
    return iou - distance / diagonal - alpha * v


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


def sigmoid_focal_loss(inputs, targets, alpha=0.25, gamma=2, reduction="none"):
    """Cross entropy with less weight for what is easy."""
    p = inputs.sigmoid()
    loss = nn.functional.binary_cross_entropy_with_logits(inputs, targets, reduction="none")
    loss = loss * (1 - (p * targets + (1 - p) * (1 - targets))) ** gamma
    if alpha >= 0:
        loss = (alpha * targets + (1 - alpha) * (1 - targets)) * loss
    return loss.mean() if reduction == "mean" else loss.sum() if reduction == "sum" else loss


def stochastic_depth(input, p, mode, training=True):
    """Drops whole rows, or the whole batch, at random."""
    if mode not in ("batch", "row"):
        raise ValueError(f"mode has to be either 'batch' or 'row', but got {mode}")
    if not training or p == 0.0:
        return input
    shape = [input.shape[0] if mode == "row" else 1] + [1] * (input.ndim - 1)
    noise = _C.empty(shape, dtype=input.dtype).bernoulli_(1.0 - p)
    return input * (noise.div_(1.0 - p) if p < 1.0 else noise)


class StochasticDepth(nn.Module):
    """stochastic_depth as a layer."""

    def __init__(self, p, mode):
        super().__init__()
        self.p, self.mode = p, mode

    def forward(self, input):
        return stochastic_depth(input, self.p, self.mode, self.training)


class Permute(nn.Module):
    """Dims in another order."""

    def __init__(self, dims):
        super().__init__()
        self.dims = dims

    def forward(self, x):
        return x.permute(*self.dims)


class MLP(nn.Sequential):
    """Linear layers with activations and dropout between."""

    def __init__(self, in_channels, hidden_channels, norm_layer=None, activation_layer=nn.ReLU, inplace=None, bias=True,
                 dropout=0.0):
        layers, how = [], {} if inplace is None else {"inplace": inplace}
        for size in hidden_channels[:-1]:
            layers.append(nn.Linear(in_channels, size, bias=bias))
            if norm_layer is not None:
                layers.append(norm_layer(size))
            layers += [activation_layer(**how), nn.Dropout(dropout, **how)]
            in_channels = size
        layers += [nn.Linear(in_channels, hidden_channels[-1], bias=bias), nn.Dropout(dropout, **how)]
        super().__init__(*layers)
