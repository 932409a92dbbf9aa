# SPDX-License-Identifier: BSD-3-Clause
"""Intersection over union of rotated boxes: the area of the convex polygon that two rectangles share.

Its corners are among 24 points: the 16 intersections of an edge of one rectangle with an edge of the other, and the corners of
each that are inside the other. Sorted by angle around their mean, these form the polygon, and the shoelace formula gives its
area. All pairs are computed at once.
"""
import math

from ... import _C

__all__ = ["box_iou_rotated"]


def _cross(a, b):
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _corners(boxes):
    """Returns the corners in order, (N, 4, 2), of boxes (cx, cy, width, height, counter-clockwise angle in degrees)."""
    angle = boxes[:, 4].deg2rad()
    cos, sin = angle.cos() / 2, angle.sin() / 2
    across = _C.stack([cos * boxes[:, 2], -sin * boxes[:, 2]], 1)  # y points down, so the sine is negated
    down = _C.stack([sin * boxes[:, 3], cos * boxes[:, 3]], 1)
    return boxes[:, None, :2] + _C.stack([-across - down, across - down, across + down, down - across], 1)


def _meetings(p, q):
    """Intersects the edges of p (N, 1, 4, 2) and q (1, M, 4, 2); returns the points and which of them exist."""
    along_p, along_q = p.roll(-1, 2) - p, q.roll(-1, 2) - q
    p, along_p, q, along_q = p[:, :, :, None], along_p[:, :, :, None], q[:, :, None], along_q[:, :, None]
    det = _cross(along_p, along_q)
    parallel = det.abs() <= 1e-14
    det = _C.where(parallel, 1, det)
    t, u = _cross(q - p, along_q) / det, _cross(q - p, along_p) / det
    there = ~parallel & (t >= 0) & (t <= 1) & (u >= 0) & (u <= 1)
    return (p + t[..., None] * along_p).flatten(2, 3), there.flatten(2)


def _inside(points, box):
    """Returns which points (..., 4, 2) are inside a rectangle (..., 4, 2) or on its edge."""
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
    # Invalid points sort last; replace them by the first corner, which adds no area.
    there = there.gather(2, order)
    around = _C.where(there[..., None], around, around[:, :, :1])
    return _C.where(count[..., 0] > 2, _cross(around, around.roll(-1, 2)).sum(2).abs() / 2, 0)


def box_iou_rotated(boxes1, boxes2):
    """IoU of all pairs of rotated boxes, given as rows (cx, cy, width, height, angle in degrees)."""
    kind = boxes1.dtype
    boxes1, boxes2 = boxes1.detach().double(), boxes2.detach().double()
    # Centering each pair would keep coordinates small; float64 makes that unnecessary.
    shared = _shared_area(boxes1, boxes2)
    area1, area2 = boxes1[:, 2] * boxes1[:, 3], boxes2[:, 2] * boxes2[:, 3]
    union = area1[:, None] + area2 - shared
    empty = (area1[:, None] < 1e-14) | (area2 < 1e-14)
    return _C.where(empty, 0, shared / _C.where(empty, 1, union)).to(kind)
