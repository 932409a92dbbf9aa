# SPDX-License-Identifier: BSD-3-Clause
"""NAdam: Adam with Nesterov momentum. The class NAdam and the function nadam."""
from .. import _C, Tensor, tensor
from . import _lists
from . import optimizer as base

__all__ = ['NAdam', 'nadam']


class NAdam(base.Stepped):
    """Adam with Nesterov momentum (Dozat, 2016).

    For each parameter p with gradient g, step number t = 1, 2, ... computes, element by element::

        mu_t = beta1 * (1 - 0.5 * 0.96^(t * momentum_decay))         the momentum of step t
        M = M * mu_t                                                 mu_product, starts at 1
        m = beta1 * m + (1 - beta1) * g                              exp_avg, starts at 0
        v = beta2 * v + (1 - beta2) * g * g                          exp_avg_sq, starts at 0
        d = sqrt(v / (1 - beta2^t)) + eps
        p = p - lr * ((1 - mu_t) / (1 - M) * g / d + mu_(t+1) / (1 - M * mu_(t+1)) * m / d)

    Weight decay comes first: g = g + weight_decay * p, or p = p * (1 - lr * weight_decay) if it is decoupled.

    Args:
        params: the parameters to train: an iterable of tensors, of (name, tensor) pairs, or of dictionaries, one per
            group (see Optimizer).
        lr: the learning rate, a number or a one-element tensor, at least 0. Default: 2e-3
        betas: (beta1, beta2), the decay of the two averages per step, each in [0, 1). Default: (0.9, 0.999)
        eps: a number added to the denominator. Default: 1e-8
        weight_decay: the strength of the weight decay. Default: 0
        momentum_decay: how fast the momentum rises from about beta1 / 2 to beta1. Default: 4e-3
        decoupled_weight_decay: True decays the weights directly, as AdamW does. Default: False
        foreach: accepted for compatibility, without effect on results. Default: None
        maximize: True follows the gradient uphill (g = -grad). Default: False
        capturable: True is accepted for parameters on a GPU only. step() cannot run while a CUDA graph is captured.
            Default: False
        differentiable: True lets autograd record the step, so that you can differentiate through it. Default: False

    Sparse gradients raise RuntimeError.

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
    """Apply one NAdam step in place to lists of parameters; the class NAdam documents the options.

    Args:
        params, grads: the tensors to update and their gradients.
        exp_avgs, exp_avg_sqs: the averages m and v of each parameter.
        mu_products: a one-element tensor per parameter with the product M of all momenta so far.
        state_steps: a one-element tensor per parameter that counts the steps; each is increased by 1.
        foreach, has_complex: accepted for compatibility, without effect.
        decoupled_weight_decay, capturable, differentiable, maximize: as for NAdam.
        beta1, beta2, lr, weight_decay, momentum_decay, eps: as for NAdam.
    """
    if not all(isinstance(t, Tensor) for t in mu_products):
        raise RuntimeError('API has changed, `mu_products` argument must contain a list of singleton tensors')
    _lists.step(NAdam, params, grads, {'exp_avg': exp_avgs, 'exp_avg_sq': exp_avg_sqs, 'mu_product': mu_products}, state_steps,
                dict(lr=lr, betas=(beta1, beta2), weight_decay=weight_decay, momentum_decay=momentum_decay, eps=eps, maximize=maximize,
                     decoupled_weight_decay=decoupled_weight_decay),
                capturable=capturable, differentiable=differentiable)
