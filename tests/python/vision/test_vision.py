# SPDX-License-Identifier: BSD-3-Clause
"""corten.vision: image files, grids, data sets in their file formats, transforms."""
import gzip
import inspect
import io
import pickle
import random
import struct
import zlib

import pytest
import recorded
from transform_cases import CALLS

import corten
from corten.vision import datasets, transforms, utils
from corten.vision import io as vio
from corten.vision.transforms import functional as F


def picture(*shape, dtype='uint8'):
    corten.manual_seed(0)
    return corten.randint(0, 65536 if dtype == 'uint16' else 256, shape).to(getattr(corten, dtype))


def chunk(kind, body):
    return struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))


def png(width, height, depth, kind, rows, interlaced=0, extra=b''):
    """Makes a PNG file from rows of bytes, each preceded by its filter type."""
    head = struct.pack('>IIBBBBB', width, height, depth, kind, 0, 0, interlaced)
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', head) + extra + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b'')


def decode(data, mode='UNCHANGED'):
    return vio.decode_image(corten.frombuffer(bytearray(data), dtype=corten.uint8), vio.ImageReadMode[mode])


# ---- PNG ----

@pytest.mark.parametrize('channels', [1, 2, 3, 4])
@pytest.mark.parametrize('dtype', ['uint8', 'uint16'])
def test_png_there_and_back(channels, dtype, tmp_path):
    x = picture(channels, 5, 7, dtype=dtype)
    vio.write_png(x, tmp_path / 'x.png')
    y = vio.read_image(tmp_path / 'x.png')
    assert y.dtype == x.dtype and y.tolist() == x.tolist()


def test_png_depths():
    for depth, want in ((1, [255, 0, 255, 0]), (2, [170, 170, 170, 170]), (4, [170, 170])):
        got = decode(png(len(want), 1, depth, 0, b'\0\xaa'))
        assert got.tolist() == [[want]]


def test_png_palette():
    colors = chunk(b'PLTE', bytes([255, 0, 0, 0, 255, 0]))
    assert decode(png(2, 1, 8, 3, b'\0\0\1', extra=colors)).tolist() == [[[255, 0]], [[0, 255]], [[0, 0]]]
    clear = colors + chunk(b'tRNS', b'\x80')
    assert decode(png(2, 1, 8, 3, b'\0\0\1', extra=clear))[3].tolist() == [[128, 255]]


def test_png_filters():
    """Encodes a row with each of the five filters by hand and decodes it."""
    x = picture(3, 5, 4).permute(1, 2, 0).reshape(5, 12).tolist()
    rows = b''
    for y, filter in enumerate((0, 1, 2, 3, 4)):
        up = x[y - 1] if y else [0] * 12
        line = []
        for i, v in enumerate(x[y]):
            a, b, c = (x[y][i - 3] if i >= 3 else 0), up[i], (up[i - 3] if i >= 3 else 0)
            p = a + b - c
            near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            line.append((v - (0, a, b, (a + b) // 2, near)[filter]) % 256)
        rows += bytes([filter, *line])
    assert decode(png(4, 5, 8, 2, rows)).permute(1, 2, 0).reshape(5, 12).tolist() == x


def test_png_interlaced():
    x = picture(1, 9, 11)[0]
    rows = b''
    for x0, y0, dx, dy in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)):
        for line in x[y0::dy, x0::dx].tolist():
            rows += bytes([0, *line])
    assert decode(png(11, 9, 8, 0, rows, interlaced=1))[0].tolist() == x.tolist()


def test_modes():
    rgb = decode(png(1, 1, 8, 2, b'\0\x0a\x14\x1e'), 'GRAY')
    assert rgb.tolist() == [[[18]]]
    assert decode(png(1, 1, 8, 2, b'\0\xb7\x77\x2e'), 'GRAY').tolist() == [[[129]]]  # libpng rounds down (129.8)
    keyed = png(2, 1, 8, 0, b'\0\x05\x06', extra=chunk(b'tRNS', b'\0\x05'))
    assert decode(keyed).tolist() == [[[5, 6]]] and decode(keyed, 'GRAY_ALPHA').tolist() == [[[5, 6]], [[0, 255]]]
    colors = png(3, 1, 2, 3, b'\0\x18', extra=chunk(b'PLTE', bytes(range(9))) + chunk(b'tRNS', b'\x80'))
    assert decode(colors, 'RGB').tolist() == [[[0, 3, 6]], [[1, 4, 7]], [[2, 5, 8]]]
    assert decode(colors)[3].tolist() == [[128, 255, 255]]
    assert decode(png(1, 1, 8, 0, b'\0\x0a'), 'RGB_ALPHA').tolist() == [[[10]], [[10]], [[10]], [[255]]]
    assert decode(png(1, 1, 8, 6, b'\0\1\2\3\4'), 'RGB').tolist() == [[[1]], [[2]], [[3]]]


def test_ppm(tmp_path):
    assert decode(b'P6 # a comment\n2 1 255\n' + bytes(range(6))).tolist() == [[[0, 3]], [[1, 4]], [[2, 5]]]
    assert decode(b'P2\n2 1\n255\n7 9\n').tolist() == [[[7, 9]]]
    utils.save_image(corten.ones(3, 2, 2), tmp_path / 'x.ppm')
    assert vio.read_image(tmp_path / 'x.ppm').tolist() == corten.full((3, 2, 2), 255).tolist()


def test_jpeg(tmp_path):
    ramp = corten.linspace(0, 255, 64).round().to(corten.uint8).expand(3, 32, 64).contiguous()
    try:
        data = vio.encode_jpeg(ramp, quality=95)
    except RuntimeError as error:
        assert 'libjpeg-turbo' in str(error)
        pytest.skip('no libjpeg')
    got = vio.decode_jpeg(data)
    assert got.shape == ramp.shape and (got.to(corten.int32) - ramp.to(corten.int32)).abs().max() <= 4
    gray = vio.decode_jpeg(data, vio.ImageReadMode.GRAY)  # the luminance channel stored in the file
    assert gray.shape == (1, 32, 64) and (gray.int() - ramp[:1].int()).abs().max() <= 2
    for n in range(0, data.numel(), 7):
        try:
            vio.decode_jpeg(data[:n])
        except RuntimeError:
            pass
    with pytest.raises(RuntimeError, match='quality'):
        vio.encode_jpeg(ramp, quality=101)


def test_damaged_pictures():
    good = bytes(vio.encode_png(picture(3, 8, 9)).tolist())
    for n in range(1, len(good)):
        with pytest.raises(RuntimeError):
            decode(good[:n])
    rng = random.Random(1)
    for _ in range(500):
        broken = bytearray(good)
        broken[rng.randrange(len(good))] ^= 1 << rng.randrange(8)
        try:
            decode(bytes(broken))
        except RuntimeError:
            pass
    with pytest.raises(RuntimeError, match='PNG'):  # 16 GB of pixels in 70 bytes
        decode(png(65535, 65535, 8, 6, b'\0'))
    with pytest.raises(RuntimeError, match='Unsupported image file'):
        decode(b'BM......')


# ---- grids ----

def test_make_grid():
    grid = utils.make_grid(corten.arange(5.).view(5, 1, 1, 1).expand(5, 3, 2, 2), nrow=2, padding=1)
    assert grid.shape == (3, 10, 7)
    assert grid[0, 1].tolist() == [0, 0, 0, 0, 1, 1, 0] and grid[2, 8].tolist() == [0, 4, 4, 0, 0, 0, 0]
    assert utils.make_grid([corten.ones(1, 2, 2)] * 3).shape == (3, 6, 14)
    assert utils.make_grid(corten.tensor([[-1., 3.]]), normalize=True).tolist() == [[[0, 1]]] * 3
    with pytest.raises(TypeError, match='tensor or list of tensors expected'):
        utils.make_grid(3)


def test_save_image(tmp_path):
    utils.save_image(corten.tensor([[[0., 0.5, 1., 2., -1.]]]), tmp_path / 'x.png')
    assert vio.read_image(tmp_path / 'x.png').tolist() == [[[0, 128, 255, 255, 0]]] * 3
    buffer = io.BytesIO()
    utils.save_image(corten.ones(3, 1, 1), buffer, format='png')
    assert decode(buffer.getvalue()).tolist() == [[[255]]] * 3


def test_boxes():
    drawn = utils.draw_bounding_boxes(corten.zeros(3, 6, 6, dtype=corten.uint8), corten.tensor([[1, 1, 4, 4]]), colors='red')
    assert drawn[0].tolist() == [[0] * 6, [0, 255, 255, 255, 255, 0], [0, 255, 0, 0, 255, 0], [0, 255, 0, 0, 255, 0],
                                 [0, 255, 255, 255, 255, 0], [0] * 6] and drawn[1:].sum() == 0


# ---- data sets ----

def idx(array, zipped=False):
    head = struct.pack('>HBB', 0, 8, array.ndim) + struct.pack(f'>{array.ndim}I', *array.shape)
    data = head + array.tobytes()
    return gzip.compress(data) if zipped else data


@pytest.mark.parametrize('zipped', [False, True])
def test_mnist(tmp_path, zipped):
    numpy = pytest.importorskip('numpy')
    raw = tmp_path / 'MNIST' / 'raw'
    raw.mkdir(parents=True)
    pictures = numpy.arange(2 * 28 * 28, dtype=numpy.uint8).reshape(2, 28, 28)
    for part in ('train', 't10k'):
        for name, array in ((f'{part}-images-idx3-ubyte', pictures), (f'{part}-labels-idx1-ubyte', numpy.array([3, 7], 'uint8'))):
            (raw / (name + '.gz' * zipped)).write_bytes(idx(array, zipped))
    mnist = datasets.MNIST(tmp_path, transform=transforms.ToTensor())
    assert len(mnist) == 2 and mnist.targets.tolist() == [3, 7] and (mnist.data.numpy() == pictures).all()
    x, label = mnist[1]
    assert x.shape == (1, 28, 28) and x.max() <= 1 and label == 7 and mnist.train_data is mnist.data
    assert 'Split: Train' in repr(mnist) and mnist.class_to_idx['3 - three'] == 3
    with pytest.raises(RuntimeError, match='Dataset not found. You can use download=True'):
        datasets.FashionMNIST(tmp_path)


def test_cifar(tmp_path, monkeypatch):
    numpy = pytest.importorskip('numpy')
    for cls, label in ((datasets.CIFAR10, 'labels'), (datasets.CIFAR100, 'fine_labels')):
        folder = tmp_path / cls.base_folder
        folder.mkdir()
        for name, _ in cls.train_list + cls.test_list:
            data = numpy.arange(2 * 3072, dtype=numpy.uint8).reshape(2, 3072)
            (folder / name).write_bytes(pickle.dumps({'data': data, label: [1, 2]}, protocol=2))
        (folder / cls.meta['filename']).write_bytes(pickle.dumps({cls.meta['key']: ['a', 'b', 'c']}, protocol=2))
        with pytest.raises(RuntimeError, match='Dataset not found or corrupted'):
            cls(tmp_path)
        monkeypatch.setattr(cls, 'train_list', [[n, None] for n, _ in cls.train_list])
        monkeypatch.setattr(cls, 'test_list', [[n, None] for n, _ in cls.test_list])
        monkeypatch.setattr(cls, 'meta', dict(cls.meta, md5=None))
        got = cls(str(tmp_path))
        assert got.data.shape == (2 * len(cls.train_list), 32, 32, 3) and got.data[0, 0, 1].tolist() == [1, 1, 1]
        assert got.targets[:2] == [1, 2] and got.classes == ['a', 'b', 'c'] and got.class_to_idx['b'] == 1
        assert len(cls(tmp_path, train=False)) == 2
    (folder / 'train').write_bytes(pickle.dumps(print, protocol=2))
    with pytest.raises(pickle.UnpicklingError, match='print'):
        datasets.CIFAR100(tmp_path)


def test_download(tmp_path):
    """Downloads over HTTP: resuming, checksums, and a clear error without a network."""
    import hashlib
    import http.server
    import threading
    data = bytes(range(256)) * 300
    seen = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path.startswith('/hop'):
                left = int(self.path[4:])
                self.send_response(302)
                self.send_header('Location', f'/hop{left - 1}' if left > 1 else '/f')
                self.end_headers()
                return
            start = int((self.headers.get('Range') or 'bytes=0-')[6:-1])
            seen.append(start)
            self.send_response(206 if start else 200)
            self.send_header('Content-Length', str(len(data) - start))
            self.end_headers()
            self.wfile.write(data[start:])

        def log_message(self, *args):
            pass
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f'http://127.0.0.1:{server.server_port}/'
    from corten.vision.datasets.utils import download_from, download_url
    (tmp_path / 'f.part').write_bytes(data[:1000])
    md5 = hashlib.md5(data).hexdigest()
    download_url(url + 'f', tmp_path, 'f', md5)
    assert (tmp_path / 'f').read_bytes() == data and seen == [1000]
    download_url(url + 'f', tmp_path, 'f', md5)
    assert seen == [1000]
    with pytest.raises(RuntimeError, match='File not found or corrupted'):
        download_url(url + 'g', tmp_path, 'g', '0' * 32)
    download_url(url + 'hop3', tmp_path, 'i', md5)
    with pytest.raises(RecursionError, match='exceeded 3 redirects. The last redirect points to .*/f'):
        download_url(url + 'hop4', tmp_path, 'j', md5)
    download_url(url + 'hop4', tmp_path, 'j', md5, max_redirect_hops=4)
    server.shutdown()
    server.server_close()
    with pytest.raises(RuntimeError, match='(?s)Error downloading h:\nTried .*put the file into'):
        download_from([url], tmp_path, 'h', None)


def test_folders(tmp_path):
    pytest.importorskip('numpy')
    for name in ('cat', 'dog'):
        (tmp_path / name).mkdir()
        vio.write_png(corten.full((3, 2, 2), 10 if name == 'cat' else 20).to(corten.uint8), tmp_path / name / '1.png')
    found = datasets.ImageFolder(tmp_path, transform=transforms.ToTensor())
    assert found.classes == ['cat', 'dog'] and found.targets == [0, 1] and len(found.imgs) == 2
    x, label = found[1]
    assert label == 1 and x.tolist() == corten.full((3, 2, 2), 20 / 255).tolist()
    with pytest.raises(FileNotFoundError, match="Couldn't find any class folder"):
        datasets.ImageFolder(tmp_path / 'cat')


def test_fake():
    fake = datasets.FakeData(4, (3, 8, 8), transform=transforms.ToTensor())
    state = corten.get_rng_state()
    x, label = fake[2]
    assert x.shape == (3, 8, 8) and 0 <= label < 10 and corten.equal(corten.get_rng_state(), state)
    assert corten.equal(fake[2][0], x)


# ---- transforms ----

def test_to_tensor_and_normalize():
    numpy = pytest.importorskip('numpy')
    x = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5,) * 3, (0.5,) * 3)])(
        numpy.array([[[0, 255, 51]]], dtype='uint8'))
    assert x.tolist() == [[[-1]], [[1]], [[corten.tensor(0.2).item() * 2 - 1]]] or corten.allclose(
        x.flatten(), corten.tensor([-1., 1., -0.6]))
    assert repr(transforms.Compose([transforms.ToTensor()])) == 'Compose(\n    ToTensor()\n)'


def test_places():
    x = corten.arange(12).view(1, 3, 4)
    assert F.hflip(x)[0, 0].tolist() == [3, 2, 1, 0] and F.vflip(x)[0, :, 0].tolist() == [8, 4, 0]
    assert F.crop(x, 1, 1, 1, 2).tolist() == [[[5, 6]]] and F.crop(x, -1, -1, 2, 2).tolist() == [[[0, 0], [0, 0]]]
    assert F.center_crop(x, 2).tolist() == [[[1, 2], [5, 6]]] and F.center_crop(x, 5).shape == (1, 5, 5)
    assert F.pad(x, [1, 0], fill=9).shape == (1, 3, 6) and F.pad(x, 1, padding_mode='reflect')[0, 0].tolist() == [5, 4, 5, 6, 7, 6]
    assert F.pad(x, 1, padding_mode='edge')[0, 0].tolist() == [0, 0, 1, 2, 3, 3]
    assert F.pad(x, 2, padding_mode='symmetric')[0, 2].tolist() == [1, 0, 0, 1, 2, 3, 3, 2]
    assert len(F.ten_crop(x, 2)) == 10 and F.rotate(x, 180).tolist() == corten.rot90(x, 2, (1, 2)).tolist()
    assert F.rotate(x, 90, expand=True)[0, :, 0].tolist() == [0, 2, 2, 0, 0]  # as in torchvision
    assert F.affine(x, 0, [1, 0], 1.0, 0).tolist() == [[[0, 0, 1, 2], [0, 4, 5, 6], [0, 8, 9, 10]]]


def test_values():
    x = corten.tensor([[[100]], [[200]], [[50]]], dtype=corten.uint8)
    assert F.adjust_brightness(x, 2).flatten().tolist() == [200, 255, 100]
    assert F.rgb_to_grayscale(x).item() == 152 and F.invert(x).flatten().tolist() == [155, 55, 205]
    assert F.posterize(x, 1).flatten().tolist() == [0, 128, 0] and F.solarize(x, 100).flatten().tolist() == [155, 55, 50]
    hue = F.adjust_hue(x.float() / 255, 1 / 3)
    assert corten.allclose(hue.flatten() * 255, corten.tensor([50., 100., 200.]), atol=1e-3)
    assert F.adjust_saturation(x, 0).unique().tolist() == [152]
    assert F.convert_image_dtype(x, corten.float32)[0].item() == corten.tensor(100 / 255).item()
    assert F.erase(x, 0, 0, 1, 1, 7).unique().tolist() == [7]
    even = F.gaussian_blur(corten.full((1, 5, 5), 80, dtype=corten.uint8), 3)
    assert even.unique().tolist() == [80]


def test_random_transforms():
    """Random positions and factors are the same as torchvision's for the same seed."""
    x = corten.arange(64).view(1, 8, 8)
    corten.manual_seed(0)
    i, j = corten.randint(0, 5, (1,)).item(), corten.randint(0, 5, (1,)).item()
    corten.manual_seed(0)
    assert transforms.RandomCrop(4)(x).tolist() == x[:, i:i + 4, j:j + 4].tolist()
    corten.manual_seed(0)
    flips = [bool((transforms.RandomHorizontalFlip()(x) != x).any()) for _ in range(8)]
    corten.manual_seed(0)
    assert flips == [corten.rand(1).item() < 0.5 for _ in range(8)]
    for t in (transforms.ColorJitter(0.2, 0.2, 0.2, 0.1), transforms.RandomErasing(p=1), transforms.RandomRotation(20),
              transforms.RandomAffine(10, (0.1, 0.1), (0.9, 1.1), 5), transforms.RandomPerspective(p=1),
              transforms.RandomGrayscale(p=1), transforms.GaussianBlur(3), transforms.RandomApply([transforms.CenterCrop(16)], p=1)):
        assert t(corten.rand(3, 16, 16)).shape == (3, 16, 16)
    for t in (transforms.Resize(4), transforms.RandomResizedCrop(4)):
        if not hasattr(corten.nn.functional, 'interpolate'):
            break
        assert t(corten.rand(3, 16, 16)).shape == (3, 4, 4)
    with pytest.raises(ValueError, match='larger than input image size'):
        transforms.RandomCrop(9)(x)


def test_boxes_and_overlaps():
    from corten.vision import ops
    boxes = corten.tensor([[0., 0., 2., 2.], [1., 1., 3., 3.], [0., 0., 2., 1.9], [5., 5., 6., 6.]])
    assert ops.box_area(boxes)[0] == 4 and ops.box_iou(boxes, boxes)[0, 1].item() == pytest.approx(1 / 7)
    assert ops.nms(boxes, corten.tensor([0.5, 0.9, 0.8, 0.1]), 0.5).tolist() == [1, 2, 3]
    assert ops.batched_nms(boxes, corten.tensor([4., 3., 2., 1.]), corten.tensor([0, 0, 1, 0]), 0.1).tolist() == [0, 2, 3]
    assert ops.box_convert(corten.tensor([[1., 2., 3., 4.]]), 'xywh', 'cxcywh').tolist() == [[2.5, 4., 3., 4.]]
    assert ops.clip_boxes_to_image(boxes * 2, (3, 5))[1].tolist() == [2, 2, 5, 3]
    assert ops.generalized_box_iou(boxes[:1], boxes[3:]).item() == pytest.approx(-31 / 36)


def test_second_names():
    v2 = transforms.v2 if hasattr(transforms, 'v2') else __import__('corten.vision.transforms.v2', fromlist=['v2'])
    numpy = pytest.importorskip('numpy')
    x = v2.Compose([v2.ToImage(), v2.ToDtype(corten.float32, scale=True)])(numpy.full((2, 2, 3), 255, 'uint8'))
    assert x.shape == (3, 2, 2) and x.unique().tolist() == [1]


FACTS = recorded.read('python/transform')


def inputs():
    corten.manual_seed(0)
    return {'bytes': corten.randint(0, 256, (3, 9, 12)).to(corten.uint8), 'floats': corten.rand(3, 9, 12)}


@pytest.mark.parametrize('name', FACTS)
def test_as_torchvision(name):
    """Compares with images recorded from torchvision 0.29 (cases/transform_cases.py)."""
    kind, call = name.split(' ', 1)
    if 'resize' in call.lower() and not hasattr(corten.nn.functional, 'interpolate'):
        pytest.skip('no interpolation')
    x = inputs()[kind]
    corten.manual_seed(1)
    got = CALLS[call](F, transforms, transforms.InterpolationMode, x)
    limit = 1.01 if 'resize' in call.lower() and kind == 'bytes' else 2e-5
    assert list(got.shape) == FACTS[name]['shape']
    assert got.double().flatten()[::7].tolist() == pytest.approx(FACTS[name]['values'], abs=limit)


def test_lists_of_models():
    import corten.vision.models as models
    assert models.list_models(models) == models.list_models() and models.list_models(datasets) == []
    assert models.list_models(include='vit_*', exclude=['*_h_*', 'vit_l*']) == ['vit_b_16', 'vit_b_32']


def test_weights_pass_on_what_they_are_given(monkeypatch):
    import corten.hub
    import corten.vision.models as models
    monkeypatch.setattr(corten.hub, 'load_state_dict_from_url', lambda url, *args, **kwargs: (url[-4:], args, kwargs))
    weights = models.ResNet18_Weights.DEFAULT
    assert weights.get_state_dict('folder', progress=False, file_name='x') == ('.pth', ('folder',), {'progress': False, 'file_name': 'x'})


def test_second_functional():
    from corten.vision.transforms.v2 import functional as F2
    x = picture(3, 4, 6)
    assert corten.equal(F2.resize(inpt=x, size=[2, 2]), F.resize(x, [2, 2])) and corten.equal(F2.resize_image(image=x, size=[2, 2]), F.resize(x, [2, 2]))
    assert F2.InterpolationMode is F.InterpolationMode and str(inspect.signature(F2.hflip)) == '(inpt)'
    assert corten.equal(F2.horizontal_flip(x), x.flip(-1)) and corten.equal(F2.vertical_flip_image(x), x.flip(-2))
    with pytest.raises(TypeError):
        F2.hflip(x, inpt=x)
    assert F2.get_size(x) == [4, 6] and F2.get_num_channels(x) == 3 and F2.to_image(x) is x
    assert F2.to_dtype(x).dtype == corten.float32 and F2.to_dtype(x).max() > 1 and F2.to_dtype(x, scale=True).max() <= 1
    assert corten.equal(F2.permute_channels(x, [2, 0, 1])[0], x[2])
    assert F2.grayscale_to_rgb(x) is x and corten.equal(F2.grayscale_to_rgb(x[:1])[2], x[0])
    assert F2.grayscale_to_rgb(x[:1].expand(2, 1, 4, 6)).shape == (2, 3, 4, 6)
    corten.manual_seed(0)
    noisy, plain = F2.gaussian_noise(corten.full((3, 9, 9), 0.5)), corten.full((3, 9, 9), 128, dtype=corten.uint8)
    assert 0.05 < noisy.std() < 0.2 and F2.gaussian_noise(plain, sigma=9.).max() == 255
    with pytest.raises(ValueError, match="sigma shouldn't be negative"):
        F2.gaussian_noise(noisy, sigma=-1.)
    assert F2.jpeg(plain.expand(2, 3, 9, 9), 90).shape == (2, 3, 9, 9)
    with pytest.raises(ValueError, match='Length of permutation does not match number of channels: 2 != 3'):
        F2.permute_channels(x, [0, 1])
    with pytest.raises(TypeError, match='Input can either be a pure Tensor'):
        F2.to_image('x')


def test_defaults_of_the_second_names():
    from corten.vision.transforms import v2
    x = picture(3, 4, 6)
    assert v2.ConvertImageDtype()(x).dtype == corten.float32 and corten.equal(v2.ColorJitter(hue=None)(x), x)
    assert v2.ColorJitter(0.5).brightness == transforms.ColorJitter(0.5).brightness
