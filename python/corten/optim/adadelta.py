# SPDX-License-Identifier: BSD-3-Clause
"""Adadelta: a learning rate from the sizes of earlier steps."""
from . import optimizer as base

__all__ = ['Adadelta']


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
