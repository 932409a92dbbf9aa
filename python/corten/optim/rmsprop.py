# SPDX-License-Identifier: BSD-3-Clause
"""RMSprop: steps scaled by a running average of squared gradients."""
from . import _lists
from . import optimizer as base

__all__ = ['RMSprop', 'rmsprop']


class RMSprop(base.Stepped):
    """RMSprop (Hinton), optionally centered and with momentum.

        >>> w = nn.Parameter(torch.tensor([1., 2.]))
        >>> optimizer = torch.optim.RMSprop([w], lr=0.1)
        >>> w.square().sum().backward()
        >>> optimizer.step()
        >>> w.detach()
        tensor([5.9605e-08, 1.0000e+00])
    """

    _kind = base.RMSPROP

    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0,
                 centered=False, capturable=False, foreach=None, maximize=False,
                 differentiable=False):
        base.check_lr(lr)
        base.check_positive(eps=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        super().__init__(params, dict(
            lr=lr, momentum=momentum, alpha=alpha, eps=eps, centered=centered,
            weight_decay=weight_decay, capturable=capturable, foreach=foreach, maximize=maximize,
            differentiable=differentiable))

    _old_defaults = base.Stepped._old_defaults | {'momentum': 0, 'centered': False}

    def _begin_states(self, state, group, param):
        base.zeros(state, param, 'square_avg')
        if group['momentum'] > 0:
            base.zeros(state, param, 'momentum_buffer')
        if group['centered']:
            base.zeros(state, param, 'grad_avg')


def rmsprop(params, grads, square_avgs, grad_avgs, momentum_buffer_list, state_steps, foreach=None, maximize=False, differentiable=False,
            capturable=False, has_complex=False, *, lr, alpha, eps, weight_decay, momentum, centered):
    """Steps a list of parameters in place as RMSprop does, with their gradients and states in lists; see the class for the options."""
    states = {'square_avg': square_avgs, **({'grad_avg': grad_avgs} if centered else {}),
              **({'momentum_buffer': momentum_buffer_list} if momentum > 0 else {})}
    _lists.step(RMSprop, params, grads, states, state_steps,
                dict(lr=lr, alpha=alpha, eps=eps, weight_decay=weight_decay, momentum=momentum, centered=centered, maximize=maximize),
                capturable=capturable, differentiable=differentiable)
