# SPDX-License-Identifier: BSD-3-Clause
"""Miscellaneous names that libraries import from PyTorch, and their behaviour."""
import enum
import os
import subprocess
import sys

import pytest

import corten
from corten import nn


def run(code, **env):
    done = subprocess.run([sys.executable, "-c", "import corten; corten.install_as_torch(); import torch\n" + code],
                          capture_output=True, text=True, env={**os.environ, **env}, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


# ---- submodules ----

@pytest.mark.parametrize("name", [
    "autograd.profiler.profile", "autograd.profiler_util.EventList", "distributions.utils.broadcast_all", "fx.experimental.proxy_tensor",
    "jit.annotations", "nn.parallel.distributed.DistributedDataParallel", "optim.swa_utils.AveragedModel", "nn.utils.prune", "utils.data",
    "utils.checkpoint.checkpoint", "cuda.comm.scatter", "distributed.tensor", "nn.attention", "backends.cudnn", "amp.grad_scaler"])
def test_submodules_are_there_after_import_torch(name):
    run(f"torch.{name}")


def test_what_is_no_submodule_is_an_attribute_error():
    for package in (corten.autograd, corten.distributions, corten.fx, corten.jit, corten.utils, corten.optim, corten.nn.utils):
        with pytest.raises(AttributeError, match=f"module 'torch.{package.__name__.partition('.')[2]}' has no attribute 'nothing'"):
            package.nothing
        assert not hasattr(package, "__wrapped__")


# ---- names ----

def test_names_that_libraries_import():
    lines = run("""
from torch.futures import Future
from torch.nn.parallel.scatter_gather import gather, scatter, scatter_kwargs
from torch.amp.grad_scaler import OptState
from torch.torch_version import TorchVersion
print(Future[int] is not None, issubclass(Future, torch.Future), torch.GradScaler is torch.amp.GradScaler)
print([s.name for s in OptState], type(torch.__version__) is TorchVersion, torch.autograd.kineto_available())
""")
    assert lines == ["True True True", "['READY', 'UNSCALED', 'STEPPED'] True True"]


def test_the_scaler_tells_how_far_it_is():
    from corten.amp.grad_scaler import GradScaler, OptState
    weight = nn.Parameter(corten.ones(2))
    optimizer, scaler = corten.optim.SGD([weight], lr=0.1), GradScaler("cpu")
    scaler.scale(weight.sum()).backward()
    stages = [scaler._per_optimizer_states[id(optimizer)]["stage"]]
    scaler.unscale_(optimizer)
    stages.append(scaler._per_optimizer_states[id(optimizer)]["stage"])
    scaler.step(optimizer)
    stages.append(scaler._per_optimizer_states[id(optimizer)]["stage"])
    assert stages == list(OptState) and issubclass(OptState, enum.Enum)


# ---- identity ----

def test_set_module():
    def f():
        pass
    corten.utils.set_module(f, "torch.example")
    assert f.__module__ == "torch.example"
    with pytest.raises(TypeError, match="The mod argument should be a string"):
        corten.utils.set_module(f, 3)


def test_cpp_backtrace_names_frames():
    lines = corten.utils.get_cpp_backtrace(maximum_number_of_frames=3).split("\n")
    assert [line.split(":")[0] for line in lines] == ["frame #0", "frame #1", "frame #2", ""]


# ---- modules that re-export names of other modules ----

def test_functions_by_their_second_names():
    import corten.functional as f
    for name in f.__all__:
        assert getattr(corten, name) is getattr(f, name)
    assert corten.signal.windows.windows.hann is corten.signal.windows.hann
    assert corten.autograd.variable.Variable is corten.autograd.Variable
    with pytest.raises(RuntimeError, match="use torch.tensor"):
        corten.autograd.variable(3)


def test_futures_of_torch_itself():
    future = corten.fork(lambda x, y=1: x + y, 2, y=5)
    assert isinstance(future, corten.Future) and future.done() and corten.wait(future) == 7
    with pytest.raises(TypeError, match="must be torch.Future, not int"):
        corten.wait(3)
    with pytest.raises(ZeroDivisionError):
        corten.fork(lambda: 1 / 0)


def test_futures_with_devices():
    lines = run("""
future, stream = torch.futures.Future(devices=["cuda:0", 1]), torch.cuda.Stream()
with torch.cuda.stream(stream):
    future.set_result(torch.ones(2, device="cuda:0"))
assert [e.device.index for e in future._events] == [0, 1] and future._events[0].query()
print(future.wait().tolist(), future.then(lambda f: f.value().sum().item()).wait())
""", CORTEN_FAKE_CUDA="2")
    assert lines == ["[1.0, 1.0] 2.0"]


def test_ranges_of_sizes():
    assert corten.sym_constrain_range(3, min=1, max=5) is None and corten.sym_fresh_size(3) == 3
    with pytest.raises(RuntimeError, match=r"Invalid value range for 3 between \[4, 5\]."):
        corten.sym_constrain_range(3, min=4, max=5)
    with pytest.raises(RuntimeError, match="Max must be greater than or equal to min. Got min=6 max=5"):
        corten.sym_constrain_range_for_size(3, min=6, max=5)
    with pytest.raises(TypeError, match=r"sym_constrain_range\(\): argument 'size' \(position 1\) must be Number, not Tensor"):
        corten.sym_constrain_range(corten.ones(1))


def test_tags_and_the_older_names_of_autocast():
    assert repr(corten.Tag.core) == "<Tag.core: 0>" and int(corten.Tag.view_copy) == 19 and corten.Tag.pointwise.name == "pointwise"
    with pytest.warns(DeprecationWarning, match=r"use torch.get_autocast_dtype\('xla'\) instead"):
        assert corten.get_autocast_xla_dtype() == corten.bfloat16
    with pytest.warns(DeprecationWarning):
        corten.set_autocast_xla_dtype(corten.float16)
    with pytest.warns(DeprecationWarning):
        assert corten.get_autocast_xla_dtype() == corten.float16 and not corten.is_autocast_xla_enabled()
    corten.set_autocast_dtype("xla", corten.bfloat16)


# ---- absent devices ----

def test_devices_that_are_not_there():
    assert not corten.xpu.is_available() and corten.xpu.memory_allocated() == 0 and corten.xpu.memory_stats() == {} and corten.mps.device_count() == 0
    assert corten.xpu.get_rng_state_all() == [] == corten.mtia.get_rng_state_all() and not corten.xpu.is_bf16_supported()
    corten.xpu.manual_seed_all(3), corten.mps.manual_seed(3), corten.xpu.empty_cache()
    with corten.xpu.device(None):
        pass
    for module, names, kind, text in (
            (corten.xpu, ("current_device", "synchronize", "get_device_name", "Stream", "set_rng_state"), AssertionError, "not compiled with XPU"),
            (corten.mps, ("synchronize", "current_allocated_memory", "get_rng_state"), RuntimeError, "without MPS backend"),
            (corten.mtia, ("synchronize", "current_stream"), RuntimeError, "without MTIA backend")):
        for name in names:
            with pytest.raises(kind, match=text):
                getattr(module, name)()
    with pytest.raises(AssertionError, match="not compiled with XPU"):
        with corten.xpu.device(0):
            pass


# ---- context managers as decorators ----

def test_blocks_as_decorators():
    from corten.utils._contextlib import _DecoratorContextManager, context_decorator
    seen = []

    class Block(_DecoratorContextManager):
        def __enter__(self):
            seen.append("in")

        def __exit__(self, *error):
            seen.append("out")

    @Block()
    def numbers(n):
        for i in range(n):
            got = yield i
            seen.append(got)
        return "end"
    walk = numbers(2)
    assert next(walk) == 0 and seen == ["in", "out"] and walk.send("x") == 1
    with pytest.raises(StopIteration, match="end"):
        next(walk)
    assert seen == ["in", "out", "in", "x", "out", "in", None, "out"]
    del seen[:]
    assert Block()(lambda: 5)() == 5 and seen == ["in", "out"]
    with pytest.raises(RuntimeError, match="Cannot decorate classes"):
        context_decorator(lambda: Block(), Block)
    from corten.utils._device import set_device

    @set_device("meta")
    def make():
        return corten.ones(2).device.type
    assert make() == "meta" and corten.ones(2).device.type == "cpu"


# ---- private names that libraries use ----

def test_inner_operations():
    assert corten._shape_as_tensor(corten.ones(2, 3)).tolist() == [2, 3]
    product = corten._int_mm(corten.full((4, 200), 100, dtype=corten.int8), corten.full((200, 2), 100, dtype=corten.int8))
    assert product.dtype == corten.int32 and product[0, 0] == 2000000
    x = corten.randn(3, 4, requires_grad=True)
    y = x.softmax(1)
    g = corten.randn(3, 4)
    y.backward(g)
    assert corten.allclose(corten._softmax_backward_data(g, y.detach(), 1, corten.float32), x.grad, atol=1e-6)
    assert corten._convert_indices_from_coo_to_csr(corten.tensor([0, 0, 2]), 4).tolist() == [0, 2, 2, 3, 3]
    pair = corten._convert_indices_from_csr_to_coo(corten.tensor([0, 2, 2, 3]), corten.tensor([1, 0, 2]))
    assert pair.tolist() == [[0, 0, 2], [1, 0, 2]]
    assert repr(corten.per_tensor_affine) == "torch.per_tensor_affine" and isinstance(corten.per_channel_affine, corten.qscheme)
    with pytest.raises(ValueError, match="no"):
        corten._check_tensor_all_with(ValueError, corten.tensor([True, False]), "no")


def test_inner_names_of_optimizers():
    from corten.optim.optimizer import (_default_to_fused_or_foreach, _get_capturable_supported_devices, _use_grad_for_differentiable,
                                        Optimizer, ParamsT, StateDict)
    a, b, c = corten.ones(1), corten.ones(2, dtype=corten.float64), corten.ones(3)
    groups = Optimizer._group_tensors_by_device_and_dtype([[a, b, c], [None, b, a], []], with_indices=True)
    lists, places = groups[a.device, corten.float32]
    assert [t is s for t, s in zip(lists[0], (a, c))] == [True, True] and lists[1] == [None, a] and lists[2] == [] and places == [0, 2]
    assert _default_to_fused_or_foreach([a], False, True) == (True, False) and _default_to_fused_or_foreach([a], False) == (False, False)
    assert _default_to_fused_or_foreach([a], True) == (False, False) and "xla" not in _get_capturable_supported_devices(False)
    assert ParamsT is not None and StateDict == dict[str, object] or StateDict is not None

    class Plain:
        defaults = {"differentiable": False}

        @_use_grad_for_differentiable
        def step(self):
            return corten.is_grad_enabled()
    assert Plain().step() is False and corten.is_grad_enabled()


def test_tensors_of_modules_by_name():
    from corten.nn.utils._named_member_accessor import swap_tensor
    net = nn.Linear(2, 2)
    old, new = net.weight, nn.Parameter(corten.zeros(2, 2))
    assert swap_tensor(net, "weight", new) is old and net.weight is new
    with pytest.raises(KeyError, match="tensor name can"):
        swap_tensor(net, "a.b", new)
    with pytest.raises(AttributeError, match="Linear has no attribute `nothing`"):
        swap_tensor(net, "nothing", new)
    with pytest.raises(TypeError, match="is not an instance of torch.Tensor"):
        swap_tensor(net, "in_features", new)


def test_orders_of_strides():
    from corten._prims_common import is_contiguous_or_false, make_contiguous_strides_for, suggest_memory_format
    x = corten.ones(2, 3, 4, 5)
    assert suggest_memory_format(x) is corten.contiguous_format
    assert suggest_memory_format(x.to(memory_format=corten.channels_last)) is corten.channels_last
    assert suggest_memory_format(corten.ones(2, 3, 4, 5, 6).to(memory_format=corten.channels_last_3d)) is corten.channels_last_3d
    assert make_contiguous_strides_for((2, 3, 4)) == (12, 4, 1) and make_contiguous_strides_for((2, 3, 4), False) == (12, 1, 3)
    assert is_contiguous_or_false(x) and not is_contiguous_or_false(x.mT)


def test_sets_that_keep_their_order():
    from corten.utils._ordered_set import OrderedSet
    s = OrderedSet([3, 1, 2, 1])
    assert list(s) == [3, 1, 2] and list(reversed(s)) == [2, 1, 3] and s.pop() == 2 and list(s | [5]) == [3, 1, 5]
    assert list(s.union([4])) == [3, 1, 4] and list(s.difference([3])) == [1] and list(s.intersection([1])) == [1] and s == {1, 3}
    s.update([9], [8])
    s.difference_update([3, 9])
    assert repr(s) == "OrderedSet([1, 8])" and s.issubset([1, 8, 9]) and s.issuperset([1]) and list(s.symmetric_difference([8, 7])) == [1, 7]


def test_trees():
    import time
    from corten.utils import _pytree
    seen = []
    _pytree.tree_map_only_(int, seen.append, [1, {"a": 2.0, "b": 3}])
    assert seen == [1, 3] and _pytree.arg_tree_leaves([1], a=(2, 3)) == [1, 2, 3]
    assert _pytree.is_structseq_instance(time.localtime()) and not _pytree.is_structseq_instance((1, 2))


@pytest.mark.parametrize("line", [
    "from torch.cuda.amp.grad_scaler import GradScaler, OptState", "from torch.cuda.amp.autocast_mode import autocast",
    "from torch.utils.data.dataloader import _collate_fn_t, _worker_init_fn_t, _sharding_worker_init_fn",
    "from torch.utils.data._utils import HAS_NUMPY, signal_handling", "from torch.utils.data._utils.worker import ManagerWatchdog, _generate_state",
    "from torch.utils.data.datapipes.datapipe import _IterDataPipeSerializationWrapper, _MapDataPipeSerializationWrapper",
    "from torch.distributions.kl import _KL_REGISTRY; assert _KL_REGISTRY", "from torch.random import Generator",
    "from torch.distributions.transforms import _clipped_sigmoid; assert 0 < _clipped_sigmoid(torch.tensor(-1e9))",
    "from torch.distributions.multivariate_normal import _precision_to_scale_tril", "from torch._utils import _get_available_device_type",
    "from torch.fx.passes.infra.pass_base import PassBase, PassResult", "from torch.fx.passes.shape_prop import ShapeProp",
    "from torch.fx.subgraph_rewriter import ReplacedPatterns", "from torch.fx.proxy import GraphAppendingTracer",
    "import torch.onnx.symbolic_opset11, torch.onnx.symbolic_helper as h; h.parse_args('v', 'i')(print)", "from torch.onnx.operators import shape_as_tensor",
    "from torch.backends import cusparselt; assert not cusparselt.is_available()", "assert not torch._C._has_xpu and torch._C.Tag is torch.Tag",
    "from torch.utils._triton import has_triton; assert not has_triton()", "import torch.cuda.sparse"])
def test_imports_of_libraries(line):
    run(line)


@pytest.mark.parametrize("name", ["fx.passes.reinplace.reinplace", "fx.replace_pattern", "fx.passes.infra.pass_base.PassBase", "onnx.export",
                                  "onnx.ops.attention", "onnx.symbolic_opset11.squeeze", "onnx.ExportableModule"])
def test_graphs_and_exports_refuse(name):
    thing = corten
    for part in name.split("."):
        thing = getattr(thing, part)
    with pytest.raises(NotImplementedError, match=f"torch.{name} is not available in Corten"):
        thing(None)


def test_small_parts_of_fx():
    from corten.fx.node import map_aggregate, map_arg
    from corten.fx.tensor_type import Dyn, TensorType, is_consistent, is_more_precise
    nest = [1, (2, {"a": 3}), slice(1, 2, None)]
    assert map_aggregate(nest, lambda x: x and x + 1) == [2, (3, {"a": 4}), slice(2, 3, None)] and map_arg(nest, print) == nest
    assert repr(TensorType((1, Dyn))) == "TensorType[(1, Dyn)]" and TensorType[1, 2] == TensorType((1, 2))
    assert is_consistent(TensorType((1, Dyn)), TensorType((Dyn, 2))) and not is_consistent(TensorType((1,)), TensorType((1, 2)))
    assert is_more_precise(TensorType((1, 2)), TensorType((1, Dyn))) and not is_more_precise(Dyn, 3)
    with corten.fx.traceback.annotate({"a": 1}):
        assert corten.fx.traceback.get_current_meta() == {"custom": {"a": 1}}
    assert corten.fx.traceback.get_current_meta() == {}


# ---- arguments that Corten once ignored ----

def test_arguments_have_their_effect(tmp_path):
    from corten import safetensors
    from corten._notebook import mimebundle
    picture = corten.zeros(3, 16, 16, dtype=corten.uint8)
    assert set(mimebundle(picture)) == {"text/plain", "image/png"} and set(mimebundle(picture, include=["text/plain"])) == {"text/plain"}
    assert set(mimebundle(picture, exclude=["text/plain"])) == {"image/png"}
    safetensors.save_file({"x": corten.arange(3.0)}, tmp_path / "x.safetensors")
    with safetensors.safe_open(tmp_path / "x.safetensors", framework="np") as file:
        assert type(file.get_tensor("x")).__name__ == "ndarray"
    with pytest.raises(NotImplementedError, match="framework='jax'"):
        safetensors.safe_open(tmp_path / "x.safetensors", framework="jax")
    storage = corten.ones(3).untyped_storage()
    assert storage.type(corten.UntypedStorage) is storage and storage.type() == "torch.storage.UntypedStorage"
    with pytest.raises(RuntimeError, match="use TypedStorage"):
        storage.type(corten.FloatStorage)
    for command in ("info", "demo", "bench"):
        done = subprocess.run([sys.executable, "-m", "corten", command, "--no-such-option"], capture_output=True, text=True)
        assert done.returncode == 1 and done.stderr == f"usage: python -m corten {command}\n"


def test_copies_are_pinned_when_asked():
    assert run("print(torch.ops.aten._to_copy(torch.ones(2), pin_memory=True).is_pinned())", CORTEN_FAKE_CUDA="1") == ["True"]
    x = corten.ones(2)
    assert corten._C._is_alias_of(x, x[1:]) and not corten._C._is_alias_of(x, corten.ones(2))


# ---- names whose absence stopped libraries ----

@pytest.mark.parametrize("lines", [
    "from torch._C._functorch import is_batchedtensor; assert not is_batchedtensor(torch.ones(1)); assert torch._C._functorch.maybe_get_level(1) == -1",
    "import torch._functorch.vmap as v; assert v._get_name(print) == 'print' and v.Tensor is torch.Tensor",
    "from torch.quantization.observer import HistogramObserver; assert torch.quantization.HistogramObserver is HistogramObserver",
    "from torch.ao.quantization.qconfig import QConfig; import torch.ao.quantization.quantize_fx as q; assert q.prepare_fx is not None",
    "assert torch.ao.quantization.observer.MinMaxObserver is torch.ao.quantization.MinMaxObserver; assert callable(torch.quantization.quantize)",
    "import torch._C; import torch._C._functorch"])
def test_parts_of_modules_that_are_no_folders(lines):
    run(lines)


def test_schemas_with_a_mere_exclamation_mark():
    parse = corten._C.parse_schema
    assert str(parse("a::b(Tensor A, Tensor! out) -> ()")) == "a::b(Tensor A, Tensor($0! -> ) out) -> ()"
    assert str(parse("a::b(Tensor![] x, Tensor!? y) -> Tensor!")) == \
        "a::b(Tensor($0! -> )[] x, Tensor($1! -> )? y) -> Tensor($2! -> )"
    assert [a.alias_info.is_write for a in parse("a::b(Tensor! x) -> ()").arguments] == [True]
    with pytest.raises(RuntimeError, match="expected ident but found '!'"):
        parse("a::b(Tensor?! out) -> ()")


def test_the_package_functorch():
    lines = run("""
import functorch
from functorch import make_functional, make_functional_with_buffers, vmap
net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2)).eval()
function, params, buffers = make_functional_with_buffers(net)
x = torch.ones(3, 2)
assert torch.equal(function(params, buffers, x), net(x)) and len(params) == 4 and len(buffers) == 3
function, params = make_functional(net[0], disable_autograd_tracking=True)
assert torch.equal(function(params, x), net[0](x)) and not params[0].requires_grad and vmap is torch.func.vmap
try:
    make_functional(net)
except RuntimeError as error:
    print(error)
try:
    import functorch.nothing
except ImportError:
    print("none")
""")
    assert lines == ["make_functional(model): `model` has buffers. Please use make_functional_with_buffers(model) instead.", "none"]
