# SPDX-License-Identifier: BSD-3-Clause
"""Interfaces other than tensors that third-party PyTorch libraries rely on. The tests do not need these libraries to be installed."""
import abc
import enum
import pickle
import subprocess
import sys
import typing

import pytest

import corten
from corten import nn


def under_torch(code):
    got = subprocess.run([sys.executable, "-m", "corten", "-c", code], capture_output=True, text=True)
    assert got.returncode == 0, got.stderr
    return got.stdout.strip().split("\n")


def test_metadata_knows_the_borrowed_names():
    lines = under_torch("""
import importlib.metadata as m, importlib.util, torch, torchvision
print(m.version("torch") == str(torch.__version__), m.version("torchvision") == torchvision.__version__)
print(m.distribution("torch").metadata["Name"], "torch" in {d.metadata["Name"] for d in m.distributions()})
print(m.packages_distributions()["torch"], importlib.util.find_spec("torch") is not None, importlib.util.find_spec("torch_xla"))
try:
    m.version("nothing-of-that-name")
except m.PackageNotFoundError as e:
    print(e.name)
""")
    assert lines == ["True True", "torch True", "['torch'] True None", "nothing-of-that-name"]


@pytest.mark.parametrize("name", [
    "torch._dynamo.eval_frame", "torch._inductor.config", "torch._subclasses.fake_tensor", "torch.distributed.nn.functional",
    "torch.distributed.tensor", "torch.distributed.device_mesh", "torch.export", "torch.futures", "torch.fx.experimental.symbolic_shapes",
    "torch.jit.annotations", "torch.library", "torch.masked", "torch.nn.parallel.distributed", "torch.utils._python_dispatch",
    "torch.utils.cpp_extension", "torch.utils.flop_counter", "torch._higher_order_ops.associative_scan", "torchvision.ops.misc",
    "torchvision.ops.boxes", "torchvision.transforms._presets"])
def test_modules_are_there(name):
    assert under_torch(f"import sys, {name}; print('{name}' in sys.modules)") == ["True"]


# ---- modules ----

def test_a_module_may_be_generic():
    T = typing.TypeVar("T")

    class Base(abc.ABC, nn.Module, typing.Generic[T]):
        pass

    class Of(Base[int]):
        pass
    assert Base.__parameters__ == (T,) and list(Of().parameters()) == []

    class Told:
        def __init_subclass__(cls, word="none", **kwargs):
            super().__init_subclass__(**kwargs)
            cls.word = word

    class Net(nn.Module, Told, word="yes"):
        pass
    assert Net.word == "yes"
    with pytest.raises(TypeError, match="takes no keyword arguments"):
        class Wrong(nn.Module, word="no"):
            pass


def test_object_setattr_goes_past_a_module():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            object.__setattr__(self, "hidden", nn.Linear(1, 1))
            self.seen = nn.Linear(1, 1)
    net = Net()
    assert [name for name, _ in net.named_modules()] == ["", "seen"] and isinstance(net.hidden, nn.Linear)
    object.__delattr__(net, "hidden")
    assert not hasattr(net, "hidden")
    nn.Module.__setattr__(net, "other", nn.Linear(1, 1))
    nn.Module.__delattr__(net, "seen")
    assert [name for name, _ in net.named_children()] == ["other"]
    with pytest.raises(TypeError, match="attribute name must be string, not 'int'"):
        nn.Module.__setattr__(net, 1, 2)


def test_a_tensor_behind_another_base_has_its_dict():
    class Marked:
        def __init__(self):
            self.mark = 1

    class Both(Marked, corten.Tensor):
        @staticmethod
        def __new__(cls, x):
            return x.as_subclass(cls)

        def __init__(self, x):
            super().__init__()
    x = Both(corten.ones(2))
    assert x.__dict__ == {"mark": 1}
    x.__dict__["more"] = 2
    assert x.more == 2 and type(x + 1) is Both


# ---- devices and types that exist only as names ----

def test_kinds_of_devices_that_are_only_named():
    mps = corten.device("mps")
    assert (str(mps), mps.type, mps.index, repr(mps)) == ("mps", "mps", None, "device(type='mps')")
    assert mps == corten.device("mps") != corten.device("cpu") and corten.device(mps) == mps
    assert str(corten.device("xpu", 1)) == "xpu:1" == str(corten.device("xpu:1")) and corten.device("xpu:1").index == 1
    assert pickle.loads(pickle.dumps(mps)) == mps and len({mps, corten.device("mps"), corten.device("cpu")}) == 2
    for use in (lambda: corten.ones(2, device=mps), lambda: corten.ones(2).to(mps), lambda: nn.Linear(1, 1, device=mps),
                lambda: corten.set_default_device(mps), mps.__enter__):
        with pytest.raises(RuntimeError, match="Corten has no backend for devices of type mps"):
            use()
    with pytest.raises(RuntimeError, match="Invalid device string: 'mps:x'"):
        corten.device("mps:x")


@pytest.mark.parametrize("name, least, greatest, eps, tiny", [
    ("float8_e4m3fn", -448, 448, 0.125, 2**-6), ("float8_e5m2", -57344, 57344, 0.25, 2**-14),
    ("float8_e4m3fnuz", -240, 240, 0.125, 2**-7), ("float8_e5m2fnuz", -57344, 57344, 0.25, 2**-15),
    ("float8_e8m0fnu", 2**-127, 2**127, 1, 2**-127)])
def test_limits_of_float8(name, least, greatest, eps, tiny):
    info = corten.finfo(getattr(corten, name))
    assert (info.min, info.max, info.eps, info.tiny, info.bits, info.dtype) == (least, greatest, eps, tiny, 8, name)
    assert info == corten.finfo(getattr(corten, name)) != corten.finfo(corten.float32)
    with pytest.raises(TypeError, match="requires a floating point input type"):
        corten.finfo(corten.qint8)


def test_finfo_as_before():
    assert repr(corten.finfo(corten.float8_e4m3fn)) == ("finfo(resolution=1, min=-448, max=448, eps=0.125, smallest_normal=0.015625, "
                                                        "tiny=0.015625, dtype=float8_e4m3fn)")
    assert corten.finfo(corten.bfloat16).bits == 16 and corten.finfo().dtype == "float32"


# ---- lists of tensors ----

def test_foreach():
    def lists():
        return [corten.tensor([1., -2.]), corten.tensor([[3.]])], [corten.tensor([2., 2.]), corten.tensor([[4.]])]
    a, b = lists()

    def check(got, want):
        assert [x.tolist() for x in got] == want
    check(corten._foreach_add(a, b, alpha=2), [[5, 2], [[11]]])
    check(corten._foreach_mul(a, [2., 3.]), [[2, -4], [[9]]])
    check(corten._foreach_sub(a, 1.), [[0, -3], [[2]]])
    check(corten._foreach_div(a, corten.tensor(2.)), [[.5, -1], [[1.5]]])
    check(corten._foreach_maximum(a, b), [[2, 2], [[4]]])
    check(corten._foreach_minimum(a, 0.), [[0, -2], [[0]]])
    check(corten._foreach_pow(2., [corten.tensor([3.])]), [[8]])
    check(corten._foreach_addcdiv(a, a, b, value=2), [[2, -4], [[4.5]]])
    check(corten._foreach_addcmul(a, a, b, corten.tensor([1., 0.])), [[3, -6], [[3]]])
    check(corten._foreach_lerp(a, b, .5), [[1.5, 0], [[3.5]]])
    check(corten._foreach_norm(b), [pytest.approx(8 ** .5), 4])
    check(corten._foreach_neg(a), [[-1, 2], [[-3]]])
    first = a[0]
    assert corten._foreach_add_(a, 1.) is a and first.tolist() == [2, -1]
    corten._foreach_copy_(a, b)
    corten._foreach_sqrt_(a)
    corten._foreach_zero_(b)
    check(a, [pytest.approx([2 ** .5] * 2), [[2]]])
    check(b, [[0, 0], [[0]]])
    with pytest.raises(RuntimeError, match="Tensor lists must have the same number of tensors, got 2 and 1"):
        corten._foreach_add(a, b[:1])
    with pytest.raises(RuntimeError, match="Tensor list must have same number of elements as scalar list."):
        corten._foreach_add(a, [1.])
    with pytest.raises(RuntimeError, match="Tensor list must have at least one tensor."):
        corten._foreach_abs([])
    with pytest.raises(AttributeError):
        corten._foreach_nothing


# ---- operations by name, and custom operations ----

def test_ops_by_name():
    ops, x = corten.ops, corten.arange(6.).reshape(2, 3)
    assert ops.aten.add.Tensor(x, x).equal(x + x) and ops.aten.mm(x, x.T).equal(x @ x.T)
    assert ops.aten.slice.Tensor(x, 1, 0, 2).equal(x[:, :2]) and str(ops.aten.add) == "aten.add"
    assert ops.aten.index.Tensor(x, [None, corten.tensor([0])]).equal(x[:, :1])
    assert "Scalar" in ops.aten._foreach_maximum_.overloads()
    assert not hasattr(ops.aten, "nothing_of_that_name") and not hasattr(ops.someone, "something")
    with pytest.raises(RuntimeError, match="Tried to instantiate class 'a.B', but it does not exist!"):
        corten.classes.a.B


def test_operations_of_a_program():
    library = corten.library

    @library.custom_op("tests::scaled", mutates_args=())
    def scaled(x: corten.Tensor, by: float = 2.0) -> corten.Tensor:
        """Doc."""
        return corten.from_numpy(x.detach().numpy() * by)

    @scaled.register_fake
    def _(x, by=2.0):
        return corten.empty_like(x)

    x = corten.ones(3, requires_grad=True)
    assert scaled(x.detach()).tolist() == [2, 2, 2] and corten.ops.tests.scaled(x.detach(), 3.).tolist() == [3, 3, 3]
    assert scaled(corten.empty(3, device="meta")).device.type == "meta"
    with pytest.raises(RuntimeError, match="Trying to backward through tests.scaled.default but no autograd formula was registered"):
        scaled(x).sum().backward()

    def setup(ctx, inputs, output):
        ctx.by = inputs[1]
    scaled.register_autograd(lambda ctx, grad: (grad * ctx.by, None), setup_context=setup)
    scaled(x, by=5.).sum().backward()
    assert x.grad.tolist() == [5, 5, 5]
    lib = library.Library("tests_too", "DEF")
    lib.define("twice(Tensor x) -> Tensor")
    lib.impl("twice", lambda x: x * 2, "CPU")
    assert corten.ops.tests_too.twice(corten.ones(1)).item() == 2
    with pytest.raises(ValueError, match="to be of the form"):
        library.custom_op("noname", lambda x: x, mutates_args=())


def test_lists_in_operations_of_a_program():
    @corten.library.custom_op("tests::total", mutates_args=())
    def total(xs: list[corten.Tensor]) -> corten.Tensor:
        return sum(x.detach() for x in xs).clone()
    total.register_autograd(lambda ctx, grad: ([grad] * ctx.n,),
                            setup_context=lambda ctx, inputs, output: setattr(ctx, "n", len(inputs[0])))
    a, b = corten.ones(2, requires_grad=True), corten.ones(2, requires_grad=True)
    total([a, b]).sum().backward()
    assert a.grad.tolist() == b.grad.tolist() == [1, 1]


# ---- control flow, checks, nested structures ----

def test_control_flow():
    x = corten.arange(1., 8.)
    scan = corten._higher_order_ops.associative_scan
    for n in range(1, 8):
        assert scan(corten.add, x[:n], 0).equal(x[:n].cumsum(0))
    assert scan(corten.mul, x[:4], 0, reverse=True).tolist() == [24, 24, 12, 4]
    assert corten.cond(corten.tensor(True), lambda a: a + 1, lambda a: a - 1, (x,))[0] == 2
    assert corten.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * 2), (corten.tensor(0), corten.tensor(1)))[1] == 8


def test_checks():
    corten._check(True)
    with pytest.raises(RuntimeError, match="Expected cond to be True, but got False"):
        corten._check(False)
    with pytest.raises(ValueError, match="mine"):
        corten._check_value(False, lambda: "mine")
    with pytest.raises(TypeError, match="use torch._check_tensor_all"):
        corten._check(corten.tensor(True))
    with pytest.raises(AssertionError, match="no"):
        corten._assert(False, "no")
    assert corten.sym_max(1, 2.) == 2. and corten.sym_not(True) is False and corten.sym_sum([1, 2]) == 3


def test_nests_with_keys():
    tree = corten.utils._pytree
    nest = {"a": [1, 2], "b": (3,)}
    found, spec = tree.tree_flatten_with_path(nest)
    assert [tree.keystr(path) for path, _ in found] == ["['a'][0]", "['a'][1]", "['b'][0]"] and spec == tree.tree_structure(nest)
    assert tree.tree_map_with_path(lambda path, x: len(path) * x, nest) == {"a": [2, 4], "b": (6,)}
    assert tree.key_get(nest, found[1][0]) == 2 and dict in tree.SUPPORTED_NODES


def test_futures():
    future = corten.futures.Future()
    after = future.then(lambda f: f.value() + 1)
    assert not after.done()
    future.set_result(1)
    assert after.wait() == 2 and corten.futures.wait_all([future, after]) == [1, 2]
    with pytest.raises(RuntimeError, match="completed Future"):
        future.set_result(2)


def test_reductions_under_a_mask():
    x, mask = corten.tensor([[1., 2., 4.], [3., 5., 7.]]), corten.tensor([[True, False, True], [False, False, False]])
    masked = corten.masked
    assert masked.sum(x, 1, mask=mask).tolist() == [5, 0] and masked.prod(x, 1, mask=mask).tolist() == [4, 1]
    assert masked.mean(x, mask=mask).item() == 2.5 and masked.amax(x, 1, mask=mask).tolist() == [4, float("-inf")]
    assert masked.var(x[:1], 1, mask=mask[:1]).item() == 4.5 and masked.softmax(x[:1], 1, mask=mask[:1])[0, 1] == 0
    assert masked.argmin(x, 1, mask=mask).tolist() == [0, 0] and masked.median(x[:1], 1, mask=mask[:1]).item() == 1


def test_flops():
    from corten.utils.flop_counter import FlopCounterMode
    net = nn.Sequential(nn.Linear(4, 5), nn.Conv1d(1, 2, 3))
    with FlopCounterMode(display=False) as counter:
        net(corten.ones(3, 1, 4))
    assert counter.get_total_flops() == 228 and sum(counter.get_flop_counts()["Sequential.0"].values()) == 120


def test_storage_from_a_file(tmp_path):
    path = tmp_path / "bytes"
    path.write_bytes(bytes(range(8)))
    storage = corten.UntypedStorage.from_file(str(path), False, 8)
    assert storage.tolist() == list(range(8)) and len(corten.UntypedStorage.from_file(str(path))) == 8
    assert corten.asarray(storage[4:8], dtype=corten.uint8).tolist() == [4, 5, 6, 7]


def test_records_of_a_file(tmp_path):
    corten.save({"x": corten.arange(3.)}, tmp_path / "x.pt")
    reader = corten.PyTorchFileReader(str(tmp_path / "x.pt"))
    assert reader.has_record("data.pkl") and reader.get_storage_from_record("data/0", 3, corten.float32).tolist() == [0, 1, 2]
    start = reader.get_record_offset("data/0")
    assert (tmp_path / "x.pt").read_bytes()[start:start + 12] == reader.get_record("data/0")


# ---- features that raise because they are absent ----

def test_refusals():
    for call, text in ((lambda: corten.export.export(nn.Linear(1, 1), ()), "torch.export.export is not available"),
                       (lambda: corten._dynamo.export(abs), "torch._dynamo.export is not available"),
                       (lambda: corten.utils.cpp_extension.load("x", []), "PyTorch's headers"),
                       (lambda: corten.distributed.init_device_mesh("cpu", (1,)), "is not available")):
        with pytest.raises((RuntimeError, ValueError), match=text):
            call()
    assert corten._dynamo.is_dynamo_supported() is False and corten.distributed.is_available() is True
    with corten._dynamo.config.patch(verbose=True, made_up=1):
        assert corten._dynamo.config.verbose and corten._dynamo.config.made_up == 1
    assert not corten._dynamo.config.verbose and not hasattr(corten._dynamo.config, "made_up")
    assert corten._C._log_api_usage_once("x") is None
    with pytest.raises(AttributeError, match="module 'torch._C' has no attribute '_nothing'"):
        corten._C._nothing


# ---- torchvision ----

def test_layers_and_boxes_of_torchvision():
    ops = corten.vision.ops
    x = corten.arange(32.).reshape(2, 1, 4, 4)
    frozen = ops.misc.FrozenBatchNorm2d(1)
    frozen.load_state_dict({"weight": corten.tensor([2.]), "bias": corten.tensor([1.]), "running_mean": corten.tensor([3.]),
                            "running_var": corten.tensor([4.]), "num_batches_tracked": corten.tensor(5)})
    assert corten.allclose(frozen(x), (x - 3) / (4 + 1e-5) ** .5 * 2 + 1) and list(frozen.parameters()) == []
    assert ops.roi_align(x, [corten.tensor([[0., 0., 4., 4.]]), corten.empty(0, 4)], 2, aligned=True).flatten().tolist() == [
        2.5, 4.5, 10.5, 12.5]
    assert ops.roi_align(x, corten.tensor([[1., 0., 0., 3., 3.]]), (1, 1), sampling_ratio=2).item() == pytest.approx(23.5)
    box = corten.tensor([[0., 0., 2., 2.]])
    assert ops.distance_box_iou(box, box + 1).item() == pytest.approx(1 / 7 - 2 / 18, abs=1e-6)
    layer = ops.Conv2dNormActivation(1, 2, (3, 1), norm_layer=None)
    assert layer[0].padding == (1, 0) and layer[0].bias is not None and ops.SqueezeExcitation(4, 2)(corten.ones(1, 4, 2, 2)).shape[1] == 4


def test_sets_of_trained_weights():
    models = corten.vision.models
    weights = models.ResNet50_Weights
    assert isinstance(weights.DEFAULT, enum.Enum) and weights.DEFAULT is weights.IMAGENET1K_V2
    assert weights.IMAGENET1K_V1.url == "https://download.pytorch.org/models/resnet50-0676ba61.pth"
    assert models.get_model_weights("vgg16") is models.VGG16_Weights is models.get_weight("VGG16_Weights.DEFAULT").__class__
    preset = weights.DEFAULT.transforms()
    assert (preset.crop_size, preset.resize_size) == ([224], [232])
    assert preset(corten.zeros(3, 240, 250, dtype=corten.uint8)).shape == (3, 224, 224)
    with pytest.raises(TypeError, match="expected ResNet18_Weights but received VGG16_Weights"):
        models.resnet18(weights=models.VGG16_Weights.DEFAULT)
    with pytest.raises(KeyError):
        models.resnet18(weights="IMAGENET1K_V9")


PIL_SUMS = [1578, 2244, 2244, 2196, 2214, 738, 2268, 1260]  # recorded from torchvision


def test_pictures_of_pil_are_changed_as_pil_does_it():
    Image = pytest.importorskip("PIL.Image")
    from corten.vision.transforms import functional as F
    picture = Image.frombytes("RGB", (3, 2), bytes(range(7, 250, 14))[:18])

    def sums(*pictures):
        return [sum(p.tobytes()) for p in pictures]
    assert sums(*(f(picture, 0.7) for f in (F.adjust_brightness, F.adjust_contrast, F.adjust_saturation))) == PIL_SUMS[:3]
    assert sums(F.adjust_hue(picture, 0.1), F.rgb_to_grayscale(picture, 3), F.to_grayscale(picture)) == PIL_SUMS[3:6]
    assert sums(F.rotate(picture, 30), F.affine(picture, 10, [1, 0], 1.1, [5, 2])) == PIL_SUMS[6:]


def test_a_network_and_its_loss_at_the_end_of_a_program():
    """At interpreter exit the garbage collector frees the last references to a graph; no destructor may use freed objects."""
    got = subprocess.run([sys.executable, "-c", """
import corten
from corten import nn
net = nn.Sequential(*[nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8)) for _ in range(60)])
loss = net(corten.ones(4, 8)).sum()
others = [corten.ones(2) for _ in range(400)]
print("end")
"""], capture_output=True, text=True)
    assert (got.returncode, got.stdout, got.stderr) == (0, "end\n", "")
