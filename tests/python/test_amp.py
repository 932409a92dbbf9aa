# SPDX-License-Identifier: BSD-3-Clause
"""autocast on the CPU, and GradScaler."""
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
