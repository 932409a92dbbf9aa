# SPDX-License-Identifier: BSD-3-Clause
"""ASGD: gradient descent that also averages the parameters it has passed."""
from .. import _C, tensor
from . import optimizer as base

__all__ = ['ASGD']


class ASGD(base.Stepped):
    """Averaged stochastic gradient descent (Polyak and Juditsky, 1992).

        >>> w = nn.Parameter(torch.tensor([1., 2.]))
        >>> optimizer = torch.optim.ASGD([w], lr=0.1)
        >>> w.square().sum().backward()
        >>> optimizer.step()
        >>> w.detach()
        tensor([0.8000, 1.6000])
    """

    _kind = base.ASGD

    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0,
                 foreach=None, maximize=False, differentiable=False, capturable=False):
        base.check_lr(lr)
        base.check_positive(lambd=lambd, alpha=alpha, weight_decay=weight_decay)
        super().__init__(params, dict(
            lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay, foreach=foreach,
            maximize=maximize, differentiable=differentiable, capturable=capturable))

    def _begin_states(self, state, group, param):
        state['eta'] = tensor(float(group['lr']), dtype=_C.float32)
        state['mu'] = tensor(1., dtype=_C.float32)
        base.zeros(state, param, 'ax')
