# SPDX-License-Identifier: BSD-3-Clause
"""Adadelta: a learning rate from the sizes of earlier steps."""
from . import _lists
from . import optimizer as base

__all__ = ['Adadelta', 'adadelta']


class Adadelta(base.Stepped):
    """Adadelta (Zeiler, 2012).

        >>> w = nn.Parameter(torch.tensor([1., 2.]))
        >>> optimizer = torch.optim.Adadelta([w], lr=0.1)
        >>> w.square().sum().backward()
        >>> optimizer.step()
        >>> w.detach()
        tensor([0.9997, 1.9997])
    """

    _kind = base.ADADELTA
    _capturable = 'params and state_steps', base.Stepped._capturable[1][:-1]

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *,
                 capturable=False, maximize=False, differentiable=False):
        base.check_lr(lr)
        base.check(0.0 <= rho <= 1.0, f'Invalid rho value: {rho}')
        base.check_positive(eps=eps, weight_decay=weight_decay)
        super().__init__(params, dict(
            lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize,
            capturable=capturable, foreach=foreach, differentiable=differentiable))

    def _begin_states(self, state, group, param):
        base.zeros(state, param, 'square_avg', 'acc_delta')


def adadelta(params, grads, square_avgs, acc_deltas, state_steps, capturable=False, foreach=None, differentiable=False, has_complex=False,
             *, lr, rho, eps, weight_decay, maximize):
    """Steps a list of parameters in place as Adadelta does, with their gradients and states in lists; see the class for the options."""
    _lists.step(Adadelta, params, grads, {'square_avg': square_avgs, 'acc_delta': acc_deltas}, state_steps,
                dict(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize),
                capturable=capturable, differentiable=differentiable)
