# SPDX-License-Identifier: BSD-3-Clause
"""RAdam: Adam that waits until the variance of its steps is known."""
from . import optimizer as base

__all__ = ['RAdam']


class RAdam(base.Stepped):
    """Rectified Adam (Liu and others, 2019).

        >>> w = nn.Parameter(torch.tensor([1., 2.]))
        >>> optimizer = torch.optim.RAdam([w], lr=0.1)
        >>> w.square().sum().backward()
        >>> optimizer.step()
        >>> w.detach()
        tensor([0.8000, 1.6000])
    """

    _kind = base.RADAM

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0,
                 decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False,
                 differentiable=False):
        base.check_lr(lr)
        base.check_positive(eps=eps)
        base.check_betas(betas)
        base.check_positive(weight_decay=weight_decay)
        super().__init__(params, dict(
            lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize,
            foreach=foreach, capturable=capturable, decoupled_weight_decay=decoupled_weight_decay,
            differentiable=differentiable))

    _old_defaults = base.Stepped._old_defaults | {'decoupled_weight_decay': False}

    def _begin_states(self, state, group, param):
        base.zeros(state, param, 'exp_avg', 'exp_avg_sq')
