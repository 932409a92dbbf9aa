# SPDX-License-Identifier: BSD-3-Clause
"""NAdam: Adam with Nesterov's momentum."""
from .. import _C, Tensor, tensor
from . import _lists
from . import optimizer as base

__all__ = ['NAdam', 'nadam']


class NAdam(base.Stepped):
    """Adam with Nesterov's momentum (Dozat, 2016).

        >>> w = nn.Parameter(torch.tensor([1., 2.]))
        >>> optimizer = torch.optim.NAdam([w], lr=0.1)
        >>> w.square().sum().backward()
        >>> optimizer.step()
        >>> w.detach()
        tensor([0.8944, 1.8944])
    """

    _kind = base.NADAM
    _capturable = 'params, mu_products and state_steps', base.Stepped._capturable[1]

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0,
                 momentum_decay=4e-3, decoupled_weight_decay=False, *, foreach=None,
                 maximize=False, capturable=False, differentiable=False):
        base.check_lr(lr)
        base.check_positive(eps=eps)
        base.check_betas(betas)
        base.check_positive(weight_decay=weight_decay, momentum_decay=momentum_decay)
        super().__init__(params, dict(
            lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay,
            decoupled_weight_decay=decoupled_weight_decay, maximize=maximize, foreach=foreach,
            capturable=capturable, differentiable=differentiable))

    _old_defaults = base.Stepped._old_defaults | {'decoupled_weight_decay': False}

    def _begin_states(self, state, group, param):
        state['mu_product'] = tensor(1., dtype=_C.float32)
        base.zeros(state, param, 'exp_avg', 'exp_avg_sq')


def nadam(params, grads, exp_avgs, exp_avg_sqs, mu_products, state_steps, decoupled_weight_decay=False, foreach=None, capturable=False,
          differentiable=False, has_complex=False, maximize=False, *, beta1, beta2, lr, weight_decay, momentum_decay, eps):
    """Steps a list of parameters in place as NAdam does, with their gradients and states in lists; see the class for the options."""
    if not all(isinstance(t, Tensor) for t in mu_products):
        raise RuntimeError('API has changed, `mu_products` argument must contain a list of singleton tensors')
    _lists.step(NAdam, params, grads, {'exp_avg': exp_avgs, 'exp_avg_sq': exp_avg_sqs, 'mu_product': mu_products}, state_steps,
                dict(lr=lr, betas=(beta1, beta2), weight_decay=weight_decay, momentum_decay=momentum_decay, eps=eps, maximize=maximize,
                     decoupled_weight_decay=decoupled_weight_decay),
                capturable=capturable, differentiable=differentiable)
