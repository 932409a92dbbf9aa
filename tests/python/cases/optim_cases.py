# SPDX-License-Identifier: BSD-3-Clause
"""Cases of optimizers and schedulers. test_optim.py compares Corten's steps with PyTorch's, which `make record` writes to
tests/recorded/python/optim.json.gz. All values are float64, so that the comparison can be to many digits.
"""
import math
import warnings

STEPS = 7


def parameters(torch, dtype):
    """Returns three small parameters without random numbers; one of them is transposed in memory."""
    def wave(n, at):
        return torch.tensor([math.sin(1.7 * i + at) for i in range(n)], dtype=torch.float64)
    values = [wave(15, 0).view(5, 3), wave(8, 1).view(2, 4).t().contiguous().t(), wave(1, 2)[0]]
    return [v.to(dtype).detach().requires_grad_() for v in values]


def loss_of(params):
    a, b, c = params
    return ((a * a * a).sum().sin() + (b * b).sum() * c * c + (a.sum() * 0.3 - b.sum()) ** 2 + c.abs())


OPTIMIZERS = {
    'SGD': [{}, {'momentum': .9}, {'momentum': .9, 'dampening': .3, 'weight_decay': .1},
            {'momentum': .8, 'nesterov': True, 'maximize': True}],
    'Adam': [{}, {'amsgrad': True, 'weight_decay': .1}, {'maximize': True, 'betas': (.5, .9)}],
    'AdamW': [{}, {'amsgrad': True, 'weight_decay': .3}],
    'Adamax': [{}, {'weight_decay': .1, 'maximize': True}],
    'NAdam': [{}, {'weight_decay': .1}, {'weight_decay': .1, 'decoupled_weight_decay': True}],
    'RAdam': [{}, {'weight_decay': .1, 'betas': (.9, .99)},
              {'weight_decay': .1, 'decoupled_weight_decay': True}],
    'Adagrad': [{}, {'lr_decay': .1, 'initial_accumulator_value': .3, 'weight_decay': .1}],
    'Adadelta': [{}, {'weight_decay': .1, 'rho': .5}],
    'RMSprop': [{}, {'momentum': .5}, {'centered': True, 'weight_decay': .1},
                {'momentum': .5, 'centered': True, 'maximize': True}],
    'Rprop': [{}, {'etas': (.3, 1.5), 'step_sizes': (1e-3, .2)}],
    'ASGD': [{}, {'t0': 3, 'weight_decay': .1, 'lambd': .01}],
    'Adafactor': [{}, {'weight_decay': .1, 'd': 1.5}],
    'LBFGS': [{'max_iter': 4}, {'max_iter': 5, 'line_search_fn': 'strong_wolfe', 'lr': 1}],
}

SCHEDULERS = {
    'LambdaLR': [lambda L, o: L.LambdaLR(o, lambda e: .9 ** e)],
    'MultiplicativeLR': [lambda L, o: L.MultiplicativeLR(o, lambda e: .95)],
    'StepLR': [lambda L, o: L.StepLR(o, 4)],
    'MultiStepLR': [lambda L, o: L.MultiStepLR(o, [3, 3, 8])],
    'ConstantLR': [lambda L, o: L.ConstantLR(o)],
    'LinearLR': [lambda L, o: L.LinearLR(o, total_iters=8)],
    'ExponentialLR': [lambda L, o: L.ExponentialLR(o, .9)],
    'PolynomialLR': [lambda L, o: L.PolynomialLR(o, 10, 2.)],
    'CosineAnnealingLR': [lambda L, o: L.CosineAnnealingLR(o, 7, .01)],
    'CosineAnnealingWarmRestarts': [lambda L, o: L.CosineAnnealingWarmRestarts(o, 3, 2)],
    'CyclicLR': [lambda L, o: L.CyclicLR(o, .01, .3, 4),
                 lambda L, o: L.CyclicLR(o, .01, .3, 4, mode='triangular2'),
                 lambda L, o: L.CyclicLR(o, .01, .3, 4, 3, mode='exp_range', gamma=.9)],
    'OneCycleLR': [lambda L, o: L.OneCycleLR(o, .3, 30),
                   lambda L, o: L.OneCycleLR(o, [.3, .2], 30, three_phase=True,
                                             anneal_strategy='linear')],
    'ReduceLROnPlateau': [lambda L, o: L.ReduceLROnPlateau(o, patience=2)],
    'SequentialLR': [lambda L, o: L.SequentialLR(
        o, [L.LinearLR(o, .1, total_iters=5), L.CosineAnnealingLR(o, 12)], [5])],
    'ChainedScheduler': [lambda L, o: L.ChainedScheduler(
        [L.ConstantLR(o, .1, 3), L.ExponentialLR(o, .9)])],
}


def run_optimizer(torch, name, options, dtype=None, steps=STEPS):
    params = parameters(torch, dtype or torch.float64)
    if name == 'LBFGS':  # PyTorch's LBFGS needs contiguous parameters
        params = [p.detach().contiguous().requires_grad_() for p in params]
    optimizer = getattr(torch.optim, name)(params, **{'lr': .03, **options})

    def closure():
        optimizer.zero_grad()
        loss = loss_of(params)
        loss.backward()
        return loss

    losses = [optimizer.step(closure).item() for _ in range(steps)]
    states = [sorted(s) for s in optimizer.state_dict()['state'].values()]
    if name == 'LBFGS':  # its state is an implementation detail
        states = []
    return {'params': [p.tolist() for p in params], 'losses': losses, 'repr': repr(optimizer),
            'states': states}


def run_scheduler(torch, make, steps=25):
    groups = [{'params': [torch.ones(2).requires_grad_()], 'lr': .5},
              {'params': [torch.ones(1).requires_grad_()]}]
    optimizer = torch.optim.SGD(groups, lr=.1, momentum=.9)
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        scheduler, rows = make(torch.optim.lr_scheduler, optimizer), []
        for i in range(steps):
            optimizer.step()
            if type(scheduler).__name__ == 'ReduceLROnPlateau':
                scheduler.step(1 / (1 + min(i, 4)))
            else:
                scheduler.step()
            rows.append([g[k] for g in optimizer.param_groups for k in ('lr', 'momentum')]
                        + list(scheduler.get_last_lr()))
    return rows


def facts(torch):
    found = {f'{name} {i}': run_optimizer(torch, name, options)
             for name, several in OPTIMIZERS.items() for i, options in enumerate(several)}
    found.update({f'{name} {i}': run_scheduler(torch, make)
                  for name, several in SCHEDULERS.items() for i, make in enumerate(several)})
    return found
