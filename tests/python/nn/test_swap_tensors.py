# SPDX-License-Identifier: BSD-3-Clause
"""swap_tensors, and modules that convert or load their parameters by swapping (torch.__future__)."""
import pytest

import corten
from corten import nn


# ---- identity ----

def test_swap_tensors_exchanges_everything():
    a, b = nn.Parameter(corten.tensor([1.0, 2.0])), corten.zeros(3, dtype=corten.int64)
    a.grad, a.note = corten.tensor([5.0, 6.0]), "first"
    held = [a, b]
    corten.utils.swap_tensors(a, b)
    assert type(a) is corten.Tensor and type(b) is nn.Parameter and held[0] is a
    assert a.tolist() == [0, 0, 0] and a.dtype == corten.int64 and a.grad is None and not hasattr(a, "note")
    assert b.tolist() == [1.0, 2.0] and b.grad.tolist() == [5.0, 6.0] and b.note == "first" and b.requires_grad
    (b * 3).sum().backward()
    assert b.grad.tolist() == [8.0, 9.0]


def test_swap_tensors_refuses_what_is_held():
    import weakref
    a, b = corten.ones(2, requires_grad=True), corten.zeros(2)
    seen = weakref.ref(a)
    with pytest.raises(RuntimeError, match="Cannot swap t1 because it has weakref associated with it"):
        corten.utils.swap_tensors(a, b)
    del seen
    result = a * a
    with pytest.raises(RuntimeError, match="Expected use_count of t2 to be 1 or 2 with an AccumulateGrad node but got"):
        corten.utils.swap_tensors(b, a)
    result.sum().backward()
    assert a.grad.tolist() == [2.0, 2.0]

    class Slotted(corten.Tensor):
        __slots__ = ("more",)
    with pytest.raises(RuntimeError, match="Cannot swap t1 and t2 if they have different slots"):
        corten.utils.swap_tensors(corten.ones(2).as_subclass(Slotted), b)


# ---- torch.__future__ ----

@pytest.fixture(params=["overwrite", "swap"])
def conversion(request):
    module = vars(corten)["__future__"] if "__future__" in vars(corten) else corten.__future__
    switch = getattr(module, f"set_{request.param}_module_params_on_conversion")
    switch(True)
    yield request.param
    switch(False)


def test_conversion_of_parameters(conversion):
    net = nn.Linear(2, 3)
    weight, bias = net.weight, net.bias
    weight.grad, values = corten.ones(3, 2), net.weight.tolist()
    grad = weight.grad
    assert net.double() is net
    same = conversion == "swap"
    assert (net.weight is weight) == same and (net.bias is bias) == same and (net.weight.grad is grad) == same
    assert net.weight.dtype == net.weight.grad.dtype == corten.float64 and net.weight.requires_grad
    assert net.weight.tolist() == values and isinstance(net.weight, nn.Parameter)
    assert weight.dtype == (corten.float64 if same else corten.float32)
    net.to("meta")
    assert net.weight.is_meta and (net.weight is weight) == same


def test_a_swap_that_fails_says_where():
    from importlib import import_module
    switches = import_module("corten.__future__")
    net = nn.Linear(2, 3)
    out = net(corten.ones(1, 2, requires_grad=True))  # holds the weight
    switches.set_swap_module_params_on_conversion(True)
    try:
        with pytest.raises(RuntimeError, match=r"_apply\(\): Couldn't swap Linear.weight"):
            net.double()
    finally:
        switches.set_swap_module_params_on_conversion(False)
    out.sum().backward()
    assert net.weight.dtype == corten.float32 and net.weight.grad is not None


def test_loading_by_swapping():
    from importlib import import_module
    switches = import_module("corten.__future__")
    net, other = nn.Linear(2, 3), nn.Linear(2, 3).double()
    weight = net.weight
    switches.set_swap_module_params_on_conversion(True)
    try:
        net.load_state_dict(other.state_dict())
        assert net.weight is weight and weight.dtype == corten.float32 and isinstance(weight, nn.Parameter)
        assert weight.tolist() == other.weight.float().tolist()
        net.load_state_dict(other.state_dict(), assign=True)
        assert net.weight is weight and weight.dtype == corten.float64 and weight.data_ptr() == other.weight.data_ptr()
        wrong = {"weight": corten.zeros(3, 2), "bias": corten.zeros(4)}
        with pytest.raises(RuntimeError, match="size mismatch for bias"):
            net.load_state_dict(wrong)
        assert net.weight.tolist() == other.weight.tolist()
    finally:
        switches.set_swap_module_params_on_conversion(False)
