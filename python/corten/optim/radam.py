# SPDX-License-Identifier: BSD-3-Clause
"""RAdam: Adam without adaptive steps until enough gradients are averaged. The class RAdam and the function radam."""
from . import _lists
from . import optimizer as base

__all__ = ['RAdam', 'radam']


class RAdam(base.Stepped):
    """Rectified Adam (Liu et al., 2019).

    Early in training the average of squared gradients rests on few samples, and steps divided by it vary wildly. RAdam
    estimates that variance and scales it out; while it cannot be estimated, steps are momentum without division. For each
    parameter p with gradient g, step number t = 1, 2, ... computes::

        m = beta1 * m + (1 - beta1) * g                              exp_avg, starts at 0
        v = beta2 * v + (1 - beta2) * g * g                          exp_avg_sq, starts at 0
        r_max = 2 / (1 - beta2) - 1
        r = r_max - 2 * t * beta2^t / (1 - beta2^t)                  about the number of averaged samples
        s = lr * m / (1 - beta1^t)
        if r > 5:
            s = s * sqrt((r - 4) * (r - 2) * r_max / ((r_max - 4) * (r_max - 2) * r))
            s = s * sqrt(1 - beta2^t) / (sqrt(v) + eps)
        p = p - s

    Weight decay comes first: g = g + weight_decay * p, or p = p * (1 - lr * weight_decay) if it is decoupled. With the
    default betas r passes 5 at step 6.

    Args:
        params: the parameters to train: an iterable of tensors, of (name, tensor) pairs, or of dictionaries, one per
            group (see Optimizer).
        lr: the learning rate, a number or a one-element tensor, at least 0. Default: 1e-3
        betas: (beta1, beta2), the decay of the two averages per step, each in [0, 1). Default: (0.9, 0.999)
        eps: a number added to the denominator. Default: 1e-8
        weight_decay: the strength of the weight decay. Default: 0
        decoupled_weight_decay: True decays the weights directly, as AdamW does. Default: False
        foreach: accepted for compatibility, without effect on results. Default: None
        maximize: True follows the gradient uphill (g = -grad). Default: False
        capturable: True is accepted for parameters on a GPU only. step() cannot run while a CUDA graph is captured.
            Default: False
        differentiable: True lets autograd record the step, so that you can differentiate through it. Default: False

    Sparse gradients raise RuntimeError.

        >>> w = nn.Parameter(torch.tensor([1., 2.]))
        >>> optimizer = torch.optim.RAdam([w], lr=0.1)
        >>> w.square().sum().backward()
        >>> optimizer.step()  # still without division: w - 0.1 * gradient
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
    """Apply one RAdam step in place to lists of parameters; the class RAdam documents the options.

    Args:
        params, grads: the tensors to update and their gradients.
        exp_avgs, exp_avg_sqs: the averages m and v of each parameter.
        state_steps: a one-element tensor per parameter that counts the steps; each is increased by 1.
        foreach, has_complex: accepted for compatibility, without effect.
        decoupled_weight_decay, differentiable, capturable, maximize: as for RAdam.
        beta1, beta2, lr, weight_decay, eps: as for RAdam.
    """
    _lists.step(RAdam, params, grads, {'exp_avg': exp_avgs, 'exp_avg_sq': exp_avg_sqs}, state_steps,
                dict(lr=lr, betas=(beta1, beta2), weight_decay=weight_decay, eps=eps, maximize=maximize,
                     decoupled_weight_decay=decoupled_weight_decay),
                capturable=capturable, differentiable=differentiable)
