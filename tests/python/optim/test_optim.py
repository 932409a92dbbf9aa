# SPDX-License-Identifier: BSD-3-Clause
"""Compares optimizers and schedulers with PyTorch's recorded steps (cases/optim_cases.py), and tests guarantees of Corten."""
import copy
import gc
import pickle
import warnings

import optim_cases as cases
import pytest
import recorded

import corten

FACTS = recorded.read('python/optim')


def close(a, b, tolerance=1e-9):
    if isinstance(b, list):
        assert len(a) == len(b)
        for x, y in zip(a, b):
            close(x, y, tolerance)
    else:
        assert abs(a - b) <= tolerance * (1 + abs(b)), (a, b)


@pytest.mark.parametrize('name, i', [(n, i) for n, o in cases.OPTIMIZERS.items()
                                     for i in range(len(o))])
def test_optimizer(name, i):
    got = cases.run_optimizer(corten, name, cases.OPTIMIZERS[name][i])
    fact = FACTS[f'{name} {i}']
    # Adam and its relatives divide by eps = 1e-8 where gradients vanish, so an error of 1e-16 becomes 1e-8 of a step
    close(got['params'], fact['params'], 1e-7)
    close(got['losses'], fact['losses'], 1e-7)
    assert got['repr'] == fact['repr']
    assert got['states'] == fact['states']


@pytest.mark.parametrize('name, i', [(n, i) for n, o in cases.SCHEDULERS.items()
                                     for i in range(len(o))])
def test_scheduler(name, i):
    close(cases.run_scheduler(corten, cases.SCHEDULERS[name][i]), FACTS[f'{name} {i}'], 1e-12)


@pytest.mark.parametrize('dtype', [corten.float32, corten.bfloat16, corten.float16])
@pytest.mark.parametrize('name', ['SGD', 'Adam', 'RMSprop'])
def test_types(name, dtype):
    """Lower-precision types agree with float64 to their precision."""
    wide = cases.run_optimizer(corten, name, {}, steps=2)['params']
    narrow = cases.run_optimizer(corten, name, {}, dtype, steps=2)['params']
    close(narrow, wide, {corten.float32: 1e-5, corten.bfloat16: 3e-2, corten.float16: 4e-3}[dtype])


def steps_alone(params):
    """Takes the same step for each parameter separately; the result must not depend on which parameters share a call."""
    for p in params:
        corten.optim.Adam([p], lr=.1).step()


def test_many_tensors_at_once():
    sizes = [(1,), (3, 5), (0,), (700, 70), (2, 2, 2), (40001,)]
    corten.manual_seed(0)
    params = [corten.randn(s).requires_grad_() for s in sizes]
    for p in params:
        p.grad = corten.randn_like(p)
    others = [p.detach().clone().requires_grad_() for p in params]
    for p, q in zip(params, others):
        q.grad = p.grad.clone()
    corten.optim.Adam(params, lr=.1).step()
    steps_alone(others)
    assert all(corten.equal(p, q) for p, q in zip(params, others))


def test_threads_do_not_change_bits():
    def train(threads):
        before = corten.get_num_threads()
        corten.set_num_threads(threads)
        try:
            corten.manual_seed(1)
            p = corten.randn(100_003).requires_grad_()
            o = corten.optim.AdamW([p], lr=.01)
            for _ in range(3):
                p.grad = (p.detach() * 3).sin()
                o.step()
            return p.detach()
        finally:
            corten.set_num_threads(before)
    assert corten.equal(train(1), train(3))


def test_any_layout():
    """Parameters, gradients and states with other memory layouts give the same result."""
    base = corten.arange(24.).view(4, 6)
    plain = base.clone().requires_grad_()
    strided = corten.zeros(4, 12)[:, ::2]
    strided.copy_(base)
    strided.requires_grad_()
    grad = corten.linspace(-1, 1, 24).view(4, 6)
    for p, g in ((plain, grad), (strided, grad.t().contiguous().t())):
        p.grad = g
        o = corten.optim.SGD([p], lr=.5, momentum=.9)
        o.step()
        o.step()
    assert corten.equal(plain, strided)


def test_complex_parameters_are_pairs():
    z = corten.tensor([1 + 2j, -3 + .5j]).requires_grad_()
    pairs = corten.view_as_real(z.detach().clone()).requires_grad_()
    z.grad = corten.tensor([.1 - .2j, .3 + .4j])
    pairs.grad = corten.view_as_real(z.grad.clone())
    corten.optim.Adam([z]).step()
    corten.optim.Adam([pairs]).step()
    assert corten.equal(corten.view_as_real(z.detach()), pairs.detach())


def test_step_is_a_write():
    p = corten.ones(2).requires_grad_()
    q = p * p
    p.grad = corten.ones(2)
    corten.optim.SGD([p], lr=.1).step()
    with pytest.raises(RuntimeError, match='modified by an inplace operation'):
        q.sum().backward()


def test_differentiable():
    """Gradients pass through a step: dp/dlr of p - lr * g is not recorded, dp/dg is."""
    g = corten.tensor([1., 2.], dtype=corten.float64, requires_grad=True)
    p = corten.tensor([5., 6.], dtype=corten.float64, requires_grad=True).clone()
    p.retain_grad()
    p.grad = g
    corten.optim.SGD([p], lr=.25, differentiable=True).step()
    p.sum().backward(inputs=[g])
    assert g.grad.tolist() == [-.25, -.25]


# ---- states ----

def trained(optimizer, params, steps):
    for _ in range(steps):
        optimizer.zero_grad()
        cases.loss_of(params).backward()
        optimizer.step()


@pytest.mark.parametrize('name', [n for n in cases.OPTIMIZERS if n not in ('LBFGS', 'Adafactor')])
def test_state_dict_goes_on(name):
    """A state saved halfway and loaded into another optimizer continues with the same steps."""
    def fresh():
        params = cases.parameters(corten, corten.float64)
        return params, getattr(corten.optim, name)(params, lr=.03, **cases.OPTIMIZERS[name][-1])
    params, one = fresh()
    trained(one, params, 3)
    copies, other = fresh()
    with corten.no_grad():
        for p, q in zip(copies, params):
            p.copy_(q)
    other.load_state_dict(pickle.loads(pickle.dumps(one.state_dict())))
    trained(one, params, 3)
    trained(other, copies, 3)
    assert all(corten.equal(p, q) for p, q in zip(params, copies))
    deep = copy.deepcopy(one)
    assert repr(deep) == repr(one) and deep.param_groups[0]['params'][0] is not params[0]


def test_states_of_old_files():
    """Old files have step counters that are numbers, and groups without newer options."""
    p = corten.ones(2).requires_grad_()
    o = corten.optim.Adam([p])
    p.grad = corten.ones(2)
    o.step()
    saved = o.state_dict()
    saved['state'][0]['step'] = 1
    for key in ('maximize', 'foreach', 'capturable', 'fused', 'decoupled_weight_decay'):
        del saved['param_groups'][0][key]
    o.load_state_dict(saved)
    o.step()
    assert o.state[p]['step'].item() == 2


def test_failures_change_nothing():
    p, q = corten.ones(2).requires_grad_(), corten.ones(3).requires_grad_()
    o = corten.optim.Adam([p, q])
    p.grad, q.grad = corten.ones(2), corten.ones(3)
    o.step()
    was = p.detach().clone(), o.state[p]['step'].clone()
    o.state[q]['exp_avg'] = corten.zeros(4)
    with pytest.raises(RuntimeError, match='does not fit its parameter'):
        o.step()
    o.state[q]['exp_avg'] = 'text'
    with pytest.raises(TypeError, match="the state 'exp_avg'"):
        o.step()
    del o.state[q]['exp_avg']
    with pytest.raises(KeyError, match='exp_avg'):
        o.step()
    assert corten.equal(p.detach(), was[0]) and corten.equal(o.state[p]['step'], was[1])
    other = corten.optim.SGD([p, q], momentum=.9)
    other.param_groups[0]['params'].append(3)
    with pytest.raises(TypeError, match='one of the params is int'):
        other.step()
    assert not other.state[p]


def test_memory_does_not_grow():
    p = corten.ones(100).requires_grad_()
    o = corten.optim.AdamW([p])

    def round():
        for _ in range(200):
            p.grad = corten.ones(100)
            o.step()
        gc.collect()
        return len(gc.get_objects())
    round()
    assert abs(round() - round()) < 20


# ---- hooks, closures, groups ----

def test_hooks_and_closure():
    p = corten.ones(1).requires_grad_()
    o = corten.optim.SGD([p], lr=.1)
    seen = []
    handles = [o.register_step_pre_hook(lambda *a: seen.append('pre')),
               o.register_step_post_hook(lambda *a: seen.append('post')),
               corten.optim.optimizer.register_optimizer_step_pre_hook(
                   lambda *a: seen.append('all'))]

    def closure():
        assert corten.is_grad_enabled()
        seen.append('closure')
        p.grad = corten.ones(1)
        return 3
    assert o.step(closure) == 3
    assert seen == ['all', 'pre', 'closure', 'post']
    for handle in handles:
        handle.remove()
    o.step()
    assert len(seen) == 4


def test_state_dict_hooks():
    p = corten.ones(1).requires_grad_()
    o = corten.optim.SGD([p])
    o.register_state_dict_post_hook(lambda o, s: {**s, 'mark': 1})
    assert o.state_dict()['mark'] == 1
    o.register_load_state_dict_pre_hook(lambda o, s: s['inner'])
    o.load_state_dict({'inner': {'state': {}, 'param_groups': [{'lr': 7, 'params': [0]}]}})
    assert o.param_groups[0]['lr'] == 7


def test_zero_grad():
    p = corten.ones(2).requires_grad_()
    o = corten.optim.SGD([p])
    p.grad = corten.ones(2)
    o.zero_grad(set_to_none=False)
    assert p.grad.tolist() == [0, 0]
    o.zero_grad()
    assert p.grad is None
    o.step()  # nothing to do


@pytest.mark.parametrize('make, kind, text', [
    (lambda p: corten.optim.SGD(p, lr=-1), ValueError, 'Invalid learning rate: -1'),
    (lambda p: corten.optim.SGD(p, nesterov=True), ValueError, 'Nesterov momentum requires'),
    (lambda p: corten.optim.Adam(p, betas=(1.0, .9)), ValueError,
     'Invalid beta parameter at index 0: 1.0'),
    (lambda p: corten.optim.Adam(p, eps=-1), ValueError, 'Invalid epsilon value: -1'),
    (lambda p: corten.optim.Rprop(p, etas=(2, 3)), ValueError, 'Invalid eta values: 2, 3'),
    (lambda p: corten.optim.SGD([]), ValueError, 'optimizer got an empty parameter list'),
    (lambda p: corten.optim.SGD(p[0]), TypeError, 'params argument given to the optimizer'),
    (lambda p: corten.optim.SGD([3]), TypeError, 'optimizer can only optimize Tensors'),
    (lambda p: corten.optim.SGD([p[0] * 2]), ValueError, "can't optimize a non-leaf Tensor"),
    (lambda p: corten.optim.SGD([{'params': p}, {'params': p}]), ValueError,
     'some parameters appear in more than one parameter group'),
    (lambda p: corten.optim.lr_scheduler.StepLR(3, 1), TypeError, 'int is not an Optimizer'),
    (lambda p: corten.optim.lr_scheduler.OneCycleLR(corten.optim.SGD(p), .1), ValueError,
     'You must define either total_steps'),
])
def test_refusals(make, kind, text):
    with pytest.raises(kind, match=text):
        make([corten.ones(1).requires_grad_()])


def test_order_of_steps_is_warned_of():
    o = corten.optim.SGD([corten.ones(1).requires_grad_()])
    s = corten.optim.lr_scheduler.StepLR(o, 1)
    with pytest.warns(UserWarning, match='before `optimizer.step'):
        s.step()
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        o.step()
        s.step()


def test_scheduler_state_goes_on():
    def fresh():
        o = corten.optim.SGD([corten.ones(1).requires_grad_()], lr=1.)
        return o, corten.optim.lr_scheduler.CosineAnnealingLR(o, 10)
    o, s = fresh()
    for _ in range(3):
        o.step()
        s.step()
    p, t = fresh()
    p.load_state_dict(o.state_dict())
    t.load_state_dict(s.state_dict())
    for x, y in ((o, s), (p, t)):
        x.step()
        y.step()
    assert s.get_last_lr() == t.get_last_lr() and o.param_groups[0]['lr'] == p.param_groups[0]['lr']


@pytest.mark.parametrize('make', [corten.optim.SGD, corten.optim.Adam, corten.optim.RMSprop, corten.optim.LBFGS])
def test_missing_gradient_is_no_step(make):
    """A parameter without a gradient keeps its value and gets no state; assigning a gradient of another shape raises."""
    if make is corten.optim.LBFGS:
        p, q = corten.ones(2).requires_grad_(), corten.ones(2).requires_grad_()
        make([p, q], lr=.5).step(lambda: (p * p).sum().backward() or (p * p).sum())
        assert q.tolist() == [1, 1] and p.tolist() != [1, 1]
        return
    p, q = corten.ones(2).requires_grad_(), corten.ones(2).requires_grad_()
    o = make([p, q], lr=.5)
    p.grad = corten.ones(2)
    o.step()
    assert q.tolist() == [1, 1] and q not in o.state and p.tolist() != [1, 1]
    with pytest.raises(RuntimeError, match='attempting to assign a gradient of size'):
        q.grad = corten.ones(3)
    assert q.grad is None


def test_groups_are_printed_with_a_line_between():
    text = repr(corten.optim.Adadelta([{"params": [corten.zeros(1)]}, {"params": [corten.zeros(2)], "lr": 2}]))
    assert "weight_decay: 0\n\nParameter Group 1\n    capturable" in text and text.endswith("weight_decay: 0\n)")


def test_lbfgs_keeps_its_state_in_pytorchs_order():
    rest = ["d", "t", "old_dirs", "old_stps", "ro", "H_diag", "prev_flat_grad", "prev_loss"]
    for rounds, keys in ((1, [*rest, "al"]), (4, ["al", *rest])):
        p = corten.ones(2).requires_grad_()
        o = corten.optim.LBFGS([p], lr=.1, max_iter=rounds)
        for _ in range(2):
            o.step(lambda: o.zero_grad() or (p ** 4).sum().backward() or (p ** 4).sum())
        assert list(o.state_dict()["state"][0]) == ["func_evals", "n_iter", *keys]


def embedded(make, **options):
    """Takes two steps with an embedding table, of which only rows 1 and 3 are used, and a dense parameter."""
    table = corten.arange(8.).view(4, 2).requires_grad_()
    other = corten.ones(2).requires_grad_()
    o = make([table, other] if make is not corten.optim.SparseAdam else [table], **options)
    for _ in range(2):
        o.zero_grad()
        rows = corten.nn.functional.embedding(corten.tensor([1, 3, 1]), table, sparse=True)
        (rows.square().sum() + other.sum()).backward()
        assert table.grad.is_sparse and table.grad._nnz() == 3
        o.step()
    assert table[::2].tolist() == [[0, 1], [4, 5]]
    assert make is corten.optim.SparseAdam or (other != 1).all()
    return o, table[1::2]


@pytest.mark.parametrize('make, options, rows', [  # recorded from PyTorch
    ('SGD', {}, [[1.9840322, 2.976048], [5.9760242, 6.9720283]]),
    ('SGD', {'momentum': .9}, [[1.9768322, 2.9652481], [5.9652238, 6.9594278]]),
    ('SGD', {'maximize': True}, [[2.0160317, 3.0240479], [6.024024, 7.028028]]),
    ('Adagrad', {}, [[1.9829466, 2.9829407], [5.9829345, 6.9829335]]),
    ('Adagrad', {'maximize': True}, [[2.0170887, 3.0170829], [6.017077, 7.0170765]]),
    ('SparseAdam', {}, [[1.998, 2.9980001], [5.9980001, 6.9980001]]),
    ('SparseAdam', {'maximize': True}, [[2.0019999, 3.0019999], [6.0019999, 7.0019999]])])
def test_steps_with_sparse_gradients(make, options, rows):
    if make == 'SGD':
        options = {**options, 'lr': .001}
    o, got = embedded(getattr(corten.optim, make), **options)
    corten.testing.assert_close(got.detach(), corten.tensor(rows))
    state = o.state[o.param_groups[0]['params'][0]]
    if make == 'Adagrad':
        assert state['step'] == 2 and state['sum'].tolist() == [[0, 0], pytest.approx([128, 288], .01), [0, 0], pytest.approx([288, 392], .01)]
    if make == 'SparseAdam':
        assert state['step'] == 2 and list(state) == ['step', 'exp_avg', 'exp_avg_sq']
    if 'momentum' in options:
        assert state['momentum_buffer'].is_sparse and state['momentum_buffer']._nnz() == 2


def test_what_sparse_gradients_are_refused_for():
    for name, options, text in (('Adam', {}, 'Adam does not support sparse gradients, please consider SparseAdam instead'),
                                ('AdamW', {}, 'Adam does not support sparse'), ('RMSprop', {}, 'RMSprop does not support sparse gradients'),
                                ('Adagrad', {'weight_decay': .1}, 'weight_decay option is not compatible with sparse gradients'),
                                ('SGD', {'weight_decay': .1}, r'add\(sparse, dense\) is not supported')):
        with pytest.raises(RuntimeError, match=text):
            embedded(getattr(corten.optim, name), **options)
    p = corten.ones(2).requires_grad_()
    p.sum().backward()
    with pytest.raises(RuntimeError, match='SparseAdam does not support dense gradients, please consider Adam instead'):
        corten.optim.SparseAdam([p]).step()
    with pytest.raises(ValueError, match=r'Sparse params at indices \[\[0, 0\]\]: SparseAdam requires dense'):
        corten.optim.SparseAdam([corten.ones(2).to_sparse()])
    with pytest.raises(ValueError, match='Invalid learning rate: 0'):
        corten.optim.SparseAdam([p], lr=0)
