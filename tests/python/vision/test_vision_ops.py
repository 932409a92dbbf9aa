# SPDX-License-Identifier: BSD-3-Clause
"""corten.vision.ops: regions of images, boxes. Expected values are torchvision 0.29's for the same arguments."""
import corten
import pytest
from corten.vision import ops

X = (corten.arange(2 * 4 * 5 * 6, dtype=corten.float64) * 7 % 23).view(2, 4, 5, 6)
BOXES = corten.tensor([[0, .5, 1, 3.5, 4], [1, -2, -2, 9, 9], [0, 2, 2, 2, 2], [1, 3.2, 1.1, 4.9, 3.3]], dtype=corten.float64)
ALIGN = [13.070312, 11.800781, 13.808594, 8.496094, 7.085938, 13.902344, 13.664062, 9.160156, 7.159095, 4.627025, 3.588783, 0.946759,
         7.742814, 4.550444, 4.393277, 1.44565, 6.75, 10.25, 4.75, 8.25, 9.75, 13.25, 7.75, 11.25, 7.775, 13.725, 9.735937, 9.325,
         10.775, 12.90125, 6.482813, 12.325]
ALIGNED = [6.871094, 5.972656, 15.955078, 8.026367, 9.871094, 8.972656, 18.393555, 8.106445, 12.84375, 10.000977, 6.051758, 12.328125,
           15.84375, 9.96875, 9.051758, 12.273438, 7.25, 7.25, 7.25, 7.25, 10.25, 10.25, 10.25, 10.25, 15.035937, 11.412812, 16.744141,
           18.436172, 15.7, 8.9, 13.544922, 6.806016]
POOL = [22, 20, 21, 16, 13, 20, 21, 19, 22, 20, 19, 8, 22, 20, 22, 11, 6, 6, 6, 6, 9, 9, 9, 9, 13, 20, 21, 16, 16, 19, 12, 19]
POOL_PLACES = [13, 16, 26, 22, 8, 9, 19, 22, 8, 11, 24, 29, 1, 4, 24, 29, 14, 14, 14, 14, 14, 14, 14, 14, 10, 11, 21, 17, 10, 17, 16, 17]
PS_ALIGN = [11.480469, 13.300781, 8.335938, 13.75, 4.867525, 3.603443, 1.888889, 2.171296, 6.275, 15.225, 7.875, 16.825]
PS_POOL = [10.25, 14.5, 6.5, 16.5, 10.75, 10.5, 10.75, 10.5, 6, 9, 12, 15, 6, 16, 8, 18]


def close(got, want):
    assert got.is_contiguous() and got.flatten().tolist() == pytest.approx(want, abs=2e-6)


def test_roi_align():
    close(ops.roi_align(X, BOXES, 2)[:, :2].contiguous(), ALIGN)
    close(ops.roi_align(X, BOXES, 2, spatial_scale=0.5, sampling_ratio=2, aligned=True)[:, :2].contiguous(), ALIGNED)
    listed = ops.RoIAlign(2, 1.0, -1)(X, [BOXES[[0, 2], 1:], BOXES[[1, 3], 1:]])
    close(listed[[0, 2, 1, 3], :2], ALIGN)


def test_roi_pool():
    close(ops.roi_pool(X, BOXES, 2)[:, :2].contiguous(), POOL)
    assert corten.ops.torchvision.roi_pool(X, BOXES, 1.0, 2, 2)[1][:, :2].flatten().tolist() == POOL_PLACES
    far = corten.tensor([[0, 40., 40, 50, 50]], dtype=corten.float64)
    values, places = corten.ops.torchvision.roi_pool(X, far, 1.0, 1, 1)
    assert values.eq(0).all() and places.eq(-1).all() and places.dtype == corten.int32


def test_position_sensitive():
    close(ops.ps_roi_align(X, BOXES[[0, 1, 3]], 2), PS_ALIGN)
    close(ops.ps_roi_pool(X, BOXES, 2), PS_POOL)
    assert corten.ops.torchvision.ps_roi_pool(X, BOXES, 1.0, 2, 2)[1][0].tolist() == [[[0, 1], [2, 3]]]
    assert repr(ops.PSRoIAlign(2, .5, 2)) == 'PSRoIAlign(output_size=2, spatial_scale=0.5, sampling_ratio=2)'


def deformed(x=None, weight=None, offset=None, mask=None):
    w = corten.arange(16, dtype=corten.float64).view(2, 2, 2, 2) / 8 - 1 if weight is None else weight
    o = (corten.arange(2 * 2 * 4 * 4 * 5 * 2) * 5 % 17).double().view(2, 16, 4, 5) / 4 - 2 if offset is None else offset
    m = (corten.arange(2 * 2 * 4 * 4 * 5) * 3 % 7).double().view(2, 8, 4, 5) / 7 if mask is None else mask
    return ops.deform_conv2d(X if x is None else x, o, w, corten.tensor([1., 2.]).double(), mask=m)


def test_deform_conv2d():
    r = deformed()
    assert r.shape == (2, 2, 4, 5) and r.square().sum().item() == pytest.approx(20494.6131)
    close(r[0, :, :2, :2].contiguous(), [-9.658482, -2.745536, -11.104911, -18.983259, 14.803571, 23.006696, 8.839286, 17.232143])
    plain = ops.DeformConv2d(4, 3, 3, padding=1)
    x = corten.randn(2, 4, 5, 6)
    still = plain(x, corten.zeros(2, 18, 5, 6))
    assert corten.allclose(still, corten.nn.functional.conv2d(x, plain.weight, plain.bias, padding=1), atol=1e-5)
    with pytest.raises(RuntimeError, match=r'offset output dims: \(4, 4\) - computed output dims: \(3, 3\)'):
        ops.deform_conv2d(corten.rand(1, 3, 5, 5), corten.rand(1, 18, 4, 4), corten.rand(2, 3, 3, 3))
    with pytest.raises(RuntimeError, match='not valid. It should be a multiple'):
        ops.deform_conv2d(corten.rand(1, 3, 5, 5), corten.rand(1, 17, 3, 3), corten.rand(2, 3, 3, 3))


def test_gradients():
    small = corten.rand(2, 4, 4, 5, dtype=corten.float64, requires_grad=True)
    for f in (ops.roi_align, ops.roi_pool, ops.ps_roi_align, ops.ps_roi_pool):
        assert corten.autograd.gradcheck(lambda x: f(x, BOXES[[0, 1, 3]], 2), small)
    corten.manual_seed(0)
    weight = corten.rand(2, 2, 2, 2, dtype=corten.float64, requires_grad=True)
    offset = (corten.rand(2, 16, 3, 4, dtype=corten.float64) * 2 - 1).requires_grad_()
    mask = corten.rand(2, 8, 3, 4, dtype=corten.float64, requires_grad=True)
    assert corten.autograd.gradcheck(deformed, (small, weight, offset, mask))


def test_no_boxes_and_no_values():
    none = ops.roi_align(X, corten.zeros(0, 5, dtype=corten.float64), 2)
    assert none.shape == (0, 4, 2, 2)
    for f in (ops.roi_align, ops.roi_pool, ops.ps_roi_align, ops.ps_roi_pool):
        assert f(X.to('meta'), BOXES.to('meta'), 2).is_meta


def test_under_autocast():
    low = X.bfloat16()
    with corten.autocast('cpu', dtype=corten.bfloat16):
        got = ops.roi_align(low, BOXES.bfloat16(), 2)
    assert got.dtype == corten.bfloat16 and corten.equal(got, ops.roi_align(low.float(), BOXES.bfloat16().float(), 2).bfloat16())


def test_what_regions_refuse():
    with pytest.raises(AssertionError, match='The boxes tensor shape is not correct as Tensor'):
        ops.roi_align(X, BOXES[:, :4], 2)
    with pytest.raises(AssertionError, match='in the boxes list is not correct as List'):
        ops.roi_pool(X, [BOXES], 2)
    with pytest.raises(RuntimeError, match='input should have the same type as rois'):
        ops.roi_align(X, BOXES.float(), 2)
    with pytest.raises(RuntimeError, match='input channels must be a multiple of pooling height'):
        ops.ps_roi_pool(X, BOXES, 3)
    with pytest.raises(NotImplementedError, match='torch.ops.torchvision.qnms is not available in Corten'):
        corten.ops.torchvision.qnms(BOXES, BOXES, 0.5)


def greedy(boxes, scores, threshold):
    keep = []
    for i in scores.argsort(descending=True, stable=True).tolist():
        if not any((ops.box_iou(boxes[[i]], boxes[[j]]) > threshold).item() for j in keep):
            keep.append(i)
    return keep


def test_nms(monkeypatch):
    boxes = corten.tensor([[0, 0, 10, 10], [1, 1, 11, 11], [20, 20, 30, 30], [0, 0, 10, 9], [21, 20, 30, 30.]])
    scores = corten.tensor([.9, .8, .7, .95, .7])
    assert ops.nms(boxes, scores, .5).tolist() == [3, 2]
    assert ops.nms(boxes, scores, .9).tolist() == [3, 0, 1, 2, 4]  # 0.9 in float64 is a little less than in float32
    corten.manual_seed(3)
    corner = corten.rand(60, 2) * 20
    many, points = corten.cat([corner, corner + corten.rand(60, 2) * 20], 1), corten.rand(60)
    want = {t: greedy(many, points, t) for t in (0.1, 0.4)}
    for block in (2048, 7):
        monkeypatch.setattr(ops.boxes, '_BLOCK', block)
        assert {t: ops.nms(many, points, t).tolist() for t in want} == want
    assert ops.nms(boxes[:0], scores[:0], .5).tolist() == []
    for bad, message in (((boxes[0], scores), 'boxes should be a 2d tensor, got 1D'), ((boxes, scores[:3]), 'same number of elements'),
                         ((boxes, scores.double()), 'dets should have the same type as scores')):
        with pytest.raises(RuntimeError, match=message):
            ops.nms(*bad, .5)


def test_rotated_boxes():
    one = corten.tensor([[5, 5, 4, 2, 30.], [3, 3, 2, 2, 0]])
    two = corten.tensor([[5, 6, 4, 2, 10.], [3, 3, 2, 2, 45], [3, 3, 1, 1, 0]])
    got = corten.ops.torchvision.box_iou_rotated(one, two)
    assert got.flatten().tolist() == pytest.approx([0.326988, 0, 0, 0, 0.707107, 0.25], abs=1e-6) and got.dtype == corten.float32
    assert corten.ops.torchvision.box_iou_rotated(one, one).diagonal().tolist() == pytest.approx([1, 1])


def test_formats_of_boxes():
    boxes = corten.tensor([[1., 2, 5, 9], [3, 3, 4, 5]])
    assert ops.box_area(boxes).tolist() == [28, 2] and ops.box_area(boxes, fmt='cxcywh').tolist() == [45, 20]
    assert ops.box_area(boxes[None].expand(3, 2, 4)).shape == (3, 2)
    for fmt in ('xywh', 'cxcywh'):
        as_corners = ops.box_convert(boxes, fmt, 'xyxy')
        assert corten.equal(ops.box_iou(boxes, boxes + 1, fmt=fmt),
                            ops.box_iou(as_corners, ops.box_convert(boxes + 1, fmt, 'xyxy')))
    assert ops.box_iou(corten.tensor([[3., 3, 2, 2, 45]]), corten.tensor([[3., 3, 2, 2, 0]]), 'cxcywhr').item() == pytest.approx(0.707107)
    with pytest.raises(ValueError, match='Unsupported Bounding Box area for given format nothing'):
        ops.box_area(boxes, 'nothing')
    with pytest.raises(ValueError, match="Unsupported format 'nothing'"):
        ops.box_iou(boxes, boxes, 'nothing')
    with pytest.raises(NotImplementedError, match="convert the boxes to 'cxcywhr' first"):
        ops.box_iou(boxes, boxes, 'xywhr')
