# SPDX-License-Identifier: BSD-3-Clause
"""Autograd cases. test_autograd.py runs them with Corten and compares the results with PyTorch's, which `make record`
writes to tests/recorded/python/autograd.json.gz.

Each case is a function of the module under test and a recorder `say`, which records values. For a function argument,
`say` records its result, or the exception that it raises.
"""
import gc
import re
import warnings
import weakref

CASES = []


def case(function):
    CASES.append(function)
    return function


def run(torch, function):
    """Runs a case and returns the recorded values as text."""
    lines = []

    def say(*values):
        texts = []
        for v in values:
            try:
                texts.append(str(v() if isinstance(v, type(run)) else v))
            except Exception as e:
                texts.append(f'{type(e).__name__}: {e}')
        lines.append(re.sub(r' object at 0x[0-9a-f]+', '', ' | '.join(texts)))

    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        function(torch, say)
    return '\n'.join(lines)


def leaf(torch, n=4):
    return torch.arange(1., n + 1).requires_grad_()


@case
def names(torch, say):
    a = torch.ones(2, 3, requires_grad=True)
    i = torch.zeros(1, 3, dtype=torch.long)
    for f in (
        lambda: a[0], lambda: a[:, 1], lambda: a[None], lambda: a[..., 0:1], lambda: a[[0, 1]], lambda: a[a > 0],
        lambda: a.sum(0), lambda: a.sum(), lambda: a.mean(1), lambda: a.mean(), lambda: a.max(1)[0], lambda: a.max(),
        lambda: a.min(), lambda: a.std(0), lambda: a.var(), lambda: a.norm(), lambda: a.cumsum(0), lambda: a.sort()[0],
        lambda: a.gather(0, i), lambda: a.scatter_add(0, i, a), lambda: a.index_select(0, torch.tensor([0])),
        lambda: a.masked_select(a > 0), lambda: a.t().contiguous(), lambda: a.permute(1, 0), lambda: a.unfold(1, 2, 1),
        lambda: a.as_strided((2,), (1,)), lambda: a.squeeze(), lambda: a.unsqueeze(0), lambda: a.reshape(3, 2),
        lambda: a.flatten(), lambda: a.double(), lambda: torch.where(a > 0, a, 0.), lambda: a @ a.t(),
        lambda: a @ torch.ones(3), lambda: a.expand(2, 2, 3), lambda: a.pow(2), lambda: a ** a, lambda: 2 ** a,
        lambda: a / 2, lambda: a.abs(), lambda: a.amax(0), lambda: a.unbind()[0], lambda: a.split(1)[0],
        lambda: a.view(6), lambda: a.view_as(a), lambda: a.select(0, 0), lambda: a.narrow(0, 0, 1),
        lambda: a.diagonal(), lambda: torch.maximum(a, a), lambda: a.floor(), lambda: a.sign(), lambda: a.rsqrt(),
        lambda: a.log1p(), lambda: a.expm1(), lambda: a.sigmoid(), lambda: a.relu(), lambda: a.clone(),
        lambda: torch.cat([a, a]), lambda: torch.stack([a, a]), lambda: a.masked_fill(a > 0, 0.), lambda: a.contiguous(),
        lambda: a.argmax(), lambda: a.detach(), lambda: a > 0, lambda: a.to(torch.int64),
    ):
        say(lambda: f().grad_fn and type(f().grad_fn).__name__)


@case
def graph(torch, say):
    x = leaf(torch)
    y = x * 2
    n = y.grad_fn
    say(n.name(), len(n.next_functions), n is y.grad_fn, n.next_functions[0][0].name())
    say(type(n.next_functions[0][0]).__name__, n.next_functions[0][0].variable is x, n.next_functions[1])
    say(x.is_leaf, y.is_leaf, x.requires_grad, y.requires_grad, x.grad_fn, y.output_nr)
    say(y)
    say(x.detach().requires_grad, x.data.requires_grad, (x > 0).requires_grad)


@case
def accumulate(torch, say):
    x = leaf(torch, 3)
    (x * x).sum().backward()
    g = x.grad
    say(g, g is x.grad)
    (x * x).sum().backward()
    say(g is x.grad, g)
    (x * x).sum().backward(create_graph=True)
    say(g is x.grad, x.grad.requires_grad, x.grad)
    x.grad = None
    g = torch.ones(3)
    x.backward(g)
    say(x.grad is g, x.grad.data_ptr() == g.data_ptr())
    for w, f in (
        (torch.ones(3, 2).t(), lambda w: w * 2), (torch.ones(3, 2).t(), lambda w: w.contiguous() * 2),
        (torch.ones(1, 3).expand(2, 3), lambda w: w * 2), (torch.ones(2, 3), lambda w: w),
    ):
        w.requires_grad_()
        f(w).sum().backward()
        say(w.grad.stride(), w.grad)


@case
def types(torch, say):
    a = torch.ones(2, requires_grad=True)
    b = torch.ones(3, 1, dtype=torch.float64, requires_grad=True)
    (a * b).sum().backward()
    say(a.grad, b.grad)
    a.grad = None
    c = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
    (a * c).sum().abs().backward()
    say(a.grad, c.grad)
    say(lambda: (a * c).sum().backward())
    say(lambda: (a * 2).backward(torch.ones(2, dtype=torch.float64)), lambda: (a * 2).backward(torch.ones(2, dtype=torch.int64)))
    say(lambda: (a * 2).backward(torch.ones(2, dtype=torch.complex64)))
    for f in (torch.exp, torch.log, torch.sin, torch.tanh, torch.abs, torch.sqrt, lambda z: z ** 2, lambda z: z ** 1.5,
              lambda z: 1 / z, lambda z: z * z.conj(), lambda z: z.real, lambda z: z.imag, torch.view_as_real, lambda z: 2 ** z):
        c.grad = None
        y = f(c)
        y.backward(torch.ones_like(y))
        say([f'{z.real:.4f} {z.imag:.4f}' for z in c.grad.tolist()])


@case
def errors(torch, say):
    x = leaf(torch)
    y = (x * 2).sum()
    say(lambda: (x * 2).backward(), lambda: torch.ones(1).backward())
    say(lambda: y.backward(), lambda: y.backward())
    z = (x + 2).sum()
    say(lambda: z.backward(), lambda: z.backward())
    z = x.exp().sum()
    say(lambda: z.backward(retain_graph=True), lambda: z.backward(), lambda: z.backward())
    say(lambda: torch.autograd.grad(x.sum(), [leaf(torch)]), lambda: torch.autograd.grad(x.sum(), [torch.ones(1)]))
    say(lambda: torch.autograd.grad(x.sum(), [leaf(torch)], allow_unused=True))
    say(lambda: (x * 2).backward(torch.ones(3)), lambda: torch.autograd.backward([x * 2, x * 3], [torch.ones(4)]))
    say(lambda: y.backward(inputs=[]), lambda: (x * 2).sum().backward(inputs=[torch.ones(2)]))
    for value in (torch.ones(3), torch.ones(4, dtype=torch.float64), 3, x):
        say(lambda: setattr(x, 'grad', value))
    ints = torch.ones(3, dtype=torch.int64)
    say(lambda: ints.requires_grad_(), lambda: setattr(ints, 'requires_grad', True))
    say(lambda: torch.ones(3, dtype=torch.int64, requires_grad=True))
    say(lambda: (x * 2).requires_grad_(False), lambda: setattr(x * 2, 'requires_grad', False))
    say(lambda: x[:2].detach_(), lambda: torch.ones(3).retain_grad(), lambda: torch.ones(2).register_hook(print))
    say(lambda: (x * 2).register_post_accumulate_grad_hook(print))
    say(lambda: setattr(x, 'data', ints), lambda: x.numpy())


@case
def overwritten(torch, say):
    x = leaf(torch)

    def spoil(make):
        def attempt():
            a = make()
            b = a * a
            with torch.no_grad():
                a.mul_(2)
            b.sum().backward()
        say(attempt)
    w = torch.ones(2, 2, requires_grad=True)
    for make in (
        lambda: x.sum(0, keepdim=True), lambda: x.clone()[:2], lambda: x.mean(), lambda: w[0], lambda: w.max(0)[0],
        lambda: w.double(), lambda: w.to(torch.bfloat16), lambda: w.clone().unbind()[1], lambda: w.clone().detach().requires_grad_(),
        lambda: x.half(), lambda: x.to(torch.complex64),
    ):
        spoil(make)
    y = x.exp()
    y.mul_(2)
    say(lambda: y.sum().backward())
    y = x * 2
    y.mul_(y)
    say(lambda: y.sum().backward())
    y = x.exp()
    y[0].mul_(2)
    say(lambda: y.sum().backward())


@case
def in_place(torch, say):
    x = leaf(torch)
    say(lambda: x.mul_(2), lambda: x[:2].mul_(2), lambda: x.zero_(), lambda: x.eq_(0))
    y = x * 1
    y.eq_(2)
    y.sum().backward()
    say(x.grad)
    for f in (
        lambda y: y.sin_(), lambda y: y.exp_(), lambda y: y.sigmoid_(), lambda y: y.abs_(), lambda y: y.log_(),
        lambda y: y.sqrt_(), lambda y: y.tanh_(), lambda y: y.reciprocal_(), lambda y: y.mul_(x), lambda y: y.pow_(3),
        lambda y: y.div_(2), lambda y: y.add_(x, alpha=3), lambda y: y.copy_(x * 5), lambda y: y.fill_(2), lambda y: y.zero_(),
        lambda y: y.masked_fill_(x > 2, 0), lambda y: y.clamp_(2, 3), lambda y: y.cumsum_(0),
    ):
        x.grad = None
        y = x * 0.75
        f(y)
        say(type(y.grad_fn).__name__, y._version)
        y.sum().backward()
        say(x.grad)


@case
def views(torch, say):
    x = leaf(torch)
    y = x.clone()
    v = y[:2]
    say(v._base is y, v._is_view(), y._base)
    y.mul_(2)
    say(v.grad_fn, v.requires_grad, y.grad_fn)
    v.mul_(3)
    say(v.grad_fn, y.grad_fn, v.grad_fn.next_functions)
    y.sum().backward()
    say(x.grad)
    b = torch.ones(4)
    v = b[:2]
    b.mul_(x)
    say(v.requires_grad, v.grad_fn, v.is_leaf, b.grad_fn)
    b = torch.ones(4)
    v = b[:2]
    u = b.view(2, 2)
    v.mul_(x[:2])
    say(v.requires_grad, v.grad_fn, b.grad_fn, u.grad_fn, b.grad_fn.next_functions[0])
    x.grad = None
    (u * u).sum().backward()
    say(x.grad)
    for index, value in ((0, 5.), (slice(1, 3), x[:2]), (torch.tensor([0, 2]), x[2:] * 2), (x > 2, 7.)):
        x.grad = None
        y = x * 2
        y[index] = value
        (y * y).sum().backward()
        say(y.grad_fn, x.grad)
    m = torch.arange(6.).view(2, 3).requires_grad_()
    y = m * 1
    y.t()[0] = x[:2]
    y.view(-1)[4] *= 3
    y.diagonal().exp_()
    x.grad = None
    y.sum().backward()
    say(m.grad, x.grad)
    c = torch.ones(3, dtype=torch.complex64, requires_grad=True)
    k = c.clone()
    r = torch.view_as_real(k)
    r.mul_(2)
    say(k.grad_fn, r.grad_fn)
    q = k.conj()
    k.mul_(2)
    say(q.grad_fn)
    r.sum().backward()
    say(c.grad)


@case
def view_rules(torch, say):
    x = leaf(torch)
    with torch.no_grad():
        v = x[:2]
    say(v.requires_grad, v._base is x, v.is_leaf, v.grad_fn, lambda: v.mul_(2))
    y = x.clone()
    with torch.no_grad():
        v = y[:2]
    say(lambda: v.mul_(2), lambda: v[:1].mul_(2), v[:1].grad_fn)
    with torch.no_grad():
        v.mul_(2)
    say(lambda: v.grad_fn, v)
    a, b = x.clone().split(2)
    say(lambda: a.mul_(2), a)
    a = x.clone().unbind()[1]
    say(lambda: a.mul_(2))
    z = torch.ones(4)
    a, b = z.split(2)
    say(lambda: a.mul_(2), lambda: a.mul_(x[:2]))
    with torch.no_grad():
        v = z[:2]
    say(lambda: v.mul_(2), lambda: v.mul_(x[:2]))


@case
def detached(torch, say):
    y = leaf(torch).clone()
    d = y.detach()
    say(d._base, d.requires_grad, d._version, y._version, d.data_ptr() == y.data_ptr())
    d.mul_(2)
    say(y._version, d._version)
    e = y.data
    e.mul_(2)
    say(y._version, e._version)
    y.detach_()
    say(y.requires_grad, y.grad_fn, y.is_leaf)
    p = torch.ones(2, requires_grad=True)
    p.data = torch.zeros(3)
    (p + 1).sum().backward()
    say(p, p.grad)


@case
def hooks(torch, say):
    x, log = leaf(torch, 2), []
    y = x * 2
    y.register_hook(lambda g: log.append('t1'))
    y.retain_grad()
    y.register_hook(lambda g: (log.append('t2'), g * 10)[1])
    y.grad_fn.register_prehook(lambda g: log.append(('pre', len(g))))
    y.grad_fn.register_hook(lambda i, o: log.append(('post', i, o)))
    x.register_hook(lambda g: log.append('leaf'))
    x.register_post_accumulate_grad_hook(lambda p: log.append(('acc', p.grad)))
    y.sum().backward()
    say(log, y.grad, x.grad, y.retains_grad, x.retains_grad)
    y = x * 2
    h = y.register_hook(lambda g: log.append('gone'))
    h.remove()
    log.clear()
    y.sum().backward()
    say(log[:1])
    y = x * 2
    y.register_hook(lambda g: torch.ones(5))
    say(lambda: y.sum().backward())
    y = x * 2
    y.register_hook(lambda g: 1 / 0)
    say(lambda: y.sum().backward())
    y = x.clone()
    y.retain_grad()
    y.mul_(2)
    y.sum().backward()
    say(y.grad)
    y = x.clone()
    y.register_hook(lambda g: log.append(g))
    y.mul_(2)
    y.sum().backward()
    say(log[-2])


@case
def inputs(torch, say):
    x, w = leaf(torch, 2), leaf(torch, 2)
    y = x * w
    z = y.exp().sum()
    z.backward(inputs=[x], retain_graph=True)
    say(x.grad, w.grad)
    z.backward(inputs=[y], retain_graph=True)
    say(y.grad, w.grad, x.grad)
    say(torch.autograd.grad(z, [y, w], retain_graph=True), torch.autograd.grad(z, y))
    say(torch.autograd.grad([x * 2, w * 3], [x, w], [torch.ones(2), torch.tensor([1., 5.])]))


@case
def second(torch, say):
    x = (leaf(torch).detach() / 2).requires_grad_()
    for f in (
        lambda x: x ** 3, torch.exp, torch.sin, torch.tanh, torch.sigmoid, lambda x: x / (x + 1), lambda x: x.sum() * x,
        lambda x: x.view(2, 2).t().reshape(4) * x, lambda x: x.cumsum(0) ** 2, lambda x: x[[0, 0, 1]] ** 3,
        lambda x: (x.view(2, 2) @ x.view(2, 2)) ** 2, lambda x: x.std() * x, lambda x: x.norm() * x, lambda x: torch.cat([x, x * x]) ** 2,
    ):
        g, = torch.autograd.grad(f(x).sum(), x, create_graph=True)
        h, = torch.autograd.grad((g * g).sum(), x, create_graph=True)
        k, = torch.autograd.grad(h.sum(), x)
        say([[f'{v:.5g}' for v in t.tolist()] for t in (g, h, k)])
    y = x.clone()
    y[:2].exp_()
    g, = torch.autograd.grad(y.sum(), x, create_graph=True)
    say(g, torch.autograd.grad(g.sum(), x))


@case
def modes(torch, say):
    x = leaf(torch)
    with torch.no_grad():
        y = x * 2
        with torch.enable_grad():
            z = x * 2
        say(y.requires_grad, z.requires_grad, torch.is_grad_enabled())
    with torch.set_grad_enabled(False):
        say((x * 2).requires_grad)
    say(torch.is_grad_enabled())

    @torch.no_grad()
    def f():
        return (x * 2).requires_grad
    say(f())


@case
def lifetimes(torch, say):
    x = leaf(torch)
    y = x * 2
    z = y.exp()
    seen = weakref.ref(y)
    del y
    gc.collect()
    say(seen() is None)
    z.sum().backward()
    say(x.grad)
    y = x.clone()
    y.exp_()
    seen = weakref.ref(y)
    del y
    gc.collect()
    say(seen() is None)


@case
def products_at_zero(torch, say):
    for values in ([1., 2., 3.], [0., 2., 3.], [0., 0., 3.], [0., 0., 0., 2.]):
        x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
        for f in (lambda: x.prod(), lambda: x.prod(0), lambda: x.reshape(1, -1).prod(1).sum(),
                  lambda: x.prod(0, dtype=torch.float64), lambda: x.cumprod(0).sum()):
            first, = torch.autograd.grad(f(), x, create_graph=True)
            second = [torch.autograd.grad(g, x, retain_graph=True)[0].tolist() for g in first]
            say(values, first.tolist(), second)


@case
def scatter_with_a_reduction(torch, say):
    x = torch.tensor([[1., 2., 0.], [4., 5., 6.]], dtype=torch.float64)
    src = torch.tensor([[3., 2., 2.], [4., 0., 7.]], dtype=torch.float64)
    index = torch.tensor([[0, 1, 0], [0, 1, 1]])
    for reduce in ('sum', 'prod', 'mean', 'amax', 'amin'):
        for include in (True, False):
            a, b = x.clone().requires_grad_(), src.clone().requires_grad_()
            y = a.scatter_reduce(1, index, b, reduce, include_self=include)
            say(reduce, include, y.tolist(), y.grad_fn)
            say(lambda: [g.tolist() for g in torch.autograd.grad((y * (1 + torch.arange(6.).reshape(2, 3))).sum(), (a, b))])
            c = a * 1
            say(lambda: c.scatter_reduce_(1, index, b, reduce, include_self=include).grad_fn)
            say(lambda: [g.tolist() for g in torch.autograd.grad(c.sum(), (a, b))])
    for reduce in ('add', 'multiply'):
        a, b = x.clone().requires_grad_(), src.clone().requires_grad_()
        say(reduce, lambda: x.scatter(1, index, b, reduce=reduce), lambda: a.scatter(1, index, src, reduce=reduce).grad_fn,
            lambda: a.scatter(1, index, 2., reduce=reduce).grad_fn)
        say(lambda: torch.autograd.grad(a.scatter(1, index, 2., reduce=reduce).sum(), a)[0].tolist())
        say(lambda: (a * 1).scatter_(1, index, src, reduce=reduce).grad_fn)
        say(lambda: torch.autograd.grad((a * 1).scatter_(1, index, src, reduce=reduce).sum(), a)[0].tolist())


@case
def names_of_clamp(torch, say):
    a, b = leaf(torch), leaf(torch)
    for f in (lambda: a.clamp(1), lambda: a.clamp(min=1), lambda: a.clamp(max=1), lambda: a.clamp(0, 1), lambda: a.clamp_min(1),
              lambda: a.clamp_max(1), lambda: a.clamp(b), lambda: a.clamp(max=b), lambda: a.clamp(b, b),
              lambda: a.clamp_min(b), lambda: a.clamp_max(b), lambda: (a * 1).clamp_(min=0),
              lambda: (a * 1).clamp_(max=0), lambda: (a * 1).clamp_min_(0), lambda: a.clip(0)):
        say(lambda: f().grad_fn)


@case
def functional(torch, say):
    F = torch.autograd.functional
    x, y = torch.tensor([1., 2.], dtype=torch.float64), torch.tensor([[3., 4.]], dtype=torch.float64)

    def one(a):
        return (a ** 3).sum()

    def pair(a, b):
        return a * a * b.sum(), (a.exp() @ a).reshape(1)

    def number(a, b):
        return (a ** 2 * b).sum() + b.sum() ** 3

    for f in (
        lambda: F.jacobian(one, x), lambda: F.jacobian(lambda a: a.exp(), x), lambda: F.jacobian(pair, (x, y)),
        lambda: F.jacobian(one, x, create_graph=True), lambda: F.jacobian(one, x, vectorize=True),
        lambda: F.jacobian(one, x, strategy='reverse-mode', strict=True),
        lambda: F.jacobian(lambda a: x * 2, x), lambda: F.jacobian(lambda a: x * 2, x, strict=True),
        lambda: F.jacobian(lambda a, b: a * 2, (x, y), strict=True), lambda: F.jacobian(one, x, strategy='sideways'),
        lambda: F.hessian(one, x), lambda: F.hessian(number, (x, y)), lambda: F.hessian(lambda a: a, x),
        lambda: F.hessian(lambda a: (a.sum(),), x), lambda: F.hessian(lambda a: a.sum(), x, strict=True),
        lambda: F.hessian(one, x, create_graph=True),
        lambda: F.vjp(one, x), lambda: F.vjp(pair, (x, y), (x, x[:1])), lambda: F.vjp(lambda a: a, x),
        lambda: F.vjp(lambda a: a * 2, x, y), lambda: F.vjp(pair, (x, y), x), lambda: F.vjp(pair, (x, y), (x, x)),
        lambda: F.vjp(lambda a: a * 2, x, x, create_graph=True), lambda: F.vjp(lambda a: a * 2, x, x, True, True),
        lambda: F.jvp(lambda a: a ** 3, x, x), lambda: F.jvp(pair, (x, y), (x, y)), lambda: F.jvp(one, x),
        lambda: F.jvp(lambda a: a ** 3, x, y), lambda: F.jvp(lambda a: a * 2, x, x, strict=True),
        lambda: F.jvp(lambda a: a ** 3, x, x, create_graph=True), lambda: F.jvp(pair, (x, y), x),
        lambda: F.vhp(one, x, x), lambda: F.vhp(number, (x, y), (x, y)), lambda: F.vhp(one, x),
        lambda: F.vhp(lambda a: a * 2, x, x), lambda: F.vhp(lambda a: a.sum(), x, x, strict=True),
        lambda: F.hvp(one, x, x), lambda: F.hvp(number, (x, y), (x, y)), lambda: F.hvp(one, x, y),
        lambda: F.hvp(one, x, x, create_graph=True), lambda: F.hvp(lambda a: a.sum(), x, x),
        lambda: F.hvp(lambda a: a.sum(), x, x, strict=True), lambda: F.jacobian(one, [1., 2.]),
        lambda: F.jacobian(one, (x, 2)), lambda: F.jacobian(lambda a: 3, x),
    ):
        say(f)


@case
def numbers_keep_their_digits(torch, say):
    x = torch.tensor([1.7, 0.3], dtype=torch.float64, requires_grad=True)
    for f in (lambda: torch.lerp(x, x * 2, 0.4), lambda: x ** 0.4, lambda: torch.selu(x - 1), lambda: torch.nn.functional.elu(x - 1, 1.3),
              lambda: torch.nn.functional.leaky_relu(x - 1, 0.1), lambda: torch.addcmul(x, x, x, value=0.3)):
        y = f()
        say(type(y.grad_fn).__name__, [torch.autograd.grad(f().sum(), x, create_graph=again)[0].tolist() for again in (False, True)])


def facts(torch):
    return {case.__name__: run(torch, case) for case in CASES}
