# SPDX-License-Identifier: BSD-3-Clause
"""Adadelta: steps in the units of earlier steps. The class Adadelta and the function adadelta."""
from . import _lists
from . import optimizer as base

__all__ = ['Adadelta', 'adadelta']


class Adadelta(base.Stepped):
    """Adadelta (Zeiler, 2012), which scales each step by the size of the steps before it.

    For each parameter p with gradient g, a step computes, element by element::

        g = g + weight_decay * p                        if weight_decay != 0
        v = rho * v + (1 - rho) * g * g                 square_avg, starts at 0
        d = sqrt(a + eps) / sqrt(v + eps) * g
        a = rho * a + (1 - rho) * d * d                 acc_delta, starts at 0
        p = p - lr * d

    The quotient of the two roots has the units of p, which is why lr can stay at 1. Since a starts at 0 the first steps have
    about the size sqrt(eps).

    Args:
        params: the parameters to train: an iterable of tensors, of (name, tensor) pairs, or of dictionaries, one per
            group (see Optimizer).
        lr: a factor of the step, a number or a one-element tensor, at least 0. Default: 1.0
        rho: the decay of both averages per step, in [0, 1]. Default: 0.9
        eps: a number added under both roots, which sets the size of the first steps. Default: 1e-6
        weight_decay: the factor of the L2 penalty, added to the gradient. Default: 0
        foreach: accepted for compatibility, without effect on results. Default: None
        capturable: True is accepted for parameters on a GPU only. step() cannot run while a CUDA graph is captured.
            Default: False
        maximize: True follows the gradient uphill (g = -grad). Default: False
        differentiable: True lets autograd record the step, so that you can differentiate through it. Default: False

    Sparse gradients raise RuntimeError.

        >>> w = nn.Parameter(torch.tensor([1., 2.]))
        >>> optimizer = torch.optim.Adadelta([w])
        >>> w.square().sum().backward()
        >>> optimizer.step()  # sqrt(1e-6) / sqrt(0.1 * g * g) * g = 0.0032
        >>> w.detach()
        tensor([0.9968, 1.9968])
    """

    _kind = base.ADADELTA
    _capturable = 'params and state_steps', base.Stepped._capturable[1][:-1]

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


def adadelta(params, grads, square_avgs, acc_deltas, state_steps, capturable=False, foreach=None, differentiable=False, has_complex=False,
             *, lr, rho, eps, weight_decay, maximize):
    """Apply one Adadelta step in place to lists of parameters; the class Adadelta documents the options.

    Args:
        params, grads: the tensors to update and their gradients.
        square_avgs, acc_deltas: the averages v and a of each parameter.
        state_steps: a one-element tensor per parameter that counts the steps; each is increased by 1.
        foreach, has_complex: accepted for compatibility, without effect.
        capturable, differentiable, lr, rho, eps, weight_decay, maximize: as for Adadelta.
    """
    _lists.step(Adadelta, params, grads, {'square_avg': square_avgs, 'acc_delta': acc_deltas}, state_steps,
                dict(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize),
                capturable=capturable, differentiable=differentiable)
