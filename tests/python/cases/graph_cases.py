# SPDX-License-Identifier: BSD-3-Clause
"""Cases of gradcheck, anomaly mode, torch.autograd.graph and calls of backward. test_gradcheck_and_graph.py runs them with
Corten and compares the results with PyTorch's, which `make record` writes to tests/recorded/python/graph.json.gz.
"""
import re
import warnings

from autograd_cases import leaf, run
from function_cases import made

CASES = []


def case(function):
    CASES.append(function)
    return function


def warned(function):
    """Returns the result or exception as text, and the warnings without PyTorch's C++ source locations."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter('always')
        try:
            answer = function()
        except Exception as e:
            answer = f'{type(e).__name__}: {e}'
    return str(answer), [re.sub(r'\s*\(Triggered internally.*', '', str(w.message)).rstrip() for w in said]


@case
def checked_gradients(torch, say):
    torch.manual_seed(0)
    A = torch.autograd
    d = torch.tensor([0.5, 1.5, 2.], dtype=torch.float64, requires_grad=True)
    m = torch.tensor([[0.5, 1.5], [2., 3.]], dtype=torch.float64, requires_grad=True)
    z = torch.tensor([1 + 2j, 0.5 - 1j], requires_grad=True, dtype=torch.complex128)
    wrong = made(torch, lambda c, x: x * 2, lambda c, g: g * 3)
    unscaled = made(torch, lambda c, x: x * 2, lambda c, g: torch.full_like(g, 2.))
    deaf = made(torch, lambda c, x: (c.set_materialize_grads(False), x * 2)[1], lambda c, g: g * 2)
    state = [0]
    shaky = made(torch, lambda c, x: x * 2, lambda c, g: (state.append(0), g * (2 + 1e-7 * len(state)))[1])
    wrong_part = made(torch, lambda c, x: x * 2, lambda c, g: g * 2j)
    for f in (
        lambda: A.gradcheck(lambda x: x ** 3, d), lambda: A.gradcheck(torch.mm, (m, m)), lambda: A.gradcheck(wrong.apply, d),
        lambda: A.gradcheck(wrong.apply, (d,), raise_exception=False), lambda: A.gradcheck(unscaled.apply, d),
        lambda: A.gradcheck(deaf.apply, d), lambda: A.gradcheck(deaf.apply, d, check_undefined_grad=False),
        lambda: A.gradcheck(shaky.apply, d), lambda: A.gradcheck(shaky.apply, d, nondet_tol=1e-3),
        lambda: A.gradcheck(lambda x: x * 2, d.detach()), lambda: A.gradcheck(lambda x: x * 2, d.float()),
        lambda: A.gradcheck(lambda x: x * 2, d.detach().float().requires_grad_()),
        lambda: A.gradcheck(lambda x: x * 2, torch.ones(1, dtype=torch.float64).expand(3).requires_grad_()),
        lambda: A.gradcheck(lambda x: x.detach() * 2, d), lambda: A.gradcheck(lambda x: (x > 0).double(), d),
        lambda: A.gradcheck(lambda x: x * x.conj(), z), lambda: A.gradcheck(torch.exp, z),
        lambda: A.gradcheck(torch.abs, z), lambda: A.gradcheck(wrong_part.apply, z),
        lambda: A.gradcheck(lambda x, y: (x * y, x + y), (d, d.detach().clone().requires_grad_())),
        lambda: A.gradcheck(lambda x, k: x * k, (d, 3)), lambda: A.gradcheck(lambda x: x.sum(), torch.empty(0).double()),
        lambda: A.gradcheck(torch.sin, d, check_backward_ad=False), lambda: A.gradcheck(torch.sin, d, check_grad_dtypes=True),
        lambda: A.gradcheck(lambda x: x[x > 1], d), lambda: A.gradcheck(lambda x: x[x > 1.5], d),
        lambda: A.gradcheck(torch.sin, [d]), lambda: A.gradcheck(torch.sin, d, check_batched_grad=True),
        lambda: A.gradgradcheck(lambda x: x ** 3, d), lambda: A.gradgradcheck(torch.mm, (m, m)),
        lambda: A.gradgradcheck(torch.exp, z), lambda: A.gradgradcheck(lambda x: x * 2, d),
        lambda: A.gradgradcheck(lambda x: x ** 3, d, torch.ones(3, dtype=torch.float64, requires_grad=True)),
        lambda: A.gradgradcheck(made(torch, lambda c, x: (c.save_for_backward(x), x ** 3)[1],
                                     lambda c, g: g * 3 * c.saved_tensors[0].detach() ** 2).apply, d, raise_exception=False),
        lambda: A.gradgradcheck(lambda x: x ** 3, d, gen_non_contig_grad_outputs=True),
    ):
        say(lambda: warned(f))


@case
def anomalies(torch, say):
    A = torch.autograd
    x = torch.zeros(2, requires_grad=True)

    def short(function):
        """Keeps only the last line of a traceback, since line numbers of this file change."""
        answer, said = warned(function)
        return answer, [re.sub(r'error:\n.*\n {4}', 'error: ... ', s, flags=re.S) for s in said]

    def root(x):
        return (x - 1).sqrt()

    def inside():
        with A.detect_anomaly():
            root(x).sum().backward()
    say(lambda: short(inside))
    y = root(x).sum()

    def late(**options):
        with A.set_detect_anomaly(True, **options):
            y.backward(retain_graph=True)
    say(lambda: short(late), lambda: short(lambda: late(check_nan=False)), lambda: x.grad)
    failing = made(torch, lambda c, x: x * 1, lambda c, g: 1 / 0)

    def mine():
        with A.set_detect_anomaly(True):
            failing.apply(x).sum().backward()
    say(lambda: short(mine))

    def overwritten():
        with A.set_detect_anomaly(True):
            w = x.exp()
            v = w.exp()
            w.add_(1)
            v.sum().backward()
    say(lambda: short(overwritten))
    say(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())
    A.set_detect_anomaly(True, False)
    say(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled(), list((x * 2).grad_fn.metadata))
    A.set_detect_anomaly(False)
    say(torch.is_anomaly_enabled(), (x * 2).grad_fn.metadata)
    say(lambda: A.set_detect_anomaly(3), lambda: torch.set_anomaly_enabled('x'), lambda: torch.set_anomaly_enabled(True, 1))


@case
def packed(torch, say):
    G = torch.autograd.graph
    x = torch.tensor([1., 2.], requires_grad=True)

    def pack(t):
        say('pack', t, t.is_leaf)
        return t.detach() * 2

    def unpack(t):
        say('unpack', t)
        return t / 2
    with G.saved_tensors_hooks(pack, unpack):
        y = x * 3
        z = y.exp()
        w = z * y
    v = w * x
    v.sum().backward()
    say(x.grad)
    x.grad = None
    with G.saved_tensors_hooks(lambda t: t, lambda t: t * 0 + 7):
        y = x * x
    g, = torch.autograd.grad(y.sum(), x, create_graph=True)
    say(g.detach(), g.requires_grad)
    say(lambda: torch.autograd.grad(g.sum(), x))
    exp = made(torch, lambda c, x: (lambda y: (c.save_for_backward(x, y), y)[1])(x.exp()),
               lambda c, g: (say(c.saved_tensors), g * c.saved_tensors[1])[1])
    with G.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        y = exp.apply(x)
    y.sum().backward()
    with G.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        y = x * 1
        y.mul_(x)
        y.exp_()
        y.sigmoid_()
    x.grad = None
    y.sum().backward()
    say(x.grad)
    with G.saved_tensors_hooks(lambda t: 3, lambda t: 4):
        y = x * x
    say(lambda: y.sum().backward())
    with G.saved_tensors_hooks(lambda t: t.add_(1), lambda t: t):
        say(lambda: (x * 1) * (x * 2))
    with G.saved_tensors_hooks(lambda t: 1 / 0, lambda t: t):
        say(lambda: x * x, lambda: x + 1)
    with G.saved_tensors_hooks(lambda t: t.detach(), lambda t: {}['k']):
        y = x * x
    say(lambda: y.sum().backward())
    with G.save_on_cpu():
        y = x * x
    x.grad = None
    y.sum().backward()
    say(x.grad)
    with G.disable_saved_tensors_hooks('not here'):
        say(lambda: G.saved_tensors_hooks(abs, abs).__enter__())
    with G.allow_mutation_on_saved_tensors():
        b = x.clone()
        out = (b ** 2).sum()
        b.sin_()
        x.grad = None
        out.backward()
    say(x.grad)


@case
def edges(torch, say):
    G = torch.autograd.graph
    x, y = leaf(torch, 2), leaf(torch, 2)
    z = x * y
    edge = G.get_gradient_edge(z)
    say(edge.node is z.grad_fn, edge.output_nr, type(edge).__name__, isinstance(edge.node, G.Node))
    e = G.get_gradient_edge(x)
    say(e.node.name(), e.node.variable is x, e.output_nr)
    w = (z * 2).sum()
    say(lambda: torch.autograd.grad(w, edge), lambda: torch.autograd.grad((z * 2).sum(), [e, y]))
    say(lambda: torch.autograd.grad(edge, x, torch.ones(2)))
    say(lambda: torch.autograd.backward(G.get_gradient_edge((x * y).sum()), inputs=[e]), x.grad, y.grad)
    say(lambda: torch.autograd.grad(G.get_gradient_edge(x * y), x))
    a, b = (x * 1).unbind()
    say(G.get_gradient_edge(b).output_nr, lambda: G.get_gradient_edge(torch.ones(1)))
    say(lambda: torch.autograd.grad(x.sum(), {'x': x}), lambda: torch.autograd.grad(x.sum(), {}))
    say(lambda: torch.autograd.backward(x.sum(), inputs={'x': x}), lambda: torch.autograd.backward(x.sum(), inputs=[]))
    t = torch.ones(2)
    G.increment_version(t)
    G.increment_version([t, t])
    say(t._version, lambda: G.increment_version([3]))


@case
def several_gradients(torch, say):
    G = torch.autograd.graph
    a, b = leaf(torch, 2), leaf(torch, 2)
    c, d = a * b, a * b
    handle = G.register_multi_grad_hook((a, b, c, d), lambda grads: say('all', [g is not None for g in grads]))
    c.sum().backward(retain_graph=True)
    c.sum().backward(inputs=(a,), retain_graph=True)
    (c + d).sum().backward(retain_graph=True)
    handle.remove()
    c.sum().backward(retain_graph=True)
    with G.register_multi_grad_hook((a, b, c), lambda grad: say('first', grad), mode='any'):
        c.sum().backward(retain_graph=True)
        c.sum().backward(retain_graph=True)
    say(lambda: G.register_multi_grad_hook((a,), print, mode='some'))


@case
def lists_of_gradients(torch, say):
    A = torch.autograd
    x, y = leaf(torch, 2), leaf(torch, 2)
    m = torch.tensor([[1., 0.], [0., 1.], [2., 3.]])
    for f in (
        lambda: A.grad(x ** 2, x, m, is_grads_batched=True), lambda: A.grad(x ** 2, (x, y), m, is_grads_batched=True),
        lambda: A.grad(x ** 2, (x, y), m, is_grads_batched=True, allow_unused=True),
        lambda: A.grad(x ** 2, (x, y), m, is_grads_batched=True, materialize_grads=True),
        lambda: A.grad(x ** 2, x, m.t(), is_grads_batched=True), lambda: A.grad(
            x ** 2, x, m, create_graph=True, is_grads_batched=True)[0].requires_grad,
        lambda: A.grad(x.sum(), (x, y), materialize_grads=True), lambda: A.grad(x.sum(), y, allow_unused=True),
        lambda: A.grad(x.sum(), y, materialize_grads=True, create_graph=True), lambda: A.grad(x.sum(), y),
        lambda: A.grad(x.sum(), y, materialize_grads=True, allow_unused=False),
        lambda: A.grad(x.sum(), []), lambda: A.grad([], x), lambda: A.grad(x.sum(), torch.ones(2)),
        lambda: A.grad(x.sum(), x, 3), lambda: A.grad(x.sum(), x, [3]), lambda: A.grad(x.sum(), x, [None, None]),
        lambda: A.grad([x.sum(), y.sum()], [x, y], [torch.tensor(2.), None]), lambda: A.backward([x.sum()], [None, None]),
        lambda: A.backward(x), lambda: A.backward(x, torch.ones(3)), lambda: A.backward(3), lambda: A.grad(x.sum(), 3),
        lambda: A.grad((x * 2).sum(), x, only_inputs=False), lambda: A.backward(x.sum(), grad_variables=torch.tensor(1.)),
        lambda: A.backward(x.sum(), torch.tensor(1.), grad_variables=torch.tensor(1.)),
        lambda: A.variable(3), lambda: A.Variable(torch.ones(2), requires_grad=True), lambda: isinstance(x, A.Variable),
        lambda: A.grad(torch.ones(2), x), lambda: A.grad(x.sum(), x, torch.ones((), dtype=torch.complex64)),
    ):
        say(lambda: warned(f))
    with A.set_multithreading_enabled(False):
        say(A.is_multithreading_enabled())
    say(A.is_multithreading_enabled(), A.set_multithreading_enabled(False).clone().mode, A.is_multithreading_enabled())
    A.set_multithreading_enabled(True)


def facts(torch):
    return {case.__name__: run(torch, case) for case in CASES}
