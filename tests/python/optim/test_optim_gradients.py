# SPDX-License-Identifier: BSD-3-Clause
"""Gradients through an optimizer's step to its hyperparameters, and options that PyTorch refuses."""
import pytest

import corten as torch

GRADIENTS = [torch.tensor(x, dtype=torch.float64) for x in ([1., -2., 3.], [.5, 1., -.2], [2., .1, .3], [1., 1., -1.], [.3, .4, .5], [1., 2., 1.],
                                                            [.1, .1, .2])]
CASES = [
    ("SGD", dict(lr=.1)), ("SGD", dict(lr=.1, momentum=.9, dampening=.1, weight_decay=.1)), ("SGD", dict(lr=.1, momentum=.9, nesterov=True)),
    ("Adam", dict(lr=.1, betas=(.9, .99), weight_decay=.1)), ("Adam", dict(lr=.1, betas=(.9, .99), amsgrad=True, eps=1e-3)),
    ("AdamW", dict(lr=.1, betas=(.9, .99), weight_decay=.1)),
    ("NAdam", dict(lr=.1, betas=(.9, .99), weight_decay=.1, momentum_decay=.01)),
    ("NAdam", dict(lr=.1, weight_decay=.1, decoupled_weight_decay=True)), ("RAdam", dict(lr=.1, betas=(.9, .99), weight_decay=.1)),
    ("Adamax", dict(lr=.1, betas=(.9, .99), weight_decay=.1)), ("Adagrad", dict(lr=.1, lr_decay=.1, weight_decay=.1)),
    ("Adadelta", dict(lr=.1, rho=.9, eps=1e-3, weight_decay=.1)),
    ("RMSprop", dict(lr=.1, alpha=.9, eps=1e-3, weight_decay=.1, momentum=.5, centered=True)), ("RMSprop", dict(lr=.1, maximize=True)),
    ("ASGD", dict(lr=.1, lambd=.01, alpha=.7, t0=2., weight_decay=.1)), ("Rprop", dict(lr=.1, etas=(.5, 1.2), step_sizes=(.02, .11))),
]


def result(name, options, values):
    """Returns a scalar that depends on all hyperparameters. `values` replaces the numeric options, in order."""
    values = list(values)
    given = {k: (tuple(values.pop(0) for _ in v) if isinstance(v, tuple) else v if isinstance(v, bool) else values.pop(0))
             for k, v in options.items()}
    p = torch.tensor([1., 2., 3.], dtype=torch.float64, requires_grad=True)
    q = p.clone()
    optimizer = getattr(torch.optim, name)([q], differentiable=True, **given)
    for g in GRADIENTS:
        q.grad = g
        optimizer.step()
    return (q * torch.tensor([1., 2., 3.], dtype=torch.float64)).sum()


@pytest.mark.parametrize("name, options", CASES)
def test_gradients_of_hyperparameters(name, options):
    numbers = [x for v in options.values() if not isinstance(v, bool) for x in (v if isinstance(v, tuple) else (v,))]
    tensors = [torch.tensor([x] if i == 0 else x, dtype=torch.float64, requires_grad=True) for i, x in enumerate(numbers)]
    got = torch.autograd.grad(result(name, options, tensors), tensors, allow_unused=name == "ASGD", create_graph=True)
    for i, x in enumerate(numbers):
        step = 1e-6 * max(x, 1e-3)
        up, down = ([n + d * (k == i) for k, n in enumerate(numbers)] for d in (step, -step))
        want = (result(name, options, up) - result(name, options, down)) / (2 * step)
        if name == "ASGD" and i == 3:  # t0 affects only the average
            assert got[i] is None and want == 0
            continue
        # NAdam and ASGD keep some numbers in float32, which makes difference quotients inaccurate
        tolerance = 0.2 if name in ("NAdam", "ASGD") else 1e-4
        assert abs(got[i].sum().item() - want.item()) <= tolerance * max(1, abs(want.item())), (name, i)


def test_a_second_derivative():
    lr = torch.tensor(.1, dtype=torch.float64, requires_grad=True)
    decay = torch.tensor(.2, dtype=torch.float64, requires_grad=True)
    p = torch.ones(3, dtype=torch.float64, requires_grad=True)
    q = p.clone()
    q.grad = torch.ones(3, dtype=torch.float64)
    torch.optim.AdamW([q], lr=lr, weight_decay=decay, differentiable=True).step()  # q = p (1 - lr decay) - lr
    first, = torch.autograd.grad(q.sum(), lr, create_graph=True)
    assert abs(first.item() + 3.6) < 1e-6
    assert abs(torch.autograd.grad(first, decay)[0].item() + 3) < 1e-6


def test_a_tensor_without_gradient_is_a_number():
    p = torch.ones(2, requires_grad=True)
    p.grad = torch.ones(2)
    optimizer = torch.optim.Adam([p], lr=torch.tensor(.1), betas=(torch.tensor([.9]), torch.tensor([.99])))
    assert [b.shape for b in optimizer.defaults["betas"]] == [(), ()]
    optimizer.step()
    torch.testing.assert_close(p.detach(), torch.tensor([.9, .9]))


def test_refused_options():
    p = torch.ones(2, requires_grad=True)
    p.grad = torch.ones(2)
    beta = torch.tensor(.9)
    for cls in (torch.optim.Adam, torch.optim.AdamW):
        with pytest.raises(ValueError, match="lr as a Tensor is not supported for capturable=False and foreach=True"):
            cls([p], lr=torch.tensor(.1), foreach=True)
        with pytest.raises(ValueError, match=r"betas\[0\] as a Tensor is not supported for capturable=False and foreach=True"):
            cls([p], betas=(beta, beta), foreach=True)
        cls([p], lr=torch.tensor(.1), foreach=True, capturable=True)
    for name, what in (("Adam", "params and state_steps"), ("NAdam", "params, mu_products and state_steps"), ("RMSprop", "params and"),
                       ("ASGD", "params, mus, etas, and state_steps")):
        with pytest.raises(AssertionError, match=f"If capturable=True, {what} .*must be on supported devices: .'cuda', 'xpu'|{what}"):
            getattr(torch.optim, name)([p], capturable=True).step()


def test_the_counter_has_the_default_type():
    torch.set_default_dtype(torch.float64)
    try:
        p = torch.ones(2, requires_grad=True)
        p.grad = torch.ones(2)
        optimizer = torch.optim.Adam([p])
        optimizer.step()
        assert optimizer.state[p]["step"].dtype == torch.float64
    finally:
        torch.set_default_dtype(torch.float32)
