# SPDX-License-Identifier: BSD-3-Clause
"""Edge cases of autograd. test_autograd_edges.py runs them with Corten and compares the results with PyTorch's, which
`make record` writes to tests/recorded/python/autograd_edge.json.gz.
"""
import copy

from autograd_cases import leaf, run
from function_cases import made
from graph_cases import warned

CASES = []


def case(function):
    CASES.append(function)
    return function


@case
def backward_with_inputs(torch, say):
    x, y = leaf(torch, 2), leaf(torch, 2)
    z = x * y
    w = z * x
    for f in (
        lambda: w.sum().backward(inputs=[x], retain_graph=True), lambda: w.sum().backward(inputs=y, retain_graph=True),
        lambda: w.sum().backward(inputs=[z], retain_graph=True), lambda: w.sum().backward(inputs=[x, x], retain_graph=True),
        lambda: w.sum().backward(inputs=[torch.ones(2)], retain_graph=True), lambda: w.sum().backward(inputs=[]),
        lambda: w.sum().backward(inputs=[leaf(torch)], retain_graph=True), lambda: w.sum().backward(inputs=[3]),
        lambda: w.sum().backward(inputs=3), lambda: w.sum().backward(torch.tensor(2.), True, False, [x]),
        lambda: w.sum().backward(inputs=(x, z), retain_graph=True),
        lambda: w.sum().backward(inputs={'x': x}, retain_graph=True),
    ):
        say(f, x.grad, y.grad, z.retains_grad)
        x.grad = y.grad = None
    for f in (
        lambda: w.backward(), lambda: w.backward(torch.ones(2, 1)[:, 0], True), lambda: w.backward(torch.ones(3)),
        lambda: w.backward(torch.ones(2, dtype=torch.complex64)),
        lambda: torch.ones(2).backward(), lambda: w.backward(3), lambda: w.backward(torch.ones(2, dtype=torch.int64)),
        lambda: x.backward(x),
        lambda: w.sum().to(torch.complex64).backward(), lambda: w.backward([torch.ones(2)]),
    ):
        say(f)


@case
def order_of_hooks(torch, say):
    x, log = leaf(torch, 2), []
    y = x * 2
    y.register_hook(lambda g: (log.append('a'), g + 1)[1])
    y.retain_grad()
    y.register_hook(lambda g: (log.append('b'), g * 2)[1])
    y.grad_fn.register_prehook(lambda g: (log.append('pre'), (g[0] + 100,))[1])
    y.grad_fn.register_hook(lambda i, o: log.append(('post', i, o)))
    acc = (x * 1).grad_fn.next_functions[0][0]
    acc.register_prehook(lambda g: log.append(('acc pre', g)))
    acc.register_hook(lambda i, o: log.append(('acc post', i, o)))
    x.register_hook(lambda g: log.append(('x', g)))
    x.register_post_accumulate_grad_hook(lambda p: log.append(('done', p.grad.clone())))
    y.sum().backward()
    say(log, y.grad, x.grad)
    log.clear()
    g = torch.autograd.grad((x * 3).sum(), x)
    say(g, log)
    log.clear()
    a, b = (x * 1).unbind()
    a.register_hook(lambda g: log.append(('a', g)))
    b.register_hook(lambda g: log.append(('b', g)))
    a.grad_fn.register_prehook(lambda g: log.append(('node', g)))
    a.grad_fn.register_hook(lambda i, o: log.append(('after', o)))
    a.backward()
    say(log)
    nothing = made(torch, lambda c, x: x * 1, lambda c, g: None)
    log.clear()
    y = x * 2
    y.register_hook(lambda g: log.append(('undefined', g)))
    y.grad_fn.register_prehook(lambda g: log.append(('pre', g)))
    y.grad_fn.register_hook(lambda i, o: log.append(('post', i, o)))
    nothing.apply(y).sum().backward()
    say(log)


@case
def refused_hooks(torch, say):
    x = leaf(torch, 2)
    y = x * 2
    for f in (
        lambda: torch.ones(1).register_hook(print), lambda: y.register_post_accumulate_grad_hook(print),
        lambda: torch.ones(1).register_post_accumulate_grad_hook(print), lambda: torch.ones(1).retain_grad(),
        lambda: x.retain_grad(),
    ):
        say(f)

    def hooked(hook, on='tensor'):
        y = x * 2
        if on == 'tensor':
            y.register_hook(hook)
        elif on == 'post':
            y.grad_fn.register_hook(hook)
        elif on == 'pre':
            y.grad_fn.register_prehook(hook)
        else:
            y = x.detach().clone().requires_grad_()
            y.register_post_accumulate_grad_hook(hook)
        y.sum().backward()
    for f in (
        lambda: hooked(lambda g: 3), lambda: hooked(lambda g: g[:1]), lambda: hooked(lambda g: g.double()),
        lambda: hooked(lambda g: (g,)), lambda: hooked(lambda: 3), lambda: hooked(lambda g: {}['k']),
        lambda: hooked(lambda i, o: 3, 'post'), lambda: hooked(lambda i, o: (i[0],), 'post'),
        lambda: hooked(lambda i, o: i[0] * 2, 'post'), lambda: hooked(lambda i, o: (i[0] * 2, None), 'post'),
        lambda: hooked(lambda i, o: (None, None), 'post'), lambda: hooked(lambda g: (g[0], g[0]), 'pre'),
        lambda: hooked(lambda g: g[0] * 3, 'pre'), lambda: hooked(lambda g: (g[0] * 3,), 'pre'),
        lambda: hooked(lambda g: (g[0][:1],), 'pre'), lambda: hooked(lambda g: [g[0]], 'pre'),
        lambda: hooked(lambda p: 3, 'leaf'), lambda: hooked(lambda p: None, 'leaf'),
    ):
        x.grad = None
        say(f, x.grad)


@case
def handles(torch, say):
    x, log = leaf(torch, 2), []
    h = x.register_hook(lambda g: log.append(1))
    with x.register_hook(lambda g: log.append(2)) as inner:
        (x * 2).sum().backward()
    (x * 2).sum().backward()
    h.remove()
    h.remove()
    (x * 2).sum().backward()
    say(log, type(h).__name__, inner is not None)

    def once(g):
        log.append('once')
        once.handle.remove()
    once.handle = x.register_hook(once)
    (x * 2).sum().backward()
    (x * 2).sum().backward()
    say(log)
    y = x * 2
    y.register_hook(lambda g: y.register_hook(lambda g: log.append('late')) and None)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    say(log)


@case
def requires_grad_rules(torch, say):
    x = leaf(torch, 2)
    y = x * 2
    i = torch.ones(2, dtype=torch.int64)
    for f in (
        lambda: i.requires_grad_(), lambda: setattr(i, 'requires_grad', True), lambda: i.requires_grad_(False),
        lambda: setattr(y, 'requires_grad', False), lambda: y.requires_grad_(False), lambda: y.requires_grad_(True),
        lambda: setattr(y, 'requires_grad', True), lambda: setattr(x, 'requires_grad', 3), lambda: x.requires_grad_(3),
        lambda: setattr(x, 'requires_grad', None), lambda: delattr(x, 'requires_grad'), lambda: x.requires_grad_('a'),
        lambda: torch.tensor([1], requires_grad=True), lambda: torch.ones(2, dtype=torch.bool, requires_grad=True),
        lambda: torch.ones(2, dtype=torch.complex64, requires_grad=True), lambda: torch.arange(3, requires_grad=True),
        lambda: setattr(x, 'is_leaf', 3), lambda: setattr(x, 'grad_fn', 3), lambda: y.detach_().requires_grad,
        lambda: x[:1].detach_(), lambda: x.detach_().requires_grad, lambda: torch.tensor(x, requires_grad=True),
    ):
        say(lambda: warned(f))


@case
def assigned_gradients(torch, say):
    x = leaf(torch, 2)
    for g in (3, torch.ones(3), torch.ones(2, dtype=torch.float64), torch.ones(2, dtype=torch.int64), torch.ones(2), None,
              torch.ones(1, 2), 'a', [1., 2.]):
        say(lambda: setattr(x, 'grad', g), x.grad)
    say(lambda: setattr(x, 'grad', x), lambda: delattr(x, 'grad'), x.grad)
    y = x * 2
    say(lambda: warned(lambda: y.grad), y.requires_grad)
    y.grad = torch.ones(2)
    say(lambda: warned(lambda: y.grad))
    z = torch.ones(2)
    z.grad = torch.ones(2)
    say(z.grad, lambda: warned(lambda: (x * 2)[0].grad))
    g = torch.ones(2)
    x.grad = g
    (x * 3).sum().backward()
    say(x.grad is g, g)
    x.grad.zero_()
    (x * 3).sum().backward(create_graph=True)
    say(x.grad is g, x.grad.requires_grad, g)


@case
def writes_that_are_refused(torch, say):
    x = leaf(torch, 4)
    y = x * 1
    a, b = y.split(2)
    c = y.unbind()[0]
    with torch.no_grad():
        quiet = y.view(2, 2)
        v = x.view(2, 2)
    for f in (
        lambda: x.add_(1), lambda: x[:2].add_(1), lambda: a.add_(1), lambda: c.mul_(2), lambda: quiet.add_(1),
        lambda: v.add_(1), lambda: x.view(2, 2)[0].zero_(), lambda: x.t_(), lambda: x.resize_(2), lambda: y.resize_(2),
        lambda: x.__setitem__(0, 1.), lambda: x.__iadd__(1), lambda: torch.add(x, 1, out=torch.ones(4)),
        lambda: torch.add(torch.ones(4), 1, out=x), lambda: torch.add(torch.ones(4), 1, out=y), lambda: x.fill_(1),
        lambda: x.copy_(torch.ones(4)), lambda: torch.ones(4).copy_(x), lambda: x.data.add_(1), lambda: x.detach().mul_(1),
        lambda: y.expand(2, 4).add_(1), lambda: x.set_(torch.ones(2)), lambda: x.normal_(), lambda: x.squeeze_(),
        lambda: torch.ones(4).expand(2, 4).requires_grad_().add_(1),
    ):
        say(f)
    with torch.inference_mode():
        n = torch.ones(4)
        m = torch.ones(4)
    for f in (lambda: m.add_(1), lambda: n * x, lambda: n.requires_grad_(), lambda: m.view(2, 2).add_(1), lambda: n + x,
              lambda: n._version, lambda: n.is_inference(), lambda: (n * 2).is_inference(), lambda: n.detach() * x,
              lambda: x.is_inference(), lambda: n.clone() * x):
        say(f)
    with torch.inference_mode():
        say(lambda: x.add_(1), lambda: (x * 2).requires_grad, lambda: x.view(2, 2).add_(1), lambda: n.add_(1), n._is_view())


@case
def versions(torch, say):
    x = torch.ones(4)
    say(x._version)
    v, d, data = x.view(2, 2), x.detach(), x.data
    v.add_(1)
    say(x._version, v._version, d._version, data._version)
    data.add_(1)
    d.mul_(2)
    x[0] = 3
    x += 1
    torch.add(x, 1, out=x)
    say(x._version, v._version, d._version, data._version)
    x.requires_grad_()
    with torch.no_grad():
        x.mul_(2)
    x.zero_grad if hasattr(x, 'zero_grad') else None
    x.grad = torch.ones(4)
    say(x._version, lambda: setattr(x, '_version', 3))
    x.data = torch.zeros(4)
    x.t_() if x.dim() > 1 else None
    say(x._version)
    x = torch.ones(4)
    x.resize_(2)
    x.squeeze_()
    x.set_(torch.ones(3))
    say(x._version, x.clone()._version)


@case
def modes_as_decorators(torch, say):
    x = leaf(torch, 1)

    @torch.no_grad()
    def quiet(a, b=2):
        """Doc."""
        return (x * a * b).requires_grad

    @torch.no_grad
    def bare():
        return torch.is_grad_enabled()

    @torch.enable_grad()
    def loud():
        return torch.is_grad_enabled()

    @torch.set_grad_enabled(False)
    def off():
        return torch.is_grad_enabled()

    @torch.inference_mode()
    def inference():
        return torch.is_inference_mode_enabled(), torch.is_grad_enabled(), (x * 2).is_inference()

    @torch.inference_mode
    def inference_bare():
        return torch.is_inference_mode_enabled()

    @torch.inference_mode(mode=False)
    def no_inference():
        return torch.is_inference_mode_enabled()

    @torch.no_grad()
    def generator():
        got = yield torch.is_grad_enabled()
        while got != 'end':
            try:
                got = yield got, torch.is_grad_enabled()
            except ValueError:
                got = 'caught'
        return 'result'
    say(quiet(1), quiet.__name__, quiet.__doc__, bare(), off(), inference(), inference_bare(), no_inference())
    with torch.no_grad():
        say(loud(), torch.is_grad_enabled())
    g = generator()
    say(next(g), torch.is_grad_enabled(), g.send(5), torch.is_grad_enabled(), g.throw(ValueError), torch.is_grad_enabled())
    say(lambda: g.send('end'), torch.is_grad_enabled())

    def decorated_class():
        @torch.no_grad()
        class Net:
            def __init__(self):
                self.mode = torch.is_grad_enabled()

            def forward(self):
                return torch.is_grad_enabled()
        n = Net()
        return n.mode, n.forward()
    say(lambda: warned(decorated_class))
    with torch.no_grad():
        with torch.enable_grad():
            say((x * 2).requires_grad)
        say((x * 2).requires_grad, torch.ones(1, requires_grad=True).requires_grad)
        with torch.set_grad_enabled(True):
            say(torch.is_grad_enabled())
        torch.set_grad_enabled(True)
        say(torch.is_grad_enabled())
    say(torch.is_grad_enabled(), lambda: torch.set_grad_enabled('a'))
    say(repr(torch.no_grad()).split(' object')[0], torch.set_grad_enabled(True))
    with torch.inference_mode(False):
        say(torch.is_inference_mode_enabled())
    with torch.inference_mode():
        with torch.enable_grad():
            say((x * 2).requires_grad, torch.is_grad_enabled())
        with torch.inference_mode(False):
            say((x * 2).requires_grad)


@case
def nodes_of_operations(torch, say):
    x, y = leaf(torch, 3), leaf(torch, 3)
    fn = (x * y).grad_fn
    say(fn.name(), fn, type(fn).__name__, len(fn.next_functions), fn.metadata, fn.requires_grad)
    say(fn._sequence_nr() < (x * y).grad_fn._sequence_nr(), fn is fn, lambda: fn.nothing)
    say(fn(torch.ones(3)), lambda: fn(), lambda: fn(torch.ones(3), torch.ones(3)))
    acc = fn.next_functions[0][0]
    say(acc.name(), acc.variable is x, acc.next_functions, lambda: fn.variable)
    say(x.exp().grad_fn(torch.ones(3)), x.sum().grad_fn(torch.tensor(2.)), (x > 0).grad_fn)
    say(x.unbind()[1].grad_fn.name(), x.unbind()[1].output_nr, lambda: acc(torch.ones(3)), x.grad)
    say(hasattr(fn, '_saved_self'), fn._saved_self is x, fn._saved_other is y)
    say(x.exp().grad_fn._saved_result, (x ** 3).grad_fn._saved_exponent)
    e = x.exp()
    e.sum().backward()
    say(lambda: e.grad_fn._saved_result)


@case
def copies(torch, say):
    x = leaf(torch, 2)
    x.grad = torch.ones(2)
    y = copy.deepcopy(x)
    say(y, y.grad, y.is_leaf, y.grad is x.grad)
    say(lambda: copy.deepcopy(x * 2), lambda: copy.copy(x) is x, lambda: copy.copy(x).grad)
    say((x * 2).clone().grad_fn.name(), x.clone().detach().requires_grad, x.data.requires_grad, x.data.grad)
    z = x * 2
    z.detach_()
    say(z, z.grad_fn, z.is_leaf)
    w = x * 2
    w.data = torch.zeros(2)
    say(w, lambda: w.sum().backward())
    with torch.no_grad():
        x.copy_(torch.ones(2) * 5)
    say(x)
    x.grad = None
    x = torch.ones(2, requires_grad=True)
    x.data = torch.ones(3)
    (x * 2).sum().backward()
    say(x, x.grad, lambda: setattr(x, 'data', torch.ones(3, dtype=torch.int64)), lambda: setattr(x, 'data', 3))


@case
def functions_in_use(torch, say):
    x = leaf(torch, 3)
    F = made(torch, lambda c, x: (c.save_for_backward(x), x * 2)[1], lambda c, g: g * c.saved_tensors[0])
    y = F.apply(x)
    y.retain_grad()
    y.register_hook(lambda g: g * 2)
    y.sum().backward()
    say(x.grad, y.grad)
    with torch.inference_mode():
        n = torch.ones(3)
    say(lambda: F.apply(n), lambda: made(torch, lambda c, a, b: (c.save_for_backward(b), a * b)[1], lambda c,
        g: (g, None)).apply(x, n))
    x.grad = None
    z = F.apply(F.apply(x).view(3, 1)[:, 0])
    say(z)
    z.sum().backward()
    say(x.grad)
    y = F.apply(x)
    y.mul_(2)
    say(y, y._version)
    y.sum().backward()
    y = F.apply(x)[:2]
    y.mul_(2)
    say(y)
    y.sum().backward()
    say(x.grad)
    v = F.apply(x)
    w = v.detach()
    say(w.requires_grad, v.clone().grad_fn.name())

    def nested(c, x):
        with torch.enable_grad():
            t = x.detach().requires_grad_()
            c.t = t
            c.r = t ** 2
            return c.r.detach()
    N = made(torch, nested, lambda c, g: torch.autograd.grad(c.r, c.t, g)[0])
    x.grad = None
    N.apply(x).sum().backward()
    say(x.grad)
    L = made(torch, lambda c, xs: xs[0] * 2, lambda c, g: None)
    say(L.apply([x, x]))
    T = made(torch, lambda c, *xs: tuple(x * 2 for x in xs), lambda c,
        *gs: tuple(None if g is None else g * 2 for g in gs))
    a, b = T.apply(x, leaf(torch, 2))
    say(a, b, a.grad_fn is b.grad_fn, b.output_nr)
    say(torch.autograd.grad(a.sum(), x))
    S = made(torch, lambda c, x: x.sum(), lambda c, g: g.expand(3))
    x.grad = None
    S.apply(x).backward()
    say(x.grad, x.grad.stride())
    C = made(torch, lambda c, x: x + 0j, lambda c, g: g)
    say(C.apply(x))
    say(lambda: C.apply(x).sum().abs().backward())
    say(F.apply(x).dtype, made(torch, lambda c, x: x.double(), lambda c, g: (say(g.dtype),
        g)[1]).apply(x).sum().backward(), x.grad.dtype)
    h = made(torch, lambda c, x: x.half(), lambda c, g: (say(g.dtype), g)[1]).apply(x)
    h.sum().backward()
    I = made(torch, lambda c, x, i: x[i], lambda c, g: (torch.zeros(3).index_add(0, i, g), None))
    i = torch.tensor([0, 2])
    x.grad = None
    I.apply(x, i).sum().backward()
    say(x.grad)
    G = made(torch, lambda c, x, i: x[i], lambda c, g: (g.sum().expand(3), torch.ones(2)))
    say(lambda: G.apply(x, i).sum().backward())
    P = made(torch, lambda c, x: (c.save_for_backward(), x * 2)[1], lambda c, g: (say(c.saved_tensors), g)[1])
    P.apply(x).sum().backward()
    Q = made(torch, lambda c, x: (setattr(c, 'to_save', 3), x * 2)[1])
    say(lambda: Q.apply(x))
    R = made(torch, lambda c, x: (c.save_for_backward([x]), x * 2)[1])
    say(lambda: R.apply(x))
    D = made(torch, lambda c, x: (setattr(c, 'dirty_tensors', 3), x * 2)[1])
    say(lambda: D.apply(x))
    M = made(torch, lambda c, x: (c.mark_non_differentiable(x), x * 2)[1], lambda c, g: g)
    say(M.apply(x))
    say(lambda: x.grad_fn, F.apply(x).sum().grad_fn.next_functions[0][0].name())


@case
def gradients_in_use(torch, say):
    x = leaf(torch, 3)
    A = torch.autograd
    for f in (
        lambda: A.grad(x.exp(), x, torch.ones(3), create_graph=True)[0].requires_grad,
        lambda: A.grad((x * x).sum(), x, create_graph=True)[0].grad_fn is not None,
        lambda: A.grad(x, x, torch.ones(3)), lambda: A.grad([x, x], [x, x], [torch.ones(3)] * 2),
        lambda: A.grad(x * 2, x, torch.ones(3, dtype=torch.float64))[0].dtype,
        lambda: A.grad(x.double(), x, torch.ones(3, dtype=torch.float64))[0].dtype, lambda: A.grad((x * 2)[0], x),
        lambda: A.grad(x[0], x), lambda: A.grad(torch.stack([x, x]).sum(), x),
        lambda: A.grad(x.sum(), x, torch.ones(1)), lambda: A.grad(x.sum(), x, (torch.ones(()),)),
        lambda: A.grad(x.detach().sum(), x), lambda: A.grad(x.sum(), x.detach()), lambda: A.grad('a', x),
        lambda: A.grad(x.sum(), 'a'), lambda: A.grad(x.sum(), [x, None]), lambda: A.grad(None, x),
        lambda: A.grad([None], x), lambda: A.functional.jacobian(lambda x: x ** 2, x),
        lambda: A.functional.hessian(lambda x: (x ** 3).sum(), x),
        lambda: A.functional.jacobian(lambda x: x ** 2, x, vectorize=True),
        lambda: A.functional.jvp(torch.sin, x.detach(), torch.ones(3)),
        lambda: A.functional.vjp(torch.sin, x.detach(), torch.ones(3)),
    ):
        say(lambda: warned(f))
    y = x * 2
    y.backward(torch.ones(3), retain_graph=True)
    say(lambda: y.backward(torch.ones(3)), lambda: y.backward(torch.ones(3)))
    z = (x * 2).exp()
    z.sum().backward()
    say(lambda: z.sum().backward())
    t = torch.ones(3)
    t.requires_grad = True
    t.requires_grad = False
    say(t.requires_grad, t.is_leaf)
    say(lambda: torch.ones(3).grad, x.grad_fn, x.is_leaf, (x * 1).is_leaf, x.retains_grad)
    p = x.view(3)
    p.retain_grad()
    p.sum().backward()
    say(p.grad)
    q = x * 1
    r = q[:2]
    r.retain_grad()
    q.mul_(3)
    r.sum().backward()
    say(r.grad)
    say(lambda: x.register_hook(3) and None, lambda: x.sum().backward())


@case
def views_in_use(torch, say):
    x = leaf(torch, 4)
    y = x * 1
    v = y[:2]
    w = y.view(2, 2)
    v.mul_(2)
    say(y, v, w)
    w[1].add_(5)
    say(y.grad_fn.name(), v.grad_fn.name())
    y.sum().backward()
    say(x.grad)
    y = x * 1
    v = y.t()
    with torch.no_grad():
        y.mul_(3)
    v.sum().backward()
    say(x.grad)
    b = torch.zeros(2, 2)
    b[0] = x[:2]
    say(b, b.is_leaf)
    b[1].copy_(x[2:])
    b.sum().backward()
    say(x.grad)
    y = x * 1
    a = y.narrow(0, 0, 2)
    a.zero_()
    y.sum().backward()
    say(x.grad)
    y = x * 1
    d = y.detach()
    d.add_(1)
    say(lambda: (y * y).sum().backward(), y._version)
    e = x.exp()
    e.detach().add_(1)
    say(lambda: e.sum().backward())
    m = torch.zeros(4)
    m[x.detach() > 2] = x[2:]
    m.sum().backward()
    say(x.grad)
    u = x * 1
    u[0] = 7
    u[[1, 2]] = u[[2, 3]]
    say(u)
    u.sum().backward()
    say(x.grad)
    base = torch.ones(4)
    vv = base[:2].requires_grad_()
    say(lambda: base.add_(1), vv, vv.is_leaf)
    (vv * 2).sum().backward()
    say(vv.grad)
    c = x.chunk(2)
    say(lambda: c[0].add_(1))
    s = (x * 1).split([1, 3])
    say(lambda: s[1].mul_(2))
    y = x * 1
    z = y.expand(2, 4)
    y.add_(1)
    say(z)
    z.sum().backward()
    say(x.grad)
    y = torch.view_as_complex((x * 1).view(2, 2))
    y.mul_(1j)
    say(y)
    y.abs().sum().backward()
    say(x.grad)


def facts(torch):
    return {case.__name__: run(torch, case) for case in CASES}
