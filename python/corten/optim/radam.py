# SPDX-License-Identifier: BSD-3-Clause
"""RAdam: Adam that waits until the variance of its steps is known."""
from . import _lists
from . import optimizer as base

__all__ = ['RAdam', 'radam']


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


def radam(params, grads, exp_avgs, exp_avg_sqs, state_steps, decoupled_weight_decay=False, foreach=None, differentiable=False,
          capturable=False, has_complex=False, maximize=False, *, beta1, beta2, lr, weight_decay, eps):
    """Steps a list of parameters in place as RAdam does, with their gradients and states in lists; see the class for the options."""
    _lists.step(RAdam, params, grads, {'exp_avg': exp_avgs, 'exp_avg_sq': exp_avg_sqs}, state_steps,
                dict(lr=lr, betas=(beta1, beta2), weight_decay=weight_decay, eps=eps, maximize=maximize,
                     decoupled_weight_decay=decoupled_weight_decay),
                capturable=capturable, differentiable=differentiable)
