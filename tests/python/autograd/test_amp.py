# SPDX-License-Identifier: BSD-3-Clause
"""Tests of GradScaler, and of autocast on the CPU."""
import os
import subprocess
import sys
import warnings

import pytest

import corten as torch
from corten import nn


def test_products_are_small_and_gradients_whole():
    torch.manual_seed(0)
    net, x = nn.Linear(4, 3), torch.randn(2, 4)
    with torch.autocast("cpu"):
        y = net(x)
        assert torch.is_autocast_enabled("cpu") and torch.get_autocast_dtype("cpu") is torch.bfloat16
        assert y.dtype is (x @ x.t()).dtype is torch.bfloat16 and x.softmax(1).dtype is torch.float32
        assert torch.cat([y, x[:, :3]]).dtype is torch.float32 and y.prod().dtype is torch.float32
        assert torch.mm(x.double(), x.double().t()).dtype is torch.float64
        with torch.autocast("cpu", enabled=False):
            assert net(x).dtype is torch.float32
        with torch.autocast("cpu", dtype=torch.float16):
            assert net(x).dtype is torch.float16
        assert torch.get_autocast_dtype("cpu") is torch.bfloat16
    assert not torch.is_autocast_enabled("cpu") and net(x).dtype is torch.float32
    assert torch.equal(y, nn.functional.linear(x.bfloat16(), net.weight.bfloat16(), net.bias.bfloat16()))
    y.float().sum().backward()
    assert net.weight.grad.dtype is torch.float32


def test_a_failure_inside_leaves_the_mode_as_it_is():
    with torch.autocast("cpu"):
        with pytest.raises(RuntimeError):
            torch.ones(2, 3) @ torch.ones(2, 3)
        assert torch.is_autocast_enabled("cpu")
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype is torch.bfloat16


def test_decorator_and_older_names():
    @torch.autocast("cpu")
    def run(x):
        return x @ x
    assert run(torch.ones(2, 2)).dtype is torch.bfloat16
    with torch.cpu.amp.autocast():
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype is torch.bfloat16
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        scaler = torch.cuda.amp.GradScaler()
    assert not scaler.is_enabled() and "CUDA is not available" in str(said[0].message)
    with pytest.raises(RuntimeError, match="device type at start of device string: foo"):
        torch.autocast("foo")


def test_a_scaler_skips_what_overflows():
    net, x = nn.Linear(2, 1), torch.ones(1, 2)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2)
    scales, moved = [], []
    for factor in (1, float("inf"), 1, 1):
        before = net.weight.tolist()
        optimizer.zero_grad()
        scaler.scale(net(x).sum() * factor).backward()
        scaler.step(optimizer)
        scaler.update()
        scales.append(scaler.get_scale())
        moved.append(net.weight.tolist() != before)
    assert scales == [8, 4, 4, 8] and moved == [True, False, True, True]
    assert scaler.state_dict() == {"scale": 8.0, "growth_factor": 2.0, "backoff_factor": 0.5, "growth_interval": 2, "_growth_tracker": 0}
    with pytest.raises(AssertionError, match="No inf checks"):
        scaler.update()


@pytest.mark.parametrize("bad, found", [(None, 0), (float("inf"), 1), (float("-inf"), 1), (float("nan"), 1)])
def test_one_search_for_infinite_gradients(bad, found):
    parameters = [torch.nn.Parameter(torch.ones(n)) for n in (3, 0, 2)]
    for p in parameters:
        p.grad = torch.full_like(p, 8.0)
    if bad is not None:
        parameters[2].grad[1] = bad
    scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
    scaler.scale(torch.ones(1))
    optimizer = torch.optim.SGD(parameters, lr=1.0)
    scaler.unscale_(optimizer)
    state = scaler._per_optimizer_states[id(optimizer)]["found_inf_per_device"]
    assert [x.item() for x in state.values()] == [found] and parameters[0].grad.tolist() == [2, 2, 2]
    assert scaler.step(optimizer) is None and (parameters[0][0].item() == 1) == bool(found)


# ---- the operations that GradScaler calls ----

@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.float64])
@pytest.mark.parametrize("bad", [None, float("inf"), float("-inf"), float("nan")])
def test_gradients_unscaled_in_one_call(dtype, bad):
    grads = [torch.tensor([3., 1 / 3, 7.7], dtype=dtype), torch.ones(0, dtype=dtype), torch.ones(4, 2, dtype=dtype)[:, 0],
             torch.tensor(5., dtype=dtype)]
    if bad is not None:
        grads[2][3] = bad
    inv_scale, found = torch.tensor([.3]), torch.zeros(1)
    wide = torch.float64 if dtype is torch.float64 else torch.float32
    want = [(g.to(wide) * inv_scale.to(wide)).to(dtype).reshape(g.shape) for g in grads]
    assert torch._amp_foreach_non_finite_check_and_unscale_(grads, found, inv_scale) is None
    for a, b in zip(grads, want):
        torch.testing.assert_close(a, b, rtol=0, atol=0, equal_nan=True)
    assert found.tolist() == [bad is not None]


def test_unscaling_refuses_and_keeps():
    call = torch._amp_foreach_non_finite_check_and_unscale_
    x, one, found = torch.ones(2), torch.tensor(1.), torch.tensor(5.)
    call([], found, one)
    call([x], found, one)
    assert found.item() == 5  # no gradient was infinite or NaN: the value does not change
    for error, text, grad, f, i in (
            (RuntimeError, "found_inf must be a 1-element tensor.", x, torch.zeros(2), one),
            (RuntimeError, "inv_scale must be a 1-element tensor.", x, found, torch.zeros(2)),
            (RuntimeError, "found_inf must be a float tensor.", x, found.double(), one),
            (RuntimeError, "inv_scale must be a float tensor.", x, found, one.double()),
            (NotImplementedError, "\"_amp_foreach_non_finite_check_and_unscale_cpu\" not implemented for 'Long'", x.long(), found, one),
            (NotImplementedError, "takes no sparse tensors", x.to_sparse(), found, one)):
        with pytest.raises(error, match=text):
            call([x, grad], f, i * 2)
    assert x.tolist() == [1, 1]


@pytest.mark.parametrize("scale, count, found, want", [
    (2., 0, 0., (2., 1)), (2., 2, 0., (4., 0)), (2., 2, 1., (1., 0)), (2., 0, float("nan"), (1., 0)), (2e38, 2, 0., (2e38, 0))])
def test_next_scale(scale, count, found, want):
    s, n = torch.tensor(scale), torch.tensor([count], dtype=torch.int32)
    assert torch._amp_update_scale_(s, n, torch.tensor(found), 2.0, .5, 3) is s
    assert s.item() == torch.tensor(want[0]).item() and n.tolist() == [want[1]] and n.dtype is torch.int32
    for text, args in (("current_scale must be a float tensor.", (s.double(), n, s)), ("growth_tracker must be an int tensor.", (s, n.long(), s)),
                       ("found_inf must be a 1-element tensor.", (s, n, torch.zeros(2)))):
        with pytest.raises(RuntimeError, match=text):
            torch._amp_update_scale_(*args, 2.0, .5, 3)


def test_a_scaler_with_sparse_gradients():
    net = nn.Embedding(5, 2, sparse=True)
    optimizer, scaler = torch.optim.SGD(net.parameters(), lr=1.), torch.amp.GradScaler("cpu", init_scale=4.)
    before = net.weight.tolist()
    scaler.scale(net(torch.tensor([1, 1])).sum()).backward()
    scaler.unscale_(optimizer)
    assert net.weight.grad.is_sparse and net.weight.grad.to_dense()[1].tolist() == [2, 2]
    scaler.step(optimizer)
    scaler.update()
    assert net.weight[1].tolist() == pytest.approx([v - 2 for v in before[1]]) and scaler._growth_tracker.dtype is torch.int32


def test_a_scaler_on_a_gpu():
    program = """
import corten as torch
p = torch.nn.Parameter(torch.ones(3, device="cuda"))
optimizer, scaler = torch.optim.SGD([p], lr=1.0), torch.amp.GradScaler("cuda", init_scale=4.0, growth_interval=1)
for factor in (1.0, float("inf"), 1.0):
    optimizer.zero_grad()
    scaler.scale((p * factor).sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    print(p[0].item(), scaler.get_scale(), scaler._scale.device, scaler._growth_tracker.device)
"""
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "CORTEN_FAKE_CUDA": "1"}, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["0.0 8.0 cuda:0 cuda:0", "0.0 4.0 cuda:0 cuda:0", "-1.0 8.0 cuda:0 cuda:0"], done.stderr


def test_parts_of_a_scaler():
    p = nn.Parameter(torch.ones(2))
    optimizer, scaler = torch.optim.SGD([p], lr=1.), torch.amp.GradScaler("cpu", init_scale=4.)
    scaler.scale(p.sum()).backward()
    assert [v.item() for v in scaler._check_inf_per_device(optimizer).values()] == [0] and p.grad.tolist() == [4, 4]
    p.grad[0] = float("nan")
    found = scaler._check_inf_per_device(optimizer)
    assert [v.item() for v in found.values()] == [1] and scaler._found_inf_per_device(optimizer) is found
    scale = scaler._scale
    scaler.update(8)
    assert scaler._scale is scale and scale.item() == 8
    scaler.update(torch.tensor([2.]))
    assert scale.item() == 2
    with pytest.raises(AssertionError, match="new_scale should be a float or a 1-element"):
        scaler.update(torch.ones(2))
    empty = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.)
    with pytest.raises(AssertionError, match="No inf checks were recorded for this optimizer."):
        scaler.step(empty)
    with pytest.raises(AttributeError, match="has no attribute '_amp_nothing'"):
        torch._amp_nothing
