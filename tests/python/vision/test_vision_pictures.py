# SPDX-License-Identifier: BSD-3-Clause
"""Options of corten.vision.io and utils that need Pillow, or files written by Pillow."""
import io
import struct
import warnings

import corten
import pytest
from corten.vision import io as vio
from corten.vision import utils

UP = corten.tensor([[10, 200, 90], [250, 60, 140]], dtype=corten.uint8)
# How each of the eight EXIF orientations displays a picture, computed by hand.
TURNED = {0: UP.tolist(), 1: UP.tolist(), 2: [[90, 200, 10], [140, 60, 250]], 3: [[140, 60, 250], [90, 200, 10]],
          4: [[250, 60, 140], [10, 200, 90]], 5: [[10, 250], [200, 60], [90, 140]], 6: [[250, 10], [60, 200], [140, 90]],
          7: [[140, 90], [60, 200], [250, 10]], 8: [[90, 140], [200, 60], [10, 250]], 9: UP.tolist()}


def tiff(turned, order='<'):
    """Returns EXIF data that contains only an orientation."""
    return struct.pack(order + '2sHIHHHIHHI', b'II' if order == '<' else b'MM', 42, 8, 1, 0x112, 3, 1, turned, 0, 0)


def png_with(exif):
    import zlib
    plain = bytes(vio.encode_png(UP[None]).tolist())
    chunk = struct.pack('>I', len(exif)) + b'eXIf' + exif
    return plain[:33] + chunk + struct.pack('>I', zlib.crc32(chunk[4:])) + plain[33:]


def tensor(data):
    return corten.frombuffer(bytearray(data), dtype=corten.uint8)


@pytest.mark.parametrize('turned', range(10))
def test_orientation(turned, tmp_path):
    for order in '<>':
        data = tensor(png_with(tiff(turned, order)))
        vio.write_file(tmp_path / 'x.png', data)
        for read in (vio.decode_image, vio.decode_png, lambda d, **how: vio.read_image(tmp_path / 'x.png', **how)):
            assert read(data, apply_exif_orientation=True)[0].tolist() == TURNED[turned]
            assert read(data).tolist() == [UP.tolist()]


def test_orientation_of_jpeg():
    plain = bytes(vio.encode_jpeg(corten.full((3, 10, 20), 100, dtype=corten.uint8)).tolist())
    exif = b'Exif\0\0' + tiff(6)
    turned = tensor(plain[:2] + b'\xff\xe1' + struct.pack('>H', len(exif) + 2) + exif + plain[2:])
    assert vio.decode_jpeg(turned).shape == (3, 10, 20)
    assert vio.decode_jpeg(turned, apply_exif_orientation=True).shape == (3, 20, 10)
    assert [x.shape for x in vio.decode_jpeg([turned], apply_exif_orientation=True)] == [(3, 20, 10)]


def test_damaged_exif():
    for exif in (b'', b'II*\0', tiff(6)[:12], b'II*\0\xff\xff\xff\xff' + tiff(6)[8:], tiff(6)[:8] + b'\xff\xff' + tiff(1)[10:],
                 b'XX' + tiff(6)[2:]):
        assert vio.decode_png(tensor(png_with(exif)), apply_exif_orientation=True).tolist() == [UP.tolist()]


def test_kinds_of_files(tmp_path):
    png, jpeg = vio.encode_png(UP[None]), vio.encode_jpeg(UP[None])
    with pytest.raises(RuntimeError, match='Content is not png!'):
        vio.decode_png(jpeg)
    with pytest.raises(RuntimeError, match='Not a JPEG file: starts with 0x89 0x50'):
        vio.decode_jpeg(png)
    with pytest.raises(RuntimeError, match='Error opening output file'):
        vio.write_png(UP[None], tmp_path / 'none' / 'x.png')
    with pytest.raises(RuntimeError, match='Input data should be a 1-dimensional tensor'):
        vio.write_file(tmp_path / 'x', UP)
    with pytest.raises(RuntimeError, match='Input tensor dtype should be uint8'):
        vio.write_file(tmp_path / 'x', corten.ones(3))


def test_gif_and_webp():
    Image = pytest.importorskip('PIL.Image')
    picture = Image.new('RGB', (4, 3), (255, 0, 0))
    for kind, more in (('GIF', {}), ('WEBP', {'lossless': True})):
        file = io.BytesIO()
        picture.save(file, kind, **more)
        got = vio.decode_image(tensor(file.getvalue()))
        assert got.shape == (3, 3, 4) and got[:, 0, 0].tolist() == [255, 0, 0]
    file = io.BytesIO()
    picture.save(file, 'GIF', save_all=True, append_images=[Image.new('RGB', (4, 3), (0, 0, 255))])
    assert vio.decode_gif(tensor(file.getvalue()))[:, :, 0, 0].tolist() == [[255, 0, 0], [0, 0, 255]]
    with pytest.raises(RuntimeError, match='Cannot read this gif file'):
        vio.decode_gif(vio.encode_png(UP[None]))


def test_gif_without_pillow(monkeypatch):
    monkeypatch.setitem(__import__('sys').modules, 'PIL', None)
    with pytest.raises(NotImplementedError, match='decode_gif is not available in Corten: pip install pillow'):
        vio.decode_gif(tensor(b'GIF89a'))


# ---- drawing ----

BLACK = corten.zeros(3, 40, 40, dtype=corten.uint8)
BOX = corten.tensor([[5, 5, 30, 30]])


def test_keypoints():
    pytest.importorskip('PIL')
    points = corten.tensor([[[5, 5], [30, 30]]])
    plain = utils.draw_keypoints(BLACK, points, colors='red')
    assert plain[0].count_nonzero() == 42 and plain[1:].sum() == 0
    joined = utils.draw_keypoints(BLACK, points, connectivity=[(0, 1)], colors='red', width=1)
    assert joined[:, 15, 15].tolist() == [255, 255, 255] and joined[:, 5, 5].tolist() == [255, 255, 255]
    seen = utils.draw_keypoints(BLACK, points, [(0, 1)], 'red', visibility=corten.tensor([[True, False]]))
    assert corten.equal(seen, utils.draw_keypoints(BLACK, points[:, :1], colors='red'))
    assert utils.draw_keypoints(BLACK / 255, points, colors='red').dtype == corten.float32
    with pytest.raises(ValueError, match='visibility must be of shape'):
        utils.draw_keypoints(BLACK, points, visibility=corten.tensor([True, False]))


def test_labels():
    pytest.importorskip('PIL')
    plain = utils.draw_bounding_boxes(BLACK, BOX, colors='red')
    label = utils.draw_bounding_boxes(BLACK, BOX, ['cat'], 'red')
    filled = utils.draw_bounding_boxes(BLACK, BOX, ['cat'], 'red', fill_labels=True)
    yellow = utils.draw_bounding_boxes(BLACK, BOX, ['cat'], 'red', fill_labels=True, label_background_colors='yellow')
    counts = [int(x.any(0).sum()) for x in (plain, label, filled, yellow)]
    assert counts[0] == 100 and counts[0] < counts[1] < counts[2] == counts[3]
    assert filled[1].sum() == 0 and yellow[1].sum() > 0
    white = utils.draw_bounding_boxes(BLACK, BOX, ['cat'], 'red', label_colors='white')
    assert corten.equal(white[1].bool() | plain[0].bool(), label[0].bool())
    with pytest.warns(UserWarning, match="'font_size' will be ignored since 'font' is not set"):
        utils.draw_bounding_boxes(BLACK, BOX, font_size=20)
    with pytest.raises(ValueError, match='mismatch. Please specify labels for each box'):
        utils.draw_bounding_boxes(BLACK, BOX, ['a', 'b'])
    slanted = utils.draw_bounding_boxes(BLACK, corten.tensor([[5, 6, 30, 3, 33, 20, 8, 23]]), colors='red')
    assert slanted[0, 20, 33] == 255 and slanted[0, 14, 20] == 0


def test_boxes_without_pillow(monkeypatch):
    from corten.vision import _draw
    boxes = corten.tensor([[5, 6, 30, 35], [-5, 20, 20, 70], [50, 10, 80, 20]])
    image = corten.arange(3 * 40 * 40).reshape(3, 40, 40).remainder(251).to(corten.uint8)
    ours = {}
    for pillow in (False, True):
        if pillow:
            pytest.importorskip('PIL')
        monkeypatch.setattr(_draw, '_has_pillow', lambda: pillow)
        ours[pillow] = [utils.draw_bounding_boxes(image, boxes, colors='#ff8000', width=w, fill=fill) for w in (1, 3)
                        for fill in (False, True)]
    assert all(corten.equal(a, b) for a, b in zip(*ours.values()))


def test_masks_and_colors():
    masks = corten.tensor([[[1, 1, 0]], [[0, 1, 1]]]).bool()
    drawn = utils.draw_segmentation_masks(corten.full((3, 1, 3), 100, dtype=corten.uint8), masks, alpha=0.5)
    assert drawn.tolist() == [[[50, 50, 50]], [[50, 50, 113]], [[50, 50, 65]]]  # where masks overlap: black
    with warnings.catch_warnings(record=True) as heard:
        utils.draw_segmentation_masks(BLACK, corten.zeros(0, 40, 40).bool())
    assert 'No mask was drawn' in str(heard[0].message)
    flow = corten.tensor([[[1., 0., -1.]], [[0., 1., 0.]]])
    assert utils.flow_to_image(flow).tolist() == [[[255, 255, 0]], [[0, 229, 209]], [[0, 0, 255]]]
