# SPDX-License-Identifier: BSD-3-Clause
"""utils.flop_counter and utils.module_tracker, and callbacks at the end of backward. Numbers are PyTorch's."""
import pytest

import corten as torch
from corten import nn
from corten.autograd import Variable
from corten.nn import functional as F
from corten.utils import flop_counter
from corten.utils.checkpoint import checkpoint
from corten.utils.flop_counter import FlopCounterMode, register_flop_formula
from corten.utils.module_tracker import ModuleTracker


def counts(f, **options):
    with FlopCounterMode(display=False, **options) as counter:
        f()
    return {str(k)[5:]: v for k, v in counter.get_flop_counts().get("Global", {}).items()}


def grad(*shape):
    return torch.ones(*shape, requires_grad=True)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
        self.c = nn.Conv1d(1, 2, 3)

    def forward(self, x):
        return self.c(self.a(x)[:, None])


A, M, V, Q, K, IMAGE = grad(2, 3, 4), grad(3, 4), grad(4), grad(1, 2, 6, 4), grad(1, 1, 6, 4), grad(2, 4, 8, 8)
FLASH = "_scaled_dot_product_flash_attention_for_cpu"


@pytest.mark.parametrize("f, want", [
    (lambda: F.linear(A, M, torch.ones(3)).sum().backward(), {"addmm": 144, "mm": 288}),
    (lambda: F.linear(A.detach(), M).sum().backward(), {"mm": 288}),
    (lambda: (A @ A.mT).sum().backward(), {"bmm": 432}),
    (lambda: torch.baddbmm(torch.ones(2, 3, 3), A, A.mT).sum().backward(), {"baddbmm": 144, "bmm": 288}),
    (lambda: torch.einsum("bij,bkj->bik", A, A).sum().backward(), {"bmm": 432}),
    (lambda: (M @ V).sum().backward(), {}),
    (lambda: torch.autograd.grad(torch.autograd.grad((M @ M.T).pow(2).sum(), M, create_graph=True)[0].sum(), M), {"mm": 648}),
    (lambda: nn.Conv2d(4, 6, 3, groups=2, stride=2)(IMAGE).sum().backward(), {"convolution": 3888, "convolution_backward": 11664}),
    (lambda: nn.Conv2d(4, 6, 3, padding=1)(IMAGE.detach()).sum().backward(), {"convolution": 55296, "convolution_backward": 55296}),
    (lambda: nn.ConvTranspose2d(4, 6, 3, stride=2)(IMAGE).sum().backward(), {"convolution": 55296, "convolution_backward": 110592}),
    (lambda: F.scaled_dot_product_attention(Q, Q, Q, is_causal=True).sum().backward(), {FLASH: 1152, FLASH + "_backward": 2880}),
    (lambda: F.scaled_dot_product_attention(Q, K, K, enable_gqa=True).sum().backward(), {FLASH: 1152, FLASH + "_backward": 2880}),
    (lambda: nn.MultiheadAttention(4, 2)(A, A, A)[0].sum().backward(), {"addmm": 768, "bmm": 576, "mm": 1536}),
    (lambda: nn.TransformerEncoderLayer(4, 2, 8)(A)[0].sum().backward(), {"addmm": 1536, "bmm": 576, "mm": 3072}),
    (lambda: torch.mm(torch.ones(3, 4, device="meta"), torch.ones(4, 5, device="meta")), {"mm": 120}),
    (lambda: nn.GRU(4, 5)(A.detach())[0], {"addmm": 1620}),
    (lambda: checkpoint(lambda x: (x @ M.T) @ M, M, use_reentrant=False).sum().backward(), {"mm": 144 + 72 + 288}),  # early stop
])
def test_counts(f, want):
    assert counts(f) == want


def test_modules_in_both_passes():
    with FlopCounterMode(display=False) as counter:
        Net()(grad(2, 4)).sum().backward()
    ops = torch.ops.aten
    assert counter.get_flop_counts() == {
        "Global": {ops.addmm: 128, ops.convolution: 48, ops.mm: 256, ops.convolution_backward: 96},
        "Net": {ops.addmm: 128, ops.convolution: 48, ops.mm: 256, ops.convolution_backward: 96},
        "Net.a": {ops.addmm: 128, ops.mm: 256}, "Net.a.0": {ops.addmm: 64, ops.mm: 128}, "Net.a.1": {ops.addmm: 64, ops.mm: 128},
        "Net.c": {ops.convolution: 48, ops.convolution_backward: 96}}


def test_the_table_goes_as_deep_as_it_is_told(capsys):
    with FlopCounterMode(depth=1) as counter:
        nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))(torch.ones(2, 4))
    assert capsys.readouterr().out == counter.get_table() + "\n" == counter.get_table(1) + "\n" == (
        "Module           FLOP    % Total\n-------------  ------  ---------\nSequential        128    100.00%\n - aten.addmm     128    100.00%\n")
    assert counter.get_table(2).splitlines()[4:] == [" Sequential.0       64     50.00%", "  - aten.addmm      64     50.00%",
                                                     " Sequential.1       64     50.00%", "  - aten.addmm      64     50.00%"]
    with FlopCounterMode(display=False) as counter:
        torch.ones(20, 20) @ torch.ones(20, 20)
    assert counter.get_table().splitlines()[2:] == ["Global      16.000K    100.00%", " - aten.mm  16.000K    100.00%"]
    with FlopCounterMode(display=False) as counter:
        pass
    assert counter.get_table().splitlines()[2:] == ["Global         0         0%"]


def test_own_formulas():
    @torch.library.custom_op("flops::twice", mutates_args=())
    def twice(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    @register_flop_formula(torch.ops.flops.twice)
    def of_twice(x_shape, *, out_shape=None):
        return x_shape[0] * 100 + out_shape[1]

    with pytest.raises(RuntimeError, match="duplicate registrations for flops.twice"):
        register_flop_formula([torch.ops.flops.twice])(of_twice)
    with pytest.raises(ValueError, match="expected each target to be OpOverloadPacket"):
        register_flop_formula(torch.sin)(of_twice)
    assert counts(lambda: torch.ops.flops.twice(torch.ones(2, 3)))[".twice"] == 203
    assert counts(lambda: torch.ones(2, 3).sin(), custom_mapping={torch.ops.aten.sin: lambda x, out_shape: x[0]}) == {"sin": 2}
    assert counts(lambda: M @ M.T, custom_mapping={torch.ops.aten.mm: lambda a, b, out_shape: out_shape[0]}) == {"mm": 3}

    def raw(a, b, out_val):
        return out_val.numel() + a.dim()
    raw._get_raw = True
    assert counts(lambda: M @ M.T, custom_mapping={torch.ops.aten.mm: raw}) == {"mm": 11}
    with pytest.raises(ZeroDivisionError):
        counts(lambda: M @ M.T, custom_mapping={torch.ops.aten.mm: lambda *args, out_shape: 1 / 0})


def test_counters_nest_and_end():
    with FlopCounterMode(display=False) as outer:
        M @ M.T
        with FlopCounterMode(display=False) as inner:
            M @ M.T
    M @ M.T
    assert (outer.get_total_flops(), inner.get_total_flops()) == (144, 72)
    with pytest.warns(UserWarning, match="mods argument is not needed anymore"):
        FlopCounterMode(mods=Net())


def test_formulas_by_hand():
    assert flop_counter.bmm_flop((2, 3, 4), (2, 4, 5)) == 240
    assert flop_counter.conv_flop_count([2, 3, 8], [4, 3, 3], [2, 4, 6]) == 864
    with pytest.raises(AssertionError, match=r"matmul: inner dimensions must match \(k == k2\), got 4 and 3"):
        flop_counter.mm_flop((2, 4), (3, 2))
    with pytest.raises(AssertionError, match=r"query heads \(3\) must be a multiple of key/value heads \(2\)"):
        flop_counter.sdpa_flop_count((1, 3, 4, 4), (1, 2, 4, 4), (1, 2, 4, 4))


def test_module_tracker():
    seen = []

    class Watch(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            seen.append((sorted(tracker.parents), tracker.is_bw))
            return x * 1

        @staticmethod
        def backward(ctx, grad):
            seen.append((sorted(tracker.parents), tracker.is_bw))
            return grad

    class Part(nn.Module):
        def forward(self, x):
            return Watch.apply(x)

    net = nn.Sequential(nn.Identity(), nn.Sequential(Part()))
    with ModuleTracker() as tracker:
        y = net(grad(2))
        assert tracker.parents == {"Global"}
        y.sum().backward()
        assert tracker.parents == {"Global"} and not tracker.is_bw
    names = ["Global", "Sequential", "Sequential.1", "Sequential.1.0"]
    assert seen == [(names, False), (names, True)]


def test_callbacks_at_the_end_of_backward():
    seen, x = [], grad(2)
    with pytest.raises(RuntimeError, match="Final callbacks can only be installed during backward pass."):
        Variable._execution_engine.queue_callback(lambda: None)

    def first():
        seen.append(("first", x.grad is not None))
        Variable._execution_engine.queue_callback(lambda: seen.append("added"))

    def hook(grad):
        Variable._execution_engine.queue_callback(first)
        Variable._execution_engine.queue_callback(lambda: seen.append("second"))

    y = x * 2
    y.register_hook(hook)
    y.sum().backward(retain_graph=True)
    assert seen == [("first", True), "second", "added"]

    def fail():
        raise KeyError("here")
    y.register_hook(lambda grad: Variable._execution_engine.queue_callback(fail))
    with pytest.raises(KeyError, match="here"):
        y.sum().backward()
