# SPDX-License-Identifier: BSD-3-Clause
"""An installed torchvision runs on Corten: its Python code, with Corten's operators instead of its compiled parts.

The first tests use a small package with torchvision's structure; the others need torchvision itself.
"""
import importlib.util
import os
import subprocess
import sys

import pytest

INSTALLED = importlib.util.find_spec('torchvision') is not None
needs_torchvision = pytest.mark.skipif(not INSTALLED, reason='torchvision is not installed')
FAKE = {
    '__init__.py': '''
        import torch
        from . import extension
        from torchvision import _autograd_registrations, _meta_registrations, models, ops
        __version__ = "0.0.1"
        ''',
    'extension.py': 'raise OSError("compiled for PyTorch")',
    '_meta_registrations.py': 'raise OSError("compiled for PyTorch")',
    '_autograd_registrations.py': 'raise OSError("compiled for PyTorch")',
    'models.py': '''
        import torch
        class Net(torch.nn.Linear):
            pass
        ''',
    'ops/__init__.py': '''
        import torch
        from ..extension import _assert_has_ops, _has_ops
        from ._register_onnx_ops import _register_custom_op
        _register_custom_op()
        def nms(boxes, scores, iou_threshold):
            _assert_has_ops()
            return torch.ops.torchvision.nms(boxes, scores, iou_threshold)
        ''',
    'ops/_register_onnx_ops.py': 'raise OSError("needs torch.onnx")',
}


def run(code, *folders):
    env = {**os.environ, 'PYTHONPATH': os.pathsep.join([*map(str, folders), os.environ.get('PYTHONPATH', '')])}
    return subprocess.run([sys.executable, '-m', 'corten', '-c', code], capture_output=True, text=True, env=env)


@pytest.fixture
def fake(tmp_path):
    import textwrap
    for name, text in FAKE.items():
        path = tmp_path / 'site' / 'torchvision' / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    about = tmp_path / 'site' / 'torchvision-0.0.1.dist-info' / 'METADATA'
    about.parent.mkdir()
    about.write_text('Metadata-Version: 2.1\nName: torchvision\nVersion: 0.0.1\n')
    return tmp_path / 'site'


def test_an_installed_package_answers(fake):
    got = run('''
import torch, torchvision, importlib.metadata, importlib.util, sys
from torchvision import extension
from torchvision.models import Net
print(torchvision.__version__, importlib.metadata.version("torchvision"), torchvision.__file__)
print(extension._has_ops(), extension._load_library("_C_stable"), extension._load_library("video_reader"), extension.__name__)
print(torchvision.ops.nms(torch.tensor([[0., 0, 2, 2], [0, 0, 2, 2]]), torch.tensor([0.1, 0.2]), 0.5), Net(1, 1))
print(importlib.util.find_spec("torchvision.datasets"), importlib.util.find_spec("torchvision.models").origin)
import corten.vision.datasets
print(corten.vision.datasets.FakeData.__module__)
''', fake)
    assert got.stderr == ''
    assert got.stdout.splitlines() == [
        f'0.0.1 0.0.1 {fake}/torchvision/__init__.py', 'True True False corten.vision._extension',
        'tensor([1]) Net(in_features=1, out_features=1, bias=True)', f'None {fake}/torchvision/models.py',
        'corten.vision.datasets.fakedata']


def test_files_name_its_classes(fake, tmp_path):
    """A pickled module refers to its class by torchvision's name and can be loaded again."""
    code = f'''
import torch
from torchvision.models import Net
torch.save(Net(2, 2), {str(tmp_path / "net.pt")!r})
print(type(torch.load({str(tmp_path / "net.pt")!r}, weights_only=False)) is Net)
'''
    got = run(code, fake)
    assert (got.stdout, got.stderr) == ('True\n', '')


def test_without_a_package_ours_answers(tmp_path):
    if INSTALLED:
        pytest.skip('torchvision is installed')
    (tmp_path / 'torchvision').mkdir()  # an unrelated folder of that name
    got = run('import torchvision, importlib.metadata as m; print(torchvision.__file__, m.version("torchvision"))', tmp_path)
    assert got.stderr == '' and 'corten/vision/__init__.py 0.29' in got.stdout


def test_names_that_only_the_package_has():
    """They can be imported; using one raises an error that names the package."""
    import corten.vision
    from corten.vision import datasets, models, transforms
    from corten.vision.transforms import v2
    message = r'is not available in Corten: install the torchvision package \(pip install --no-deps torchvision numpy pillow\), whose Python code'
    for use in (lambda: models.efficientnet_b0(weights=None), lambda: models.EfficientNet_B0_Weights.DEFAULT,
                lambda: models.detection.fasterrcnn_resnet50_fpn(), lambda: datasets.CelebA('folder'), lambda: v2.MixUp(),
                lambda: transforms.RandAugment(), lambda: corten.vision.ops.FeaturePyramidNetwork([1], 2),
                lambda: v2.functional.resize_bounding_boxes(1, 2), lambda: corten.vision.tv_tensors.Image([1])):
        with pytest.raises(NotImplementedError, match=message):
            use()
    assert not isinstance(corten.ones(1), corten.vision.tv_tensors.Image)
    assert models.ConvNeXt is models.ConvNeXt and models.ConvNeXt.__module__ == 'torchvision.models'
    for module in (models, datasets, v2, corten.vision):
        with pytest.raises(AttributeError, match="has no attribute 'NoSuchName'"):
            module.NoSuchName


def test_modules_that_only_the_package_has():
    if INSTALLED:
        pytest.skip('torchvision is installed')
    got = run('''
import importlib.util
print(importlib.util.find_spec("torchvision.models.nothing"))
from torchvision.models.detection import MaskRCNN
from torchvision.models.detection.faster_rcnn import FastRCNNPredictor
''')
    assert got.stdout == 'None\n'
    assert "No module named 'torchvision.models.detection.faster_rcnn': install the torchvision package" in got.stderr


SAME = '''
import torch, torchvision
from torchvision import models, ops
torch.manual_seed(0)
assert len(models.list_models()) > 110
for name in ("efficientnet_b0", "convnext_tiny", "swin_t", "googlenet"):
    net = models.get_model(name, weights=None, **({"init_weights": False} if name == "googlenet" else {})).eval()
    with torch.no_grad():
        assert net(torch.randn(2, 3, 64, 64)).shape == (2, 1000), name
net = models.detection.fasterrcnn_mobilenet_v3_large_320_fpn(weights=None, weights_backbone=None, min_size=64, max_size=96)
target = {"boxes": torch.tensor([[10., 10, 50, 60]]), "labels": torch.tensor([1])}
losses = net([torch.rand(3, 64, 96)], [target])
sum(losses.values()).backward()
assert all(p.grad is not None for p in net.roi_heads.parameters())
net.eval()([torch.rand(3, 64, 96)])
'''


@needs_torchvision
def test_networks_of_the_package():
    got = run(SAME)
    assert (got.stdout, got.stderr) == ('', '')


@needs_torchvision
def test_transforms_of_the_package(tmp_path):
    pytest.importorskip('PIL')
    got = run(f'''
import torch, torchvision
from PIL import Image
from torchvision import datasets, io, transforms as v1, tv_tensors
from torchvision.transforms import v2
torch.manual_seed(0)
image = tv_tensors.Image(torch.randint(0, 256, (3, 40, 50), dtype=torch.uint8))
boxes = tv_tensors.BoundingBoxes([[5, 5, 20, 30]], format="XYXY", canvas_size=(40, 50))
turned, moved = v2.RandomHorizontalFlip(p=1)(image, boxes)
assert type(turned) is tv_tensors.Image and torch.equal(turned, image.flip(-1)) and moved.tolist() == [[30, 5, 45, 30]]
assert torch.equal(v1.RandomHorizontalFlip(p=1)(image), turned)
for change in (v1.RandAugment(), v2.AugMix(), v2.TrivialAugmentWide(), v2.ElasticTransform(), v1.ColorJitter(0.3, 0.3, 0.3, 0.3)):
    assert change(image).shape == (3, 40, 50)
mixed, labels = v2.MixUp(num_classes=4)(torch.rand(2, 3, 4, 4), torch.tensor([1, 3]))
assert mixed.shape == (2, 3, 4, 4) and labels.sum() == 2
import warnings
warnings.simplefilter("ignore")
for kind in ("cat", "dog"):
    import os
    os.makedirs(os.path.join({str(tmp_path)!r}, kind))
    io.write_png(image, os.path.join({str(tmp_path)!r}, kind, "x.png"))
found = datasets.ImageFolder({str(tmp_path)!r}, transform=v1.PILToTensor())
assert found.classes == ["cat", "dog"] and torch.equal(found[1][0], image)
assert torch.equal(io.decode_image(os.path.join({str(tmp_path)!r}, "cat", "x.png")), image)
''')
    assert (got.stdout, got.stderr) == ('', '')
