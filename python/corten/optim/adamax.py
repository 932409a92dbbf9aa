# SPDX-License-Identifier: BSD-3-Clause
"""Adamax: the variant of Adam that scales by the largest recent gradient. The class Adamax and the function adamax."""
from . import _lists
from . import optimizer as base

__all__ = ['Adamax', 'adamax']


class Adamax(base.Stepped):
    """Adamax, Adam with the infinity norm (Kingma and Ba, 2014, section 7.1).

    The average of squared gradients is replaced by a maximum that decays. For each parameter p with gradient g, step number
    t = 1, 2, ... computes, element by element::

        g = g + weight_decay * p                     if weight_decay != 0
        m = beta1 * m + (1 - beta1) * g              exp_avg, starts at 0
        u = max(beta2 * u, abs(g) + eps)             exp_inf, starts at 0
        p = p - lr / (1 - beta1^t) * m / u

    Args:
        params: the parameters to train: an iterable of tensors, of (name, tensor) pairs, or of dictionaries, one per
            group (see Optimizer).
        lr: the learning rate, a number or a one-element tensor, at least 0. Default: 2e-3
        betas: (beta1, beta2), the decay of the average and of the maximum per step, each in [0, 1). Default: (0.9, 0.999)
        eps: a number added to abs(g), so that u is never 0. Default: 1e-8
        weight_decay: the factor of the L2 penalty, added to the gradient. Default: 0
        foreach: accepted for compatibility, without effect on results. Default: None
        maximize: True follows the gradient uphill (g = -grad). Default: False
        differentiable: True lets autograd record the step, so that you can differentiate through it. Default: False
        capturable: True is accepted for parameters on a GPU only. step() cannot run while a CUDA graph is captured.
            Default: False

    Sparse gradients raise RuntimeError.

        >>> w = nn.Parameter(torch.tensor([1., 2.]))
        >>> optimizer = torch.optim.Adamax([w], lr=0.1)
        >>> w.square().sum().backward()
        >>> optimizer.step()
        >>> w.detach()
        tensor([0.9000, 1.9000])
        >>> optimizer.state[w]["exp_inf"]
        tensor([2., 4.])
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
    """Apply one Adamax step in place to lists of parameters; the class Adamax documents the options.

    Args:
        params, grads: the tensors to update and their gradients.
        exp_avgs, exp_infs: the average m and the maximum u of each parameter.
        state_steps: a one-element tensor per parameter that counts the steps; each is increased by 1.
        foreach, has_complex: accepted for compatibility, without effect.
        maximize, differentiable, capturable, eps, beta1, beta2, lr, weight_decay: as for Adamax.
    """
    _lists.step(Adamax, params, grads, {'exp_avg': exp_avgs, 'exp_inf': exp_infs}, state_steps,
                dict(lr=lr, betas=(beta1, beta2), weight_decay=weight_decay, eps=eps, maximize=maximize),
                capturable=capturable, differentiable=differentiable)
