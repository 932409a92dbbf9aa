# SPDX-License-Identifier: BSD-3-Clause
"""Adamax: Adam with the infinity norm."""
from . import _lists
from . import optimizer as base

__all__ = ['Adamax', 'adamax']


class Adamax(base.Stepped):
    """Adam whose second average is a decaying maximum.

        >>> w = nn.Parameter(torch.tensor([1., 2.]))
        >>> optimizer = torch.optim.Adamax([w], lr=0.1)
        >>> w.square().sum().backward()
        >>> optimizer.step()
        >>> w.detach()
        tensor([0.9000, 1.9000])
    """

    _kind = base.ADAMAX

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None,
                 *, maximize=False, differentiable=False, capturable=False):
        base.check_lr(lr)
        base.check_positive(eps=eps)
        base.check_betas(betas)
        base.check_positive(weight_decay=weight_decay)
        super().__init__(params, dict(
            lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, foreach=foreach,
            maximize=maximize, differentiable=differentiable, capturable=capturable))

    def _begin_states(self, state, group, param):
        base.zeros(state, param, 'exp_avg', 'exp_inf')


def adamax(params, grads, exp_avgs, exp_infs, state_steps, foreach=None, maximize=False, differentiable=False, capturable=False,
           has_complex=False, *, eps, beta1, beta2, lr, weight_decay):
    """Steps a list of parameters in place as Adamax does, with their gradients and states in lists; see the class for the options."""
    _lists.step(Adamax, params, grads, {'exp_avg': exp_avgs, 'exp_inf': exp_infs}, state_steps,
                dict(lr=lr, betas=(beta1, beta2), weight_decay=weight_decay, eps=eps, maximize=maximize),
                capturable=capturable, differentiable=differentiable)
