# SPDX-License-Identifier: BSD-3-Clause
"""ASGD: gradient descent that also averages the parameters it has passed."""
from .. import _C, enable_grad, tensor
from . import _lists
from . import optimizer as base

__all__ = ['ASGD', 'asgd']


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
    _capturable = 'params, mus, etas, and state_steps', base.Stepped._capturable[1]

    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0,
                 foreach=None, maximize=False, differentiable=False, capturable=False):
        base.check_lr(lr)
        base.check_positive(lambd=lambd, alpha=alpha, weight_decay=weight_decay)
        super().__init__(params, dict(
            lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay, foreach=foreach,
            maximize=maximize, differentiable=differentiable, capturable=capturable))

    def _begin_states(self, state, group, param):
        with enable_grad():
            state['eta'] = base.first_number(group, 'lr').to(_C.float32)
        state['mu'] = tensor(1., dtype=_C.float32)
        base.zeros(state, param, 'ax')


def asgd(params, grads, axs, mus, etas, state_steps, foreach=None, maximize=False, differentiable=False, capturable=False,
         has_complex=False, *, lambd, lr, t0, alpha, weight_decay):
    """Steps a list of parameters in place as ASGD does, with their gradients and states in lists; see the class for the options."""
    _lists.step(ASGD, params, grads, {'ax': axs, 'mu': mus, 'eta': etas}, state_steps,
                dict(lr=lr, lambd=lambd, t0=t0, alpha=alpha, weight_decay=weight_decay, maximize=maximize),
                capturable=capturable, differentiable=differentiable)
