# SPDX-License-Identifier: BSD-3-Clause
"""Forward mode in torch.func: jvp, jacfwd, linearize and hessian of functions that can be differentiated only once."""
import pytest

import corten as torch
from corten.autograd import forward_ad
from corten.autograd.function import once_differentiable
from corten.func import grad, hessian, jacfwd, jacrev, jvp, linearize, vjp, vmap

X, V = torch.tensor([3., 4.]), torch.tensor([1., 2.])


class Square(torch.autograd.Function):
    """x * x with a jvp and a backward that cannot be differentiated."""
    generate_vmap_rule = True
    forward = staticmethod(lambda x: x * x)
    backward = staticmethod(once_differentiable(lambda ctx, g: 2 * ctx.saved_tensors[0] * g))
    jvp = staticmethod(lambda ctx, t: 2 * ctx.saved_tensors[0] * t)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)


class Blind(Square):
    """Square without a jvp."""
    jvp = torch.autograd.Function.jvp


class Forwards(Square):
    """Square without a backward."""
    backward = torch.autograd.Function.backward


apply = Square.apply  # programs often bind apply at import time, outside all levels


@pytest.mark.parametrize("f", (apply, Forwards.apply, lambda x: Square.apply(x)))
def test_the_jvp_of_a_function_is_used(f):
    assert jvp(f, (X,), (V,))[1].tolist() == [6, 16]
    assert jacfwd(f)(X).tolist() == [[6, 0], [0, 8]]
    assert linearize(f, X)[1](V).tolist() == [6, 16]
    assert jvp(lambda x: jvp(f, (x,), (V,))[1], (X,), (V,))[1].tolist() == [2, 8]
    assert jacfwd(jacfwd(f))(torch.tensor(3.)).item() == 2
    with forward_ad.dual_level():
        assert forward_ad.unpack_dual(f(forward_ad.make_dual(X, V))).tangent.tolist() == [6, 16]


def test_second_derivatives_of_a_function():
    assert hessian(lambda x: apply(x).sum())(X).tolist() == [[2, 0], [0, 2]]
    assert jacrev(jacfwd(apply))(torch.tensor(3.)).item() == 2


@pytest.mark.parametrize("derive", (lambda f: jvp(f, (X,), (V,)), lambda f: jacfwd(f)(X), lambda f: linearize(f, X),
                                    lambda f: jvp(lambda x: jvp(f, (x,), (V,))[1], (X,), (V,)),
                                    lambda f: jvp(lambda x: jvp(f, (x,), (V,))[1], (X,), (V,))))
def test_without_a_jvp_is_an_error(derive):
    with pytest.raises(NotImplementedError, match="You must implement the jvp function"):
        derive(Blind.apply)
    derive(lambda x: x * Blind.apply(torch.ones(2)))  # the function's input does not depend on x


def test_forwards_over_backwards_and_back():
    cube = lambda x: x ** 3  # noqa: E731
    assert jvp(grad(lambda x: cube(x).sum()), (X,), (V,))[1].tolist() == [18, 48]
    assert jvp(lambda x: vjp(cube, x)[1](V)[0], (X,), (V,))[1].tolist() == [18, 96]
    assert vjp(lambda x: jvp(cube, (x,), (V,))[1], X)[1](V)[0].tolist() == [18, 96]
    assert hessian(cube)(torch.tensor(3.)).item() == 18
    assert jvp(lambda x: jvp(lambda x: jvp(lambda x: x ** 4, (x,), (V,))[1], (x,), (V,))[1], (X,), (V,))[1].tolist() == [72, 768]
    with forward_ad.dual_level():
        moved = grad(lambda x: cube(x).sum())(forward_ad.make_dual(X, V))
        assert forward_ad.unpack_dual(moved).tangent.tolist() == [18, 48]
    w = V.clone().requires_grad_()
    kept = jvp(lambda x: x * x * w, (X,), (V,))[1]
    assert torch.autograd.grad(kept.sum(), w)[0].tolist() == [6, 16]
    assert not torch.autograd.grad(jvp(cube, (w,), (V,))[1].sum(), w)[0].requires_grad
    assert not any(x.requires_grad for x in jvp(grad(lambda x: cube(x).sum()), (X,), (V,)))


def test_linearize_runs_the_function_once():
    calls = []

    def f(x, y):
        calls.append(1)
        return x * y * torch.rand(()), x.sin()
    value, push = linearize(f, X, V)
    one, two = push(V, X), push(2 * V, 2 * X)
    assert len(calls) == 1 and torch.equal(one[0] * 2, two[0]) and torch.equal(one[1], X.cos() * V)
    with pytest.raises(RuntimeError, match="doesn't match the shape"):
        push(V, torch.ones(3))


def test_derivatives_of_a_backward_that_runs_once():
    slope = grad(lambda x: apply(x).sum())
    assert jvp(slope, (X,), (V,))[1].tolist() == linearize(slope, X)[1](V).tolist() == [2, 4]
    with pytest.raises(RuntimeError, match="marked with @once_differentiable"):
        jvp(lambda x: jvp(slope, (x,), (V,))[1], (X,), (V,))


def test_numbers_without_dims():
    x = torch.tensor(3.)
    assert jacrev(lambda x: x * x)(x).item() == 6 and jacfwd(lambda x: x * x)(x).item() == 6
    assert vmap(jacrev(lambda x: x * x))(torch.arange(3.)).tolist() == [0, 2, 4]
    assert jacrev(lambda x: x.sum())(X).tolist() == [1, 1] and jacfwd(lambda x: x * X)(x).tolist() == [3, 4]


def set_data(x):
    y = torch.zeros(2)
    y.data = x
    return y


@pytest.mark.parametrize("leave", (lambda x: torch.from_numpy(x.numpy()), set_data))
def test_ways_out_of_a_derivative(leave):
    for derive in (lambda: jvp(leave, (X,), (V,)), lambda: grad(lambda x: leave(x).sum())(X), lambda: jacfwd(leave)(X)):
        with pytest.raises(RuntimeError):
            derive()
    assert jvp(lambda x: x * leave(x.detach()), (X,), (V,))[1].tolist() == [3, 8]


def test_what_is_refused():
    with pytest.raises(RuntimeError, match="The output of f is independent of the inputs"):
        jvp(lambda x: torch.ones(2), (X,), (V,), strict=True)
    with pytest.raises(RuntimeError, match="The output of f is independent of the inputs"):
        jvp(lambda x: jvp(lambda y: torch.ones(2), (x,), (V,), strict=True), (X,), (V,))
    assert jvp(lambda x: torch.ones(2), (X,), (V,))[1].tolist() == [0, 0]
    with pytest.raises(ValueError, match="Expected primal to be floating point or complex"):
        jvp(lambda x: x, (torch.arange(2),), (V,))
    with pytest.raises(RuntimeError, match="jacrev: Expected all inputs to be real"):
        jacrev(lambda x: x)(X + 0j)
    with pytest.raises(RuntimeError, match="jacfwd: Expected all outputs to be real"):
        jacfwd(lambda x: x * 1j)(X)
    with pytest.raises(ValueError, match="`chunk_size` should be greater than 0"):
        jacrev(lambda x: x, chunk_size=0)(X)
    with pytest.raises(RuntimeError, match="argnums elements must be unique"):
        jacrev(lambda x: x, argnums=(0, 0))(X)
    with pytest.raises(RuntimeError, match="vjp.*All outputs of f must be floating-point or complex"):
        vjp(lambda x: x.argmax(), X)
