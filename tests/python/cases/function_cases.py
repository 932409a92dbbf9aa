# SPDX-License-Identifier: BSD-3-Clause
"""Cases of autograd.Function. test_autograd_function.py runs them with Corten and compares the results with PyTorch's,
which `make record` writes to tests/recorded/python/function.json.gz.
"""
import sys
import warnings

from autograd_cases import run

CASES = []


def case(function):
    CASES.append(function)
    return function


def made(torch, forward, backward=None, **more):
    """Makes a subclass of autograd.Function named My."""
    body = {'forward': staticmethod(forward), **{k: staticmethod(f) for k, f in more.items()}}
    if backward:
        body['backward'] = staticmethod(backward)
    return type('My', (torch.autograd.Function,), body)


def ones(torch, n=3):
    return torch.ones(n, requires_grad=True)


@case
def answers_of_backward(torch, say):
    double = lambda ctx, x, *more: x * 2

    def gradient(backward, *more):
        x = ones(torch)
        y = made(torch, double, backward).apply(x, *more)
        y.sum().backward()
        return y, x.grad
    for backward in (
        lambda c, g: g * 3, lambda c, g: (g,), lambda c, g: (g, g), lambda c, g: (g, None, None), lambda c, g: 3,
        lambda c, g: [g], lambda c, g: 'a', lambda c, g: None, lambda c, g: g[:2], lambda c, g: g.double(), lambda c, g: (),
        lambda c, g: 1 / 0, None, lambda c, g: g.expand(4, 3), lambda c, g: g + 1j, lambda c: None, lambda c, g: g.long(),
    ):
        say(lambda: gradient(backward))
    for backward in (lambda c, g: g, lambda c, g: (g, g), lambda c, g: (g, None), lambda c, g: (g, None, None, g)):
        say(lambda: gradient(backward, 2))


@case
def without_methods(torch, say):
    x = ones(torch)
    F = torch.autograd.Function
    for f in (
        lambda: F.apply(x), lambda: type('E', (F,), {}).apply(x), lambda: made(torch, None).apply(x), lambda: F()(x),
        lambda: made(torch, lambda c, x: x).apply(), lambda: F.setup_context(None, (), None), lambda: F.jvp(None),
        lambda: made(torch, lambda c, x: x * 1, lambda c, g: g, vjp=lambda c, g: g).apply(x).sum().backward(),
        lambda: made(torch, lambda c, x: x * 1, vjp=lambda c, g: g * 5).apply(x).sum().backward(), lambda: x.grad,
        lambda: F.vmap(None, None),
    ):
        say(f)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter('always')
        F()
    say([str(w.message) for w in said])


@case
def saved(torch, say):
    def keep(c, x):
        c.save_for_backward(x)
        return x * 2

    def keep_result(c, x):
        c.save_for_backward(None, x.exp())
        c.save_for_backward(y := x.exp(), None)
        return y
    times = lambda c, g: g * c.saved_tensors[0]
    F, G = made(torch, keep, times), made(torch, keep_result, times)
    x = ones(torch)

    def twice(F, keep):
        y = F.apply(x)
        y.sum().backward(retain_graph=keep)
        y.sum().backward()

    def freed():
        y = F.apply(x)
        y.sum().backward()
        return y.grad_fn.saved_tensors

    def overwritten(F, which):
        w = x * 1
        y = F.apply(w)
        (w if which else y).mul_(2)
        y.sum().backward()
    for f in (
        lambda: twice(F, False), lambda: twice(F, True), lambda: twice(G, False), freed, lambda: overwritten(F, True),
        lambda: overwritten(F, False), lambda: overwritten(G, False), lambda: overwritten(G, True),
        lambda: F.apply(x).grad_fn.saved_tensors[0] is x, lambda: G.apply(x).grad_fn.saved_tensors,
        lambda: made(torch, lambda c, x: (c.save_for_backward(x, 3), x * 2)[1]).apply(x),
        lambda: made(torch, lambda c, x: (c.save_for_backward(x, 3), x * 2)[1]).apply(x.detach()),
        lambda: made(torch, lambda c, x: (c.save_for_backward(x), x * 2, say(c.saved_tensors, c.to_save))[1]).apply(x),
        lambda: F.apply(x).grad_fn.to_save,
    ):
        say(f)


@case
def written_in_place(torch, say):
    def plus(c, x):
        x.add_(1)
        c.mark_dirty(x)
        return x

    def forgot(c, x):
        x.add_(1)
        c.mark_dirty(x)
        return x * 1

    def foreign(c, x):
        y = x * 1
        c.mark_dirty(y)
        return y

    def two(c, x):
        x.add_(1)
        c.mark_dirty(x)
        return x, x * 2

    def copy(c, to, x):
        to.copy_(x)
        c.mark_dirty(to)
        return to
    F = made(torch, plus, lambda c, g: g * 7)
    x = ones(torch)

    def whole(f):
        x.grad = None
        y = f()
        (y[0] if isinstance(y, tuple) else y).sum().backward()
        return y, x.grad
    two_class = made(torch, two, lambda c, g, h: g + h)
    for f in (
        lambda: F.apply(x), lambda: F.apply(x * 1), lambda: F.apply(x[:2]), lambda: F.apply((x * 1)[:2]),
        lambda: made(torch, forgot, lambda c, g: g).apply(x * 1), lambda: made(torch, foreign, lambda c, g: g).apply(x),
        lambda: two_class.apply(x * 1), lambda: two_class.apply((x * 1)[:2]),
        lambda: made(torch, lambda c, x: (c.mark_dirty(3), x)[1]).apply(x),
    ):
        say(lambda: whole(f))
    w = x * 1
    y = F.apply(w)
    say(y is w, w._version, y.is_leaf)
    with torch.no_grad():
        y = F.apply(x)
        say(y is x, y.requires_grad, x._version)
    w = torch.ones(2)
    say(F.apply(w) is w, w._version)
    buffer, rows = torch.zeros(3), torch.zeros(2, 3)
    copying = made(torch, copy, lambda c, g: (None, g * 3))
    say(lambda: whole(lambda: copying.apply(buffer, x)), buffer.requires_grad, buffer._version)
    y = copying.apply(rows[0], x)
    say(rows, y, y._version)
    say(lambda: whole(lambda: rows))
    w = x * 1
    w.retain_grad()
    say(lambda: whole(lambda: F.apply(w)), lambda: w.grad)


@case
def inputs_given_back(torch, say):
    x = ones(torch)
    w = x * 1
    same = made(torch, lambda c, x: x, lambda c, g: g * 7)
    y = same.apply(w)
    say(y is w, y._is_view(), y._base is w, y)
    say(lambda: y.add_(1))
    y = made(torch, lambda c, x: x.view(3, 1), lambda c, g: g[:, 0] * 7).apply(w)
    say(y, lambda: y.add_(1), lambda: y.view(3).add_(1))
    w.add_(1)
    say(lambda: y.sum().backward())
    y, z = made(torch, lambda c, x: (x.view(3, 1), x * 2), lambda c, g, h: g[:, 0] + h).apply(w)
    say(lambda: y.add_(1), lambda: z.add_(1))
    with torch.no_grad():
        y = same.apply(w)
    say(y is w, y._is_view(), y.requires_grad)
    y = same.apply(w.detach())
    say(y._is_view(), y.requires_grad)
    y = made(torch, lambda c, x: (c.mark_non_differentiable(x), x)[1]).apply(w)
    say(y is w, y._is_view(), y.requires_grad, w.requires_grad)
    y, z = made(torch, lambda c, x: (lambda r: (r, r))(x * 2), lambda c, g, h: g + 10 * h).apply(x)
    say(y is z, y.output_nr, lambda: torch.autograd.grad((y * 2 + z).sum(), x))
    y, z = made(torch, lambda c, a, b: (a, a), lambda c, g, h: (g, h)).apply(x, x)
    say(y is z, lambda: torch.autograd.grad((y * 2 + z * 3).sum(), x))


@case
def results_of_all_kinds(torch, say):
    x = ones(torch)

    def see(c, *grads):
        say('backward', grads, c.needs_input_grad, torch.is_grad_enabled())
        return next(g for g in grads if g is not None and g.dtype == torch.float32)
    marked = lambda c, x: (lambda a, b: (c.mark_non_differentiable(b), (a, b))[1])(x * 1, x * 2)
    bare = lambda c, x: (c.set_materialize_grads(False), x * 1, x * 2)[1:]
    for forward in (
        marked, bare, lambda c, x: (x * 1, x * 2, 5, None, 'k'), lambda c, x: (x * 1, x.long()), lambda c, x: (x * 1,),
    ):
        y = made(torch, forward, see).apply(x)
        say(y)
        say(lambda: y[0].sum().backward())
    for forward in (lambda c, x: 5, lambda c, x: [x * 1], lambda c, x: None, lambda c, x: x > 0, lambda c, x: ()):
        say(lambda: made(torch, forward, see).apply(x))
    say(lambda: made(torch, lambda c, x: (c.mark_non_differentiable(3), x)[1]).apply(x))
    say(lambda: made(torch, lambda c, x: (c.set_materialize_grads(3), x)[1]).apply(x))
    quiet = made(torch, lambda c, x: x * 1, lambda c, g: None)
    loud = made(torch, lambda c, x: x * 1, lambda c, g: (say('given', g), g)[1])
    x.grad = None
    quiet.apply(loud.apply(x)).sum().backward()
    say(x.grad)
    both = made(torch, lambda c, a, b: a * b, lambda c, g: (say(c.needs_input_grad), (g, g * 2))[1])
    say(lambda: torch.autograd.grad(both.apply(x, ones(torch)).sum(), x))
    say(lambda: both.apply(x, torch.ones(3)).sum().backward())


@case
def arguments(torch, say):
    x = ones(torch)

    def see(c, x, k=5):
        say('forward', c.needs_input_grad, torch.is_grad_enabled())
        return x * k

    def backward(c, g):
        say('backward', c.needs_input_grad)
        return g, None

    def setup(c, inputs, output):
        say('setup', inputs, output, c.needs_input_grad, torch.is_grad_enabled())
        c.k = inputs[1] if len(inputs) > 1 else None
        c.save_for_backward(inputs[0])
    F = made(torch, see, backward)
    G = made(torch, lambda x, k=5: x * k, lambda c, g: (say(c.saved_tensors, c.k), g, None)[1:], setup_context=setup)
    H = made(torch, lambda c, *args, **kw: x, backward)
    for f in (
        lambda: F.apply(x).sum().backward(), lambda: F.apply(x, 2).sum().backward(), lambda: F.apply(x, k=2).sum().backward(),
        lambda: F.apply(k=2, x=x).sum().backward(), lambda: F.apply(x, x=2), lambda: F.apply(1, 2, 3, x=2),
        lambda: F.apply(x, q=2), lambda: H.apply(x, q=2), lambda: F.apply(3), lambda: F.apply(x.detach(), x),
        lambda: G.apply(x).sum().backward(), lambda: G.apply(x, 2).sum().backward(), lambda: G.apply(k=2, x=x),
        lambda: made(torch, lambda x: x, lambda c, g: g, setup_context=setup).apply(x),
        lambda: made(torch, lambda x, *, k=5: x, lambda c, g: g, setup_context=setup).apply(x, k=2),
    ):
        say(f)
    say(lambda: made(torch, lambda c, x: {}['k']).apply(x), torch.is_grad_enabled())
    with torch.no_grad():
        say(F.apply(x))
    with torch.inference_mode():
        say(F.apply(x))


@case
def derived_twice(torch, say):
    from_module = sys.modules[torch.autograd.Function.__init__.__module__]
    once = from_module.once_differentiable
    cube = made(torch, lambda c, x: (c.save_for_backward(x), x ** 3)[1], lambda c, g: g * 3 * c.saved_tensors[0] ** 2)

    def exp_forward(c, x):
        y = x.exp()
        c.save_for_backward(y)
        return y
    exp = made(torch, exp_forward, lambda c, g: (say(c.saved_tensors[0].requires_grad), g * c.saved_tensors[0])[1])
    first = made(torch, lambda c, x: (c.save_for_backward(x), x ** 3)[1],
                 once(lambda c, g: (say(torch.is_grad_enabled()), g * 3 * c.saved_tensors[0] ** 2)[1]))
    q = torch.tensor([2., 3.], requires_grad=True)
    for F in (cube, exp, first):
        g, = torch.autograd.grad(F.apply(q).sum(), q, create_graph=True)
        say(g)
        say(lambda: torch.autograd.grad(g.sum(), q))
    v = torch.ones(2, requires_grad=True)
    g, = torch.autograd.grad(first.apply(q), q, v, create_graph=True)
    say(g)
    say(lambda: torch.autograd.grad(g.sum(), q))


@case
def nodes(torch, say):
    x = ones(torch)
    F = made(torch, lambda c, x: (c.save_for_backward(x), setattr(c, 'mine', 4), x * 2)[2], lambda c, g: g * c.mine)
    y = F.apply(x)
    fn = y.grad_fn
    say(type(fn), fn.name(), fn, y, fn.next_functions, fn.saved_tensors, fn.needs_input_grad, fn.requires_grad, fn.mine)
    say(fn is y.grad_fn, isinstance(fn, F), F._backward_cls is type(fn), type(fn)._forward_cls is F)
    say(lambda: fn.foo, lambda: fn(torch.ones(3)), lambda: fn.apply(torch.ones(3)), fn.dirty_tensors, fn.metadata)
    say(lambda: setattr(fn, 'saved_tensors', 3), lambda: fn.materialize_grads, lambda: fn.saved_variables)
    z = y * 2
    fn.mine = 5
    del fn, y
    say(z.grad_fn.next_functions[0][0].mine)
    kept = F.apply(x).grad_fn
    say(kept.next_functions, kept.saved_tensors, kept.name())
    y = F.apply(x)
    y.grad_fn.register_hook(lambda gi, go: say('after', gi, go))
    y.grad_fn.register_prehook(lambda go: say('before', go))
    y.register_hook(lambda g: say('tensor', g))
    y.sum().backward()
    say(x.grad, F.apply(x.detach()).grad_fn)

    class Sub(torch.Tensor):
        pass
    s = torch.ones(2).as_subclass(Sub).requires_grad_()
    say(type(F.apply(s)).__name__, type(made(torch, lambda c, x: x, lambda c, g: g).apply(s)).__name__)


@case
def a_backward_runs_inside_itself(torch, say):
    x, depth = torch.ones(2, requires_grad=True), []

    def backward(c, g):
        if len(depth) < 3:
            depth.append(1)
            say('inside', torch.autograd.grad(y, x, torch.ones(2), retain_graph=True)[0])
        return g * c.saved_tensors[0] * 2

    y = made(torch, lambda c, x: (c.save_for_backward(x), x * 2)[1], backward).apply(x)
    y.sum().backward()
    say(x.grad, lambda: y.sum().backward())


def facts(torch):
    return {case.__name__: run(torch, case) for case in CASES}
