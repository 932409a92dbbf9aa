# SPDX-License-Identifier: BSD-3-Clause
"""torch.compile runs functions uncompiled and warns about it; its options are checked or refused."""
import copy
import pickle
import subprocess
import sys

import pytest

import corten as torch
from corten import nn
from corten._dynamo import OptimizedModule
from corten._dynamo.exc import InvalidBackend
from corten._missing import MissingFeature
from corten.autograd import graph
from corten.overrides import TorchFunctionMode, handle_torch_function, has_torch_function, redispatch_function

pytestmark = pytest.mark.filterwarnings("ignore:torch.compile has no effect")


def test_modules():
    net = nn.Linear(2, 2)
    made = torch.compile(net)
    assert type(made) is OptimizedModule and made._orig_mod is net and list(made.state_dict()) == ["_orig_mod.weight", "_orig_mod.bias"]
    assert torch.equal(made(torch.ones(1, 2)), net(torch.ones(1, 2))) and made.weight is net.weight and made.in_features == 2
    made.eval()
    assert not net.training and not made.training
    made.extra = 3
    assert net.extra == 3 and isinstance(copy.deepcopy(made)._orig_mod, nn.Linear)
    assert torch.equal(pickle.loads(pickle.dumps(made)).weight, net.weight)
    net.compile(backend="eager")
    assert net(torch.ones(1, 2)).shape == (1, 2)


def test_arguments():
    f = lambda x: x + 1  # noqa: E731
    assert torch.compile(f) is f and torch.compile(disable=True)(f) is f and torch.compile(nn.Linear(1, 1), disable=True).in_features == 1
    for error, options in ((InvalidBackend, {"backend": "nosuch"}), (MissingFeature, {"backend": lambda graph, inputs: graph}),
                           (MissingFeature, {"backend": "tvm"}), (RuntimeError, {"mode": "nosuch"}), (RuntimeError, {"mode": "default", "options": {}})):
        with pytest.raises(error):
            torch.compile(f, **options)
    with pytest.raises(AssertionError, match="A callable function is expected"):
        torch.compile(3)
    for error, call in ((RuntimeError, lambda: torch.compiler.set_stance("nosuch")), (AssertionError, lambda: torch.compiler.nonstrict_trace(3)),
                        (RuntimeError, lambda: torch.compiler.set_stance("force_eager", force_backend="eager")),
                        (TypeError, lambda: torch.compiler.substitute_in_graph(3)), (TypeError, lambda: torch.compiler.set_stance(foo=1)),
                        (MissingFeature, lambda: torch.compiler.skip_all_guards_unsafe([])), (MissingFeature, lambda: torch.fx.symbolic_trace(f)),
                        (MissingFeature, lambda: torch.compiler.precompile.load("x")), (MissingFeature, lambda: torch._dynamo.export(f)),
                        (MissingFeature, torch.fx.Graph), (MissingFeature, lambda: torch.jit.load("x")), (MissingFeature, torch.onnx.ONNXProgram),
                        (MissingFeature, lambda: torch._subclasses.FakeTensorMode()), (MissingFeature, lambda: torch.export.save(1, 2))):
        with pytest.raises(error):
            call()
    torch.compiler.set_default_backend("eager")
    assert torch.compiler.get_default_backend() == "eager"
    torch.compiler.set_default_backend(None)
    assert torch.compiler.list_backends() == ["cudagraphs", "inductor"] and "eager" in torch.compiler.list_backends(None)
    assert torch.compiler.wrap_numpy(lambda x: x + 1)(torch.ones(2)).tolist() == [2, 2]


def test_it_says_so_once():
    program = ("import warnings; warnings.simplefilter('always'); import corten as torch\n"
               "for i in range(3): torch.compile(len); torch.jit.script(len); torch.jit.trace(len, ()); torch.compile(len, backend='eager')")
    errors = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stderr
    assert errors.count("torch.compile has no effect") == errors.count("torch.jit.script has no effect") == 1


def test_scripted_classes():
    class Net(torch.jit.ScriptModule):
        def forward(self, x):
            return x * 2
    assert Net()(torch.ones(1)).item() == 2 and list(Net().parameters()) == []


def test_graph_functions():
    with pytest.raises(ValueError, match="must be in"):
        graph.region_activation_memory_budget(2)
    with pytest.raises(RuntimeError, match="only be used inside a torch.compile region"):
        with graph.region_activation_memory_budget(0.5):
            pass
    x = torch.ones(2, requires_grad=True)
    for pin in (False, True):
        with graph.save_on_cpu(pin_memory=pin):
            y = (x * x).sum()
        assert torch.autograd.grad(y, x)[0].tolist() == [2, 2]
    calls = []
    x.register_hook(lambda g: graph.queue_callback(lambda: calls.append(g)))
    (x * 2).sum().backward()
    assert len(calls) == 1


def scaled(a, b):
    if has_torch_function((a, b)):
        return handle_torch_function(scaled, (a, b), a, b)
    return a * b + 1


def test_redispatch():
    seen = []

    class Seen(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args, kwargs=None):
            seen.append(func.__name__)
            return redispatch_function(func, types, args, kwargs)
    result = scaled(torch.tensor([3.]).as_subclass(Seen), torch.tensor([4.]).as_subclass(Seen))
    assert result.item() == 13 and type(result) is torch.Tensor and seen == ["scaled", "mul"]

    class Mode(TorchFunctionMode):
        def __torch_function__(self, func, types, args, kwargs=None):
            seen.append(func.__name__)
            with self:
                return redispatch_function(func, types, args, kwargs)
    seen.clear()
    with Mode():
        assert scaled(torch.tensor([3.]), torch.tensor([4.])).item() == 13
    assert [name.strip("_") for name in seen] == ["scaled", "mul", "add"]
