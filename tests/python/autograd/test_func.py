# SPDX-License-Identifier: BSD-3-Clause
"""torch.func: grad and its relatives, functional_call, and vmap."""
import pytest

import corten as torch
from corten import nn
from corten.func import (functional_call, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, stack_module_state, vjp, vmap)

X = torch.tensor([0.3, -0.7, 1.1], dtype=torch.float64)
Y = torch.tensor([1.5, 0.2, -0.4], dtype=torch.float64)


def close(a, b):
    return torch.allclose(a, b, 1e-12, 1e-14) and not a.requires_grad


def test_gradients():
    assert close(grad(lambda x: x.sin().sum())(X), X.cos())
    both = grad(lambda x, y: (x * y).sum(), argnums=(0, 1))(X, Y)
    assert close(both[0], Y) and close(both[1], X)
    assert close(grad(lambda d: (d["a"] * d["b"]).sum())({"a": X, "b": Y})["b"], X)
    g, (value, aux) = grad_and_value(lambda x: ((x ** 2).sum(), x + 1), has_aux=True)(X)
    assert close(g, 2 * X) and close(value, (X ** 2).sum()) and close(aux, X + 1)


@pytest.mark.parametrize("result", (lambda x: x[:2], lambda x: [x.sum(), x], lambda x: (x.sum(), x, x)))
def test_what_is_no_pair_is_no_result_with_aux(result):
    for call, name in ((lambda: grad(result, has_aux=True)(X), r"grad_and_value\(f\)\(\*args\)"),
                       (lambda: vjp(result, X, has_aux=True), r"vjp\(f, \*primals\)"),
                       (lambda: jvp(result, (X,), (Y,), has_aux=True), r"jvp\(f, primals, tangents\)"),
                       (lambda: jacrev(result, has_aux=True)(X), r"vjp\(f, \*primals\)"),
                       (lambda: jacfwd(result, has_aux=True)(X), r"jvp\(f, primals, tangents\)")):
        with pytest.raises(RuntimeError, match=name + r": output of function f should be a tuple: \(output, aux\)"):
            call()


def test_derivatives_nest():
    assert grad(grad(lambda x: x ** 3))(torch.tensor(2.0)).item() == 12
    assert grad(lambda x: grad(lambda y: x * y ** 2)(torch.tensor(3.0)))(torch.tensor(2.0)).item() == 6
    w = torch.ones(3, dtype=torch.float64, requires_grad=True)
    assert grad(lambda x: (x * x * w).sum())(X).requires_grad  # it depends on w too


def test_both_directions():
    out, back = vjp(lambda x: x.sin(), X)
    assert close(out, X.sin()) and close(back(Y)[0], X.cos() * Y)
    out, moved = jvp(lambda x, y: x.sin() * y, (X, Y), (Y, X))
    assert close(out, X.sin() * Y) and close(moved, X.cos() * Y * Y + X.sin() * X)
    assert close(linearize(lambda x: x.sin(), X)[1](Y), X.cos() * Y)


def test_matrices():
    want = torch.diag(X.cos())
    assert close(jacrev(lambda x: x.sin())(X), want) and close(jacfwd(lambda x: x.sin())(X), want)
    assert close(jacfwd(lambda x: x.cumsum(0))(X), torch.ones(3, 3, dtype=torch.float64).tril())
    a, b = jacrev(lambda x, y: x * y, argnums=(0, 1))(X, Y)
    assert close(a, torch.diag(Y)) and close(b, torch.diag(X))
    assert close(hessian(lambda x: (x ** 3).sum())(X), torch.diag(6 * X))


def test_batches():
    rows = torch.arange(6.0).view(2, 3)
    assert vmap(torch.dot)(rows, torch.ones(2, 3)).tolist() == [3, 12]
    assert vmap(lambda x, y: x + y, in_dims=(0, None), out_dims=1)(rows, torch.ones(3)).tolist() == (rows + 1).t().tolist()
    assert vmap(lambda x: x.sum(), in_dims=1)(rows).tolist() == [3, 5, 7]
    assert torch.vmap(torch.vmap(lambda x: x * 2))(rows).tolist() == (rows * 2).tolist()
    one, two = vmap(lambda x: (x, {"a": x + 1}))(torch.ones(2))
    assert one.tolist() == [1, 1] and two["a"].tolist() == [2, 2]
    each = vmap(grad(lambda w, x: (w * x).sin().sum()), in_dims=(None, 0))(X, torch.stack([X, Y]))
    assert close(each, torch.stack([(X * X).cos() * X, (X * Y).cos() * Y]))
    with pytest.raises(ValueError, match="expected `in_dims` to be int"):
        vmap(torch.sin, in_dims="a")(rows)


def test_modules():
    net = nn.Linear(3, 2).double()
    params = dict(net.named_parameters())
    found = grad(lambda p: functional_call(net, p, (X,)).sum())({k: v.detach() for k, v in params.items()})
    assert close(found["weight"], X.expand(2, 3)) and net.weight.grad is None
    stacked, buffers = stack_module_state([nn.Linear(3, 2) for _ in range(4)])
    assert stacked["weight"].shape == (4, 2, 3) and stacked["weight"].requires_grad and buffers == {}
    plain = nn.Linear(3, 2)
    assert vmap(lambda p: functional_call(plain, p, (torch.ones(3),)))(stacked).shape == (4, 2)
