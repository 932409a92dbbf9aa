# SPDX-License-Identifier: BSD-3-Clause
"""utils.checkpoint: what recomputation restores, when it stops early, what it checks; random.fork_rng. Expected values are PyTorch's."""
import os
import subprocess
import sys

import pytest

import corten as torch
from corten import nn
from corten.utils import checkpoint as module
from corten.utils.checkpoint import CheckpointError, GraphExecGroup, checkpoint, checkpoint_sequential


def inputs():
    return torch.arange(3.).requires_grad_()


def on_gpu(program):
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", "import corten as torch\nfrom corten.utils.checkpoint import checkpoint\n" + program],
                          env={**os.environ, "CORTEN_FAKE_CUDA": "2"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("early, runs", [(True, 1), (False, 2)])
def test_the_second_run_ends_with_the_last_saved_tensor(early, runs):
    behind = []

    def part(x):
        y = x.sin().cos()
        behind.append(1)
        return y

    checkpoint(part, inputs(), use_reentrant=False, early_stop=early).sum().backward()
    assert len(behind) == runs
    behind.clear()
    with module.set_checkpoint_early_stop(not early):
        y = checkpoint(part, inputs(), use_reentrant=False, early_stop=early)
    y.sum().backward()
    assert len(behind) == 3 - runs


def test_wrong_options():
    with pytest.raises(ValueError, match=r"determinism_check should be one of \['default', 'none'\], but got often"):
        checkpoint(torch.sin, inputs(), use_reentrant=False, determinism_check="often")
    with pytest.raises(ValueError, match="Unexpected keyword arguments: k"):
        checkpoint(torch.sin, inputs(), use_reentrant=True, k=1)
    with pytest.raises(ValueError, match="`context_fn`, `debug`, or `respect_saved_tensors_hooks` is only supported when use_reentrant=False"):
        checkpoint(torch.sin, inputs(), use_reentrant=True, respect_saved_tensors_hooks=True)
    with pytest.raises(ValueError, match="debug=True is incompatible with non-default context_fn"):
        checkpoint(torch.sin, inputs(), use_reentrant=False, debug=True, context_fn=lambda: module.noop_context_fn())


@pytest.mark.parametrize("reentrant", [True, False])
def test_autocast_of_the_first_run(reentrant):
    layer, seen = nn.Linear(8, 8), []

    def part(x):
        y = layer(x)
        seen.append((y.dtype, torch.is_autocast_cache_enabled()))
        return y.relu().float()

    x = torch.randn(4, 8, requires_grad=True)
    with torch.autocast("cpu", dtype=torch.bfloat16, cache_enabled=False):
        y = checkpoint(part, x, use_reentrant=reentrant)
    y.sum().backward()
    assert seen == [(torch.bfloat16, False)] * 2
    assert not torch.is_autocast_enabled("cpu") and torch.is_autocast_cache_enabled()
    seen.clear()
    y = checkpoint(part, x, use_reentrant=reentrant)
    with torch.autocast("cpu"):
        y.sum().backward()  # the part ran in float32, so its recomputation does too
    assert seen == [(torch.float32, True)] * 2


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("reentrant", [True, False])
def test_both_runs_draw_the_same(device, reentrant):
    on_gpu(f"""
torch.manual_seed(0)
masks = []
def part(x):
    y = torch.nn.functional.dropout(x, 0.5)
    masks.append(y.detach().cpu())
    return y * 2
x = torch.ones(64, device={device!r}, requires_grad=True)
y = checkpoint(part, x, use_reentrant={reentrant})
after = torch.rand(3, device={device!r})
y.sum().backward()
assert masks[0].equal(masks[1]) and x.grad.cpu().equal(masks[0] * 2)
torch.manual_seed(0)
part(x)
torch.rand(3, device={device!r})
assert torch.rand(2, device={device!r}).equal(torch.rand(2, device={device!r})) is False
""")


def test_gpu_autocast_in_the_second_run():
    on_gpu("""
seen = []
def part(x):
    y = x @ x
    seen.append(y.dtype)
    return y.float().sin()
for kind in (True, False):
    x = torch.ones(4, 4, device="cuda", requires_grad=True)
    with torch.autocast("cuda", dtype=torch.bfloat16):
        y = checkpoint(part, x, use_reentrant=kind)
    y.sum().backward()
assert seen == [torch.bfloat16] * 4, seen
""")


def test_fork_rng_puts_back_the_generators_of_gpus():
    on_gpu("""
for options, second in (({}, True), ({"devices": [0]}, False), ({"devices": [1, "cpu"][:1]}, True), ({"devices": (i for i in range(2))}, True)):
    first = []
    for inside in (False, True):
        torch.manual_seed(0)
        with torch.random.fork_rng(enabled=inside, **options):
            [torch.rand(5, device=d) for d in ("cpu", "cuda:0", "cuda:1") if inside]
        first.append([torch.rand(3, device=d).cpu() for d in ("cpu", "cuda:0", "cuda:1")])
    want = [True, options.get("devices") != [1], second]
    assert [a.equal(b) for a, b in zip(*first)] == want, (options, want)
""")
    with pytest.raises(RuntimeError, match="Device 'xla' does not have a corresponding module"):
        with torch.random.fork_rng(device_type="xla"):
            pass


def test_fork_rng_warns_where_several_gpus_are_meant():
    out = on_gpu("""
import warnings
warnings.simplefilter("always")
with warnings.catch_warnings(record=True) as seen:
    for _ in range(2):
        with torch.random.fork_rng():
            pass
print(len(seen), str(seen[0].message)[:52])
""")
    assert out == "1 CUDA reports that you have 2 available devices, and \n"


def test_regions_nest():
    log = []

    def inner(x):
        log.append("inner")
        return x.sin().exp()

    def outer(x):
        log.append("outer")
        return checkpoint(inner, x.cos(), use_reentrant=False).sin().tanh()

    x, plain = inputs(), inputs()
    plain.cos().sin().exp().sin().tanh().sum().backward()
    y = checkpoint(outer, x, use_reentrant=False)
    y.sum().backward(retain_graph=True)
    assert log == ["outer", "inner", "outer", "inner", "inner"] and x.grad.equal(plain.grad)
    y.sum().backward()
    assert x.grad.equal(2 * plain.grad)
    y = checkpoint(outer, x, use_reentrant=False)
    first, = torch.autograd.grad(y.sum(), x, create_graph=True)
    assert torch.autograd.grad(first.sum(), x)[0].isfinite().all()


def test_a_gradient_within_the_region():
    log = []

    def part(x):
        given, = torch.autograd.grad(x.sin().cos().sum(), x)
        log.append(1)
        return x.cos() * given

    results = []
    for early, runs in ((True, 2), (False, 3)):
        x = inputs()
        log.clear()
        checkpoint(part, x, use_reentrant=False, early_stop=early).sum().backward()
        results.append(x.grad)
        assert len(log) == runs
    assert results[0].equal(results[1])


def test_a_group_of_backward_calls_recomputes_once():
    runs = []

    def part(x):
        runs.append(1)
        return x.sin().exp(), x.cos().exp()

    for group, count in ((GraphExecGroup(), 2), (None, 3)):
        runs.clear()
        a, b = checkpoint(part, inputs(), use_reentrant=False)
        with group or module.contextlib.nullcontext():
            a.sum().backward()
            b.sum().backward()
        assert len(runs) == count
    with pytest.raises(RuntimeError, match="GraphExecGroup contexts cannot be nested"):
        with GraphExecGroup(), GraphExecGroup():
            pass
    with GraphExecGroup():  # the failure above closed its group
        pass


@pytest.mark.parametrize("first, second, text", [
    (lambda x: x.sin().exp(), lambda x: x.sin(), "A different number of tensors was saved.*\n.*forward: 2\n.*recomputation: 1"),
    (lambda x: x.sin(), lambda x: x.sin().exp(), "trying to save more tensors during recomputation than during the original forward pass"),
    (lambda x: x.sin(), lambda x: x.double().sin(), "tensor at position 0:\nsaved metadata: {'shape': torch.Size.*float32.*\n.*float64"),
])
def test_runs_that_differ(first, second, text):
    todo = [first, second]
    y = checkpoint(lambda x: todo.pop(0)(x), inputs(), use_reentrant=False, early_stop=False)
    with pytest.raises(CheckpointError, match=text):
        y.sum().backward()


def test_debug_lists_the_operations_of_both_runs():
    todo = [lambda x: x.sin().exp(), lambda x: x.double().sin().exp()]
    with module.set_checkpoint_debug_enabled(True):
        y = checkpoint(lambda x: todo.pop(0)(x), inputs(), use_reentrant=False)
    with pytest.raises(CheckpointError, match="You are seeing this error because you passed `debug=True` to checkpoint") as error:
        y.sum().backward()
    forward, again = str(error.value).split("Operations executed during recomputation:")
    assert "sin(torch.float32[3]) -> torch.float32[3]" in forward and __file__ in forward
    assert "sin(torch.float64[3])" in again
    todo = [lambda x: x.sin(), lambda x: x.double().sin()]
    y = checkpoint(lambda x: todo.pop(0)(x), inputs(), use_reentrant=False, determinism_check="none")
    y.sum().backward()


def test_an_input_that_was_written_to():
    a = inputs().clone()
    y = checkpoint(lambda x: x.sin().exp(), a, use_reentrant=False)
    a.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_reentrant_goes_with_backward_alone():
    for run in (lambda y, x: torch.autograd.grad(y, x), lambda y, x: y.backward(inputs=[x])):
        x = inputs()
        with pytest.raises(RuntimeError, match="When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad"):
            run(checkpoint(torch.sin, x, use_reentrant=True).sum(), x)


def test_as_a_decorator():
    class Net(nn.Module):
        calls = 0

        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(3, 3)

        @checkpoint(use_reentrant=False)
        def forward(self, x):
            self.calls += 1
            return self.layer(x).tanh()

    net = Net()
    net(inputs()).sum().backward()
    assert net.calls == 2 and net.layer.weight.grad is not None


def test_the_default_device_of_the_first_run():
    on_gpu("""
seen = []
def part(x):
    seen.append(str(torch.ones(1).device))
    return x.sin().exp()
torch.cuda.init()
x = torch.ones(2, requires_grad=True)
with torch.device("cuda:1"):
    y = checkpoint(part, x, use_reentrant=False)
y.sum().backward()
assert seen == ["cuda:1"] * 2 and torch.ones(1).device.type == "cpu", seen
""")


def test_selective_checkpoints_are_refused():
    assert module.CheckpointPolicy.MUST_CPU_OFFLOAD.value == 4
    with pytest.raises(NotImplementedError, match="leave context_fn out to compute everything again"):
        checkpoint(torch.sin, inputs(), use_reentrant=False, context_fn=lambda: module.create_selective_checkpoint_contexts([]))


def test_checkpoints_give_the_same_gradients_and_random_numbers():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Tanh(), nn.Linear(8, 4))
    x = torch.randn(3, 4, requires_grad=True)

    def run(call):
        net.zero_grad()
        x.grad = None
        torch.manual_seed(1)
        y = call()
        y.sum().backward()
        return [y.tolist(), x.grad.tolist(), net[0].weight.grad.tolist(), torch.rand(2).tolist()]

    want = run(lambda: net(x))
    assert run(lambda: checkpoint(net, x, use_reentrant=False)) == want
    assert run(lambda: checkpoint(net, x, use_reentrant=True)) == want
    assert run(lambda: checkpoint_sequential(net, 2, x, use_reentrant=False)) == want


def test_a_checkpoint_keeps_its_inputs_alone():
    calls = []

    def twice(x):
        calls.append(torch.is_grad_enabled())
        return (x.sin() * 2).exp()

    x = torch.ones(3, requires_grad=True)
    y = checkpoint(twice, x, use_reentrant=False)
    assert calls == [True]
    y.sum().backward()
    assert calls == [True, True]
