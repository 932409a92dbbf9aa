# SPDX-License-Identifier: BSD-3-Clause
"""ASGD: gradient descent that also keeps an average of the parameters. The class ASGD and the function asgd."""
from .. import _C, enable_grad, tensor
from . import _lists
from . import optimizer as base

__all__ = ['ASGD', 'asgd']


class ASGD(base.Stepped):
    """Averaged stochastic gradient descent (Polyak and Juditsky, 1992).

    For each parameter p with gradient g, step number t = 1, 2, ... computes::

        g = g + weight_decay * p                           if weight_decay != 0
        p = p * (1 - lambd * eta) - eta * g
        ax = p  if mu = 1,  otherwise ax + (p - ax) * mu   the average of p, in the state 'ax'
        eta = lr / (1 + lambd * lr * t)^alpha              for the next step; starts at lr
        mu = 1 / max(1, t - t0)                            for the next step; starts at 1

    The optimizer moves p. The average is in optimizer.state[p]['ax']; copy it to p when training ends. Until step t0 the
    average is p itself.

    Args:
        params: the parameters to train: an iterable of tensors, of (name, tensor) pairs, or of dictionaries, one per
            group (see Optimizer).
        lr: the initial learning rate, a number or a one-element tensor, at least 0. Default: 1e-2
        lambd: the decay of p per step (times eta), and of the rate. Default: 1e-4
        alpha: the exponent of the rate's decay. Default: 0.75
        t0: the step after which averaging begins. Default: 1e6
        weight_decay: the factor of the L2 penalty, added to the gradient. Default: 0
        foreach: accepted for compatibility, without effect on results. Default: None
        maximize: True follows the gradient uphill (g = -grad). Default: False
        differentiable: True lets autograd record the step, so that you can differentiate through it. Default: False
        capturable: True is accepted for parameters on a GPU only. step() cannot run while a CUDA graph is captured.
            Default: False

    Sparse gradients raise RuntimeError.

        >>> w = nn.Parameter(torch.tensor([1.]))
        >>> optimizer = torch.optim.ASGD([w], lr=0.25, lambd=0., t0=0)
        >>> for _ in range(3):
        ...     optimizer.zero_grad()
        ...     w.square().sum().backward()
        ...     optimizer.step()  # w = 0.5, 0.25, 0.125
        >>> w.detach(), optimizer.state[w]["ax"]
        (tensor([0.1250]), tensor([0.1875]))
    """

    _kind = base.ASGD
    _capturable = 'params, mus, etas, and state_steps', base.Stepped._capturable[1]

    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0,
                 foreach=None, maximize=False, differentiable=False, capturable=False):
        base.check_lr(lr)
        base.check_positive(lambd=lambd, alpha=alpha, weight_decay=weight_decay)
        super().__init__(params, dict(
            lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay, foreach=foreach,
            maximize=maximize, differentiable=differentiable, capturable=capturable))

    def _begin_states(self, state, group, param):
        with enable_grad():
            state['eta'] = base.first_number(group, 'lr').to(_C.float32)
        state['mu'] = tensor(1., dtype=_C.float32)
        base.zeros(state, param, 'ax')


def asgd(params, grads, axs, mus, etas, state_steps, foreach=None, maximize=False, differentiable=False, capturable=False,
         has_complex=False, *, lambd, lr, t0, alpha, weight_decay):
    """Apply one ASGD step in place to lists of parameters; the class ASGD documents the options.

    Args:
        params, grads: the tensors to update and their gradients.
        axs: the average of each parameter.
        mus, etas: a one-element tensor per parameter with the weight mu and the rate eta of this step; both are updated.
        state_steps: a one-element tensor per parameter that counts the steps; each is increased by 1.
        foreach, has_complex: accepted for compatibility, without effect.
        maximize, differentiable, capturable, lambd, lr, t0, alpha, weight_decay: as for ASGD.
    """
    _lists.step(ASGD, params, grads, {'ax': axs, 'mu': mus, 'eta': etas}, state_steps,
                dict(lr=lr, lambd=lambd, t0=t0, alpha=alpha, weight_decay=weight_decay, maximize=maximize),
                capturable=capturable, differentiable=differentiable)
