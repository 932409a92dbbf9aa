# SPDX-License-Identifier: BSD-3-Clause
"""Compares autograd.Function with PyTorch's recorded results (cases/function_cases.py); also tests the lifetime of ctx and
of saved tensors, threads, and long chains."""
import gc
import threading
import weakref

import function_cases
import pytest
import recorded
from autograd_cases import run

import corten

FACTS = recorded.read('python/function')


@pytest.mark.parametrize('case', function_cases.CASES, ids=lambda c: c.__name__)
def test_case(case):
    assert run(corten, case) == FACTS[case.__name__]


class Exp(corten.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[0]


class Holds(corten.autograd.Function):
    """ctx and its result refer to each other."""

    @staticmethod
    def forward(ctx, x):
        ctx.y = x * 2
        return ctx.y

    @staticmethod
    def backward(ctx, g):
        return g * 2


@pytest.fixture
def x():
    return corten.ones(3, requires_grad=True)


def test_ctx_goes_with_the_result(x):
    y = Exp.apply(x)
    gone = weakref.ref(y.grad_fn)
    assert gone() is not None
    del y
    assert gone() is None


def test_ctx_goes_with_the_graph(x):
    y = Exp.apply(x)
    gone = weakref.ref(y.grad_fn)
    z = y * 2
    del y
    assert gone() is not None
    del z
    assert gone() is None


def test_a_cycle_through_ctx_is_collected(x):
    gc.collect()
    y = Holds.apply(x)
    y.sum().backward(retain_graph=True)
    gone, tensor = weakref.ref(y.grad_fn), weakref.ref(y)
    del y
    assert gone() is not None
    gc.collect()
    assert gone() is None and tensor() is None


def test_collecting_leaves_what_is_used(x):
    y = Holds.apply(x)
    z = y * 3
    del y
    gc.collect()
    z.sum().backward()
    assert x.grad.tolist() == [6, 6, 6]


def test_ctx_that_holds_itself(x):
    y = Exp.apply(x)
    y.grad_fn.me = y.grad_fn
    gc.collect()
    assert y.grad_fn.me is y.grad_fn
    y.sum().backward()
    assert x.grad is not None
    gone = weakref.ref(y.grad_fn)
    del y
    gc.collect()
    assert gone() is None


def test_a_kept_grad_fn_keeps_the_graph(x):
    fn = Exp.apply(x).grad_fn
    gc.collect()
    assert fn.saved_tensors[0].grad_fn is fn
    assert fn.next_functions[0][0].variable is x


def test_saved_tensors_are_freed_by_backward(x):
    kept = []

    class Keep(corten.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            inner = x * 2
            kept.append(weakref.ref(inner))
            ctx.save_for_backward(inner)
            return inner * 2

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    y = Keep.apply(x)
    assert kept[0]() is not None
    y.sum().backward()
    assert kept[0]() is None


def test_many_calls_leave_nothing(x):
    Exp.apply(x).sum().backward()
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(200):
        Exp.apply(x).sum().backward()
        Exp.apply(x)
    gc.collect()
    assert len(gc.get_objects()) <= before + 5


def test_long_chain(x):
    class Same(corten.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return g

    y = x
    for _ in range(20_000):
        y = Same.apply(y)
    y.sum().backward()
    assert x.grad.tolist() == [1, 1, 1]
    del y


def test_threads(x):
    wrong = []

    def work():
        for _ in range(50):
            try:
                w = corten.ones(3, requires_grad=True)
                Exp.apply(Holds.apply(w)).sum().backward()
                shared.sum().backward(retain_graph=True)
                if (w.grad - 14.7781).abs().max() > 1e-3:
                    wrong.append(w.grad)
            except Exception as error:
                wrong.append(error)

    shared = Exp.apply(x)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong
    assert (x.grad / 200 - 2.71828).abs().max() < 1e-3


def test_backward_within_backward(x):
    class Checkpoint(corten.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.sin()

        @staticmethod
        def backward(ctx, g):
            with corten.enable_grad():
                inner = ctx.saved_tensors[0].detach().requires_grad_()
                inner.sin().backward(g)
            return inner.grad

    y = Checkpoint.apply(Checkpoint.apply(x)).sum()
    y.backward()
    expected = x.detach().clone().requires_grad_()
    expected.sin().sin().sum().backward()
    assert x.grad.tolist() == expected.grad.tolist()


def test_also_by_its_other_names():
    from corten.autograd.function import Function, FunctionCtx
    assert corten.autograd.Function is Function
    assert issubclass(Function, FunctionCtx)


def test_deterministic_class_names():
    class Inner(Exp):
        pass
    assert Inner.apply(corten.ones(1, requires_grad=True)).grad_fn.name() == 'InnerBackward'


# ---- saving a view that forward writes ----

def square_in_place(save):
    """x *= x. Backward needs the old x, which is the square root of the saved one."""
    class Square(corten.autograd.Function):
        @staticmethod
        def forward(ctx, x, other):
            ctx.mark_dirty(x)
            x.mul_(x)
            ctx.save_for_backward(save(x, other))
            return x

        @staticmethod
        def backward(ctx, gradient):
            saved, = ctx.saved_tensors
            return gradient * 2 * saved.reshape(gradient.shape).sqrt(), None
    return Square


SAVED_VIEWS = {"the view": lambda x, other: x, "another view": lambda x, other: other, "its base": lambda x, other: x._base,
               "a new view": lambda x, other: x.view_as(x), "a transposed view": lambda x, other: x.t().t()}


@pytest.mark.parametrize("saved", SAVED_VIEWS)
@pytest.mark.parametrize("used", [False, True])
def test_a_written_view_that_is_saved_is_freed(saved, used):
    def call():
        base = corten.ones(2, 2, requires_grad=True).clone()
        x = base.view_as(base)
        y = square_in_place(SAVED_VIEWS[saved]).apply(x, base.view_as(base))
        if used:
            y.sum().backward(retain_graph=True)
        return [weakref.ref(t) for t in (base, x, y)]
    assert [r() for r in call()] == [None] * 3


@pytest.mark.parametrize("saved", SAVED_VIEWS)
def test_derivatives_of_a_written_view_that_is_saved(saved):
    f = square_in_place(SAVED_VIEWS[saved])

    def call(x):
        base = x * 1
        y = f.apply(base.view_as(base), base.view_as(base))
        return y * base

    x = corten.rand(2, 2, dtype=corten.float64, requires_grad=True)
    assert corten.autograd.gradcheck(call, x) and corten.autograd.gradgradcheck(call, x)
