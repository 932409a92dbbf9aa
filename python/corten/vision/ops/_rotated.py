# SPDX-License-Identifier: BSD-3-Clause
"""Intersection over union of rotated boxes: the area of the convex polygon that two rectangles share.

The corners of that polygon are among 24 points: the 16 where an edge of one rectangle meets an edge of the other, and the
corners of each that lie in the other. Sorted by their angle around their mean they are the polygon, and the shoelace formula
gives its area. All pairs are computed at once.
"""
import math

from ... import _C

__all__ = ["box_iou_rotated"]


def _cross(a, b):
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _corners(boxes):
    """(N, 4, 2): the corners in order. Boxes are rows (cx, cy, width, height, angle in degrees, counter-clockwise)."""
    angle = boxes[:, 4].deg2rad()
    cos, sin = angle.cos() / 2, angle.sin() / 2
    across = _C.stack([cos * boxes[:, 2], -sin * boxes[:, 2]], 1)  # y points down, so the sine is negated
    down = _C.stack([sin * boxes[:, 3], cos * boxes[:, 3]], 1)
    return boxes[:, None, :2] + _C.stack([-across - down, across - down, across + down, down - across], 1)


def _meetings(p, q):
    """Where the edges of p (N, 1, 4, 2) meet those of q (1, M, 4, 2), and which of these points there are."""
    along_p, along_q = p.roll(-1, 2) - p, q.roll(-1, 2) - q
    p, along_p, q, along_q = p[:, :, :, None], along_p[:, :, :, None], q[:, :, None], along_q[:, :, None]
    det = _cross(along_p, along_q)
    parallel = det.abs() <= 1e-14
    det = _C.where(parallel, 1, det)
    t, u = _cross(q - p, along_q) / det, _cross(q - p, along_p) / det
    there = ~parallel & (t >= 0) & (t <= 1) & (u >= 0) & (u <= 1)
    return (p + t[..., None] * along_p).flatten(2, 3), there.flatten(2)


def _inside(points, box):
    """Which points (.., 4, 2) lie in a rectangle (.., 4, 2), its edge included."""
    origin = box[:, :, :1]
    first, second = box[:, :, 1:2] - origin, box[:, :, 3:] - origin
    x, y = ((points - origin) * first).sum(-1), ((points - origin) * second).sum(-1)
    slack = 1e-5
    return ((x >= -slack) & (x <= first.square().sum(-1) + slack) & (y >= -slack) & (y <= second.square().sum(-1) + slack))


def _shared_area(boxes1, boxes2):
    p, q = _corners(boxes1)[:, None], _corners(boxes2)[None]
    pairs = len(boxes1), len(boxes2), 4, 2
    meetings, there = _meetings(p, q)
    points = _C.cat([meetings, p.expand(pairs), q.expand(pairs)], 2)
    there = _C.cat([there, _inside(p, q).expand(pairs[:3]), _inside(q, p).expand(pairs[:3])], 2)
    count = there.sum(2, keepdim=True)
    middle = (points * there[..., None]).sum(2, keepdim=True) / count.clamp(min=1)[..., None]
    around = points - middle
    angle = _C.where(there, _C.atan2(around[..., 1], around[..., 0]), math.inf)
    order = angle.argsort(dim=2)
    around = around.gather(2, order[..., None].expand_as(around))
    # Points that are not there come last; put the first corner in their place, which adds no area.
    there = there.gather(2, order)
    around = _C.where(there[..., None], around, around[:, :, :1])
    return _C.where(count[..., 0] > 2, _cross(around, around.roll(-1, 2)).sum(2).abs() / 2, 0)


def box_iou_rotated(boxes1, boxes2):
    """The area that two boxes share over the area they cover, for all pairs: rows (cx, cy, width, height, angle in degrees)."""
    kind = boxes1.dtype
    boxes1, boxes2 = boxes1.detach().double(), boxes2.detach().double()
    # Around the middle of each pair coordinates would be small; float64 makes that unnecessary.
    shared = _shared_area(boxes1, boxes2)
    area1, area2 = boxes1[:, 2] * boxes1[:, 3], boxes2[:, 2] * boxes2[:, 3]
    union = area1[:, None] + area2 - shared
    empty = (area1[:, None] < 1e-14) | (area2 < 1e-14)
    return _C.where(empty, 0, shared / _C.where(empty, 1, union)).to(kind)
