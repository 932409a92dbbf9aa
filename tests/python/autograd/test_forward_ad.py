# SPDX-License-Identifier: BSD-3-Clause
"""Forward-mode derivatives through views, in-place writes and custom functions, and the interface of dual numbers.
tests/ops/test_gradients.py tests the forward derivative of every operation."""
import pytest

import corten as torch
import corten.autograd.forward_ad as fw

X = [[1.0, 2.0], [3.0, 4.0]]
T = [[1.0, 0.5], [-1.0, 2.0]]


@pytest.fixture
def x():
    return torch.tensor(X, dtype=torch.float64)


@pytest.fixture
def t():
    return torch.tensor(T, dtype=torch.float64)


def tangent(y):
    return fw.unpack_dual(y).tangent


def test_plain(x, t):
    with fw.dual_level():
        dual = fw.make_dual(x, t)
        y = (dual * dual).sin()
        primal, along = fw.unpack_dual(y)
        assert torch.allclose(along, 2 * x * t * (x * x).cos()) and torch.equal(primal, (x * x).sin())
        for seen in (dual, y, primal, along):
            assert not seen.requires_grad and seen.grad_fn is None and seen.is_leaf and "grad" not in repr(seen)
        assert y.numpy().shape == (2, 2) and dual.data_ptr() == x.data_ptr()
        assert tangent(x) is None and tangent(dual.detach()) is None and tangent(dual.long()) is None
        assert torch.equal(tangent(dual.round()), torch.zeros(2, 2, dtype=torch.float64))
    assert tangent(y) is None and not y.requires_grad


def test_writes_and_views(x, t):
    with fw.dual_level():
        dual = fw.make_dual(x.clone(), t)
        dual.mul_(2)
        row = dual[0]
        row.exp_()
        assert torch.allclose(tangent(dual)[0], (2 * x[0]).exp() * 2 * t[0]) and torch.equal(tangent(dual)[1], 2 * t[1])
        assert torch.equal(tangent(row), tangent(dual)[0])
        out = torch.zeros(3, 2, dtype=torch.float64)
        out[1:] = fw.make_dual(x, t)
        out[0] = out[1] * out[2]  # overwrites an operand that the product saved
        assert torch.equal(tangent(out), torch.cat([(t[0] * x[1] + x[0] * t[1])[None], t]))


def test_backwards_too(x, t):
    w = x.clone().requires_grad_()
    with fw.dual_level():
        y = (fw.make_dual(w, t) ** 3).sum()
        assert y.requires_grad and tangent(y).requires_grad
        grad, = torch.autograd.grad(tangent(y), w, retain_graph=True)
        assert torch.allclose(grad, 6 * x * t)
        grad, = torch.autograd.grad(y, w)  # forward mode over reverse mode
        assert torch.allclose(grad, 3 * x * x) and torch.allclose(tangent(grad), 6 * x * t)


def test_complex():
    x, t = torch.tensor([1 + 2j, -1j], dtype=torch.complex128), torch.tensor([0.5j, 2 - 1j], dtype=torch.complex128)
    with fw.dual_level():
        dual = fw.make_dual(x, t)
        assert torch.allclose(tangent(dual.exp()), x.exp() * t) and torch.equal(tangent(dual.conj()), t.conj())
        assert torch.allclose(tangent(dual.abs()), (x.conj() * t).real / x.abs()) and torch.equal(tangent(dual.real), t.real)


def test_function(x, t):
    class Own(torch.autograd.Function):
        @staticmethod
        def forward(a, b):
            return a * b, a + b

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_forward(*inputs)
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx, g, h):
            a, b = ctx.saved_tensors
            return g * b + h, g * a + h

        @staticmethod
        def jvp(ctx, ta, tb):
            a, b = ctx.saved_tensors
            return 10 * (ta * b + tb * a), ta + tb

    class Forwards(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, k):
            ctx.result = a.exp() * k
            return ctx.result

        @staticmethod
        def jvp(ctx, ta, tk):
            assert tk is None
            return ta * ctx.result

    class Backwards(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    w = x.clone().requires_grad_()
    with fw.dual_level():
        first, second = Own.apply(fw.make_dual(x, t), x)
        assert torch.equal(tangent(first), 10 * t * x) and torch.equal(tangent(second), t)
        assert torch.allclose(tangent(Forwards.apply(fw.make_dual(x, t), 2.0)), 2 * x.exp() * t)
        first, _ = Own.apply(fw.make_dual(w, t), x)
        assert torch.equal(torch.autograd.grad(first.sum(), w)[0], x) and torch.equal(tangent(first), 10 * t * x)
        with pytest.raises(NotImplementedError, match="You must implement the jvp function"):
            Backwards.apply(fw.make_dual(x, t))
    assert torch.equal(Backwards.apply(x), 2 * x)


def test_levels(x, t):
    with torch.no_grad(), fw.dual_level():
        assert torch.equal(tangent(fw.make_dual(x, t) * 2), 2 * t)
    assert torch.is_grad_enabled()

    @fw.dual_level()
    def run():
        return tangent(fw.make_dual(x, t).cumsum(0))
    assert torch.equal(run(), t.cumsum(0)) and torch.equal(run(), t.cumsum(0))
    with fw.dual_level() as level:
        assert level == 0
        for call, kind, text in ((fw.enter_dual_level, RuntimeError, "Nested forward mode AD is not supported at the moment"),
                                 (lambda: fw.make_dual(x, t[0]), RuntimeError, "a different size than that of the original Tensor"),
                                 (lambda: fw.make_dual(x.long(), t), ValueError, "Expected primal to be floating point or complex, but got: torch.int64"),
                                 (lambda: fw.make_dual(x, t.long()), ValueError, "Expected tangent to be floating point"),
                                 (lambda: fw.make_dual(fw.make_dual(x, t), t), RuntimeError, "already has a forward gradient at the same level 0"),
                                 (lambda: fw.exit_dual_level(level=3), RuntimeError, "not the last one")):
            with pytest.raises(kind, match=text):
                call()
    for call in (lambda: fw.make_dual(x, t), fw.exit_dual_level):
        with pytest.raises(RuntimeError):
            call()


def test_agrees_with_func(x, t):
    def f(a):
        return torch.linalg.inv(a) @ torch.nn.functional.softmax(a, 1)
    with fw.dual_level():
        mine = tangent(f(fw.make_dual(x, t)))
    assert torch.allclose(mine, torch.func.jvp(f, (x,), (t,))[1])
    assert torch.allclose(mine, torch.einsum("ijkl,kl->ij", torch.func.jacfwd(f)(x), t))
    assert torch.allclose(mine, torch.func.linearize(f, x)[1](t))


def test_network():
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.LayerNorm(8), torch.nn.GELU(), torch.nn.Linear(8, 3))
    x, t = torch.randn(5, 4), torch.randn(5, 4)
    with fw.dual_level():
        mine = tangent(net(fw.make_dual(x, t)))
    step = 1e-2
    assert torch.allclose(mine, (net(x + step * t) - net(x - step * t)) / (2 * step), atol=1e-3)
    torch.autograd.gradcheck(lambda a: a.sin() * a, (x.double().requires_grad_(),), check_forward_ad=True)
    with pytest.raises(torch.autograd.gradcheck.__globals__["GradcheckError"]):
        torch.autograd.gradcheck(lambda a: a * a.detach(), (x.double().requires_grad_(),), check_forward_ad=True, check_backward_ad=False)


def test_no_grad_leaves_tangents_alone():
    """no_grad only stops reverse mode from recording; tangents still propagate. Expected values are PyTorch 2.15's."""
    x, t = torch.tensor([1., 2., 3.]), torch.tensor([1., 10., 100.])
    leaf = x.clone().requires_grad_()
    with torch.no_grad(), fw.dual_level():  # no_grad outside the level
        assert tangent(fw.make_dual(x, t) * 2).tolist() == [2, 20, 200]
    with fw.dual_level():
        dual, both = fw.make_dual(x, t), fw.make_dual(leaf, t)
        with torch.no_grad():  # no_grad inside the level
            assert tangent(dual[1:]).tolist() == [10, 100] and tangent(dual @ dual).item() == 642
            square = both * both
            assert not square.requires_grad and tangent(square).tolist() == [2, 40, 600]
            y = torch.zeros(3)
            y.copy_(dual)
            assert tangent(y.mul_(2)).tolist() == [2, 20, 200]
            y[0] = dual[2]
            assert tangent(y).tolist() == [100, 20, 200] and tangent(dual.detach()) is None
            leaf.add_(1)  # allowed, since leaf has no tangent
            assert leaf.is_leaf and leaf.requires_grad and not (leaf * 2).requires_grad and not torch.sin(leaf).requires_grad
            assert torch.mul(leaf, 2, out=torch.empty(3)).tolist() == [4, 6, 8]
            assert not torch.stack([leaf, leaf]).requires_grad
        assert (leaf * 2).requires_grad and (both * 2).requires_grad
    with torch.no_grad():
        assert not (leaf * 2).requires_grad
