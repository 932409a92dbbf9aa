# SPDX-License-Identifier: BSD-3-Clause
"""RMSprop: steps scaled by a running average of squared gradients."""
from . import optimizer as base

__all__ = ['RMSprop']


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
