# SPDX-License-Identifier: BSD-3-Clause
"""Functional optimizer steps such as torch.optim.adam.adam, and an optimizer whose parameters are swapped within a block."""
import importlib

import pytest

import corten as torch
from corten.optim import swap_in_optimizer_params_and_state

BETAS = dict(beta1=.9, beta2=.99)
# function, class, keys of the state lists, options of the function, options that the class spells differently
CASES = [
    ("adadelta", "Adadelta", ["square_avg", "acc_delta"], dict(lr=1., rho=.9, eps=1e-6, weight_decay=.1, maximize=False), {}),
    ("adagrad", "Adagrad", ["sum"], dict(lr=.1, weight_decay=.1, lr_decay=.1, eps=1e-8, maximize=True), {}),
    ("adam", "Adam", ["exp_avg", "exp_avg_sq", "max_exp_avg_sq"],
     dict(BETAS, amsgrad=True, lr=.1, weight_decay=.1, eps=1e-8, maximize=False), {}),
    ("adamw", "AdamW", ["exp_avg", "exp_avg_sq", None], dict(BETAS, amsgrad=False, lr=.1, weight_decay=.1, eps=1e-8, maximize=False), {}),
    ("adamax", "Adamax", ["exp_avg", "exp_inf"], dict(BETAS, lr=.1, weight_decay=.1, eps=1e-8), {}),
    ("asgd", "ASGD", ["ax", "mu", "eta"], dict(lambd=.01, lr=.1, t0=1., alpha=.7, weight_decay=.1), {}),
    ("nadam", "NAdam", ["exp_avg", "exp_avg_sq", "mu_product"], dict(BETAS, lr=.1, weight_decay=.1, momentum_decay=.004, eps=1e-8), {}),
    ("radam", "RAdam", ["exp_avg", "exp_avg_sq"], dict(BETAS, lr=.1, weight_decay=.1, eps=1e-8), {}),
    ("rmsprop", "RMSprop", ["square_avg", "grad_avg", "momentum_buffer"],
     dict(lr=.1, alpha=.9, eps=1e-8, weight_decay=.1, momentum=.5, centered=True), {}),
    ("rprop", "Rprop", ["prev", "step_size"], dict(step_size_min=1e-6, step_size_max=50., etaminus=.5, etaplus=1.2),
     dict(step_sizes=(1e-6, 50.), etas=(.5, 1.2), lr=.1)),
]


def function(name):
    return getattr(importlib.import_module(f"corten.optim.{name}"), name)


@pytest.mark.parametrize("name, cls, lists, options, changed", CASES, ids=[case[0] for case in CASES])
def test_a_function_steps_as_its_class(name, cls, lists, options, changed):
    start, grads = [torch.tensor([1., -2, 3]), torch.tensor([.5])], [torch.tensor([.3, .1, -1]), torch.tensor([2.])]
    params = [p.clone().requires_grad_() for p in start]
    given = changed or {k: v for k, v in options.items() if k not in BETAS} | ({"betas": (.9, .99)} if "beta1" in options else {})
    optimizer = getattr(torch.optim, cls)(params, **given)

    def step():
        for p, g in zip(params, grads):
            p.grad = g.clone()
        optimizer.step()

    step()  # the first step creates the states
    lists = [[optimizer.state[p][key].clone() for p in params] if key else [] for key in lists]
    steps = [optimizer.state[p]["step"].clone() for p in params]
    own = [p.detach().clone() for p in params]
    for _ in range(3):
        step()
        function(name)(own, grads, *lists, steps, **options)
    for p, q, s in zip(params, own, steps):
        torch.testing.assert_close(p.detach(), q, rtol=0, atol=0)
        assert s.item() == 4
    with pytest.raises(RuntimeError, match="`state_steps` argument must contain a list of singleton tensors"):
        function(name)(own, grads, *lists, [4., 4.], **options)


SGD = dict(weight_decay=0, momentum=.9, lr=.1, dampening=0, nesterov=False, maximize=False)


def test_sgd_makes_its_momentum():
    p, buffers = torch.ones(2), [None]
    for want in ([.9, .9], [.71, .71]):
        torch.optim.sgd.sgd([p], [torch.ones(2)], buffers, **SGD)
        torch.testing.assert_close(p, torch.tensor(want))
    torch.testing.assert_close(buffers[0], torch.tensor([1.9, 1.9]))


def test_what_a_scaler_asks_of_a_fused_step():
    p, grad = torch.ones(2), torch.full((2,), 8.)
    torch.optim.sgd.sgd([p], [grad], [None], fused=True, found_inf=torch.tensor(1.), **SGD)
    assert p.tolist() == [1, 1]
    torch.optim.sgd.sgd([p], [grad], [None], fused=True, grad_scale=torch.tensor(8.), found_inf=torch.tensor(0.), **SGD)
    torch.testing.assert_close(p, torch.tensor([.9, .9]))
    with pytest.raises(AssertionError, match="Expected grad_scale and found_inf to be None"):
        torch.optim.sgd.sgd([p], [grad], [None], grad_scale=torch.tensor(8.), **SGD)


def test_a_recorded_step_of_a_function():
    x = torch.tensor([1., 2., 3.], requires_grad=True)
    y = x * 1
    torch.optim.sgd.sgd([y], [x * 2], [None], **{**SGD, "momentum": 0})
    y.sum().backward()
    torch.testing.assert_close(x.grad, torch.full((3,), .8))


def test_sparse_gradients_of_a_function():
    p, total = torch.tensor([1., 2., 3.]), torch.zeros(3)
    grad = torch.sparse_coo_tensor(torch.tensor([[0, 2]]), torch.tensor([1., 2.]), (3,))
    torch.optim.adagrad.adagrad([p], [grad], [total], [torch.tensor(0.)], has_sparse_grad=True, lr=.1, weight_decay=0, lr_decay=0, eps=0.,
                                maximize=False)
    torch.testing.assert_close(p, torch.tensor([.9, 2., 2.9]))
    assert total.tolist() == [1, 0, 4] and p.grad is None
    with pytest.raises(RuntimeError, match="lr as a Tensor is not supported for capturable=False and foreach=True"):
        torch.optim.adam.adam([p], [p], [p], [p], [], [p], foreach=True, lr=torch.tensor(.1), amsgrad=False, weight_decay=0, eps=0.,
                              maximize=False, **BETAS)


def test_swapped_in():
    w, other = torch.nn.Parameter(torch.ones(1)), torch.full((1,), 5.)
    optimizer = torch.optim.SGD([w], lr=1., momentum=.9)
    w.grad, other.grad = torch.ones(1), torch.ones(1)
    with pytest.raises(RuntimeError, match="requires initialized optimizer state"):
        with swap_in_optimizer_params_and_state(optimizer, {"w": other}, optimizer.state_dict()):
            pass
    optimizer.step()
    saved = optimizer.state_dict()
    saved["param_groups"][0]["lr"] = .5
    groups, state = optimizer.param_groups[0]["params"], optimizer.state
    with swap_in_optimizer_params_and_state(optimizer, {"w": other}, saved):
        assert optimizer.param_groups[0]["params"][0] is other and optimizer.param_groups[0]["lr"] == .5
        optimizer.step()
    torch.testing.assert_close(other, torch.tensor([4.05]))
    assert optimizer.param_groups[0]["params"] is groups and optimizer.state is state and optimizer.param_groups[0]["lr"] == 1.
    with pytest.raises(RuntimeError, match=r"Keys only in swap-in: \['more'\]. Keys only in live: \[\]"):
        saved["param_groups"][0]["more"] = 1
        with swap_in_optimizer_params_and_state(optimizer, {"w": other}, saved):
            pass
