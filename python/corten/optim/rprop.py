# SPDX-License-Identifier: BSD-3-Clause
"""Rprop: a step size for each element, by the signs of its gradients alone."""
from .. import enable_grad
from . import _lists
from . import optimizer as base

__all__ = ['Rprop', 'rprop']


class Rprop(base.Stepped):
    """Resilient backpropagation (Riedmiller and Braun, 1993).

        >>> w = nn.Parameter(torch.tensor([1., 2.]))
        >>> optimizer = torch.optim.Rprop([w], lr=0.1)
        >>> w.square().sum().backward()
        >>> optimizer.step()
        >>> w.detach()
        tensor([0.9000, 1.9000])
    """

    _kind = base.RPROP

    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *,
                 capturable=False, foreach=None, maximize=False, differentiable=False):
        base.check_lr(lr)
        base.check(0.0 < etas[0] < 1.0 < etas[1], f'Invalid eta values: {etas[0]}, {etas[1]}')
        super().__init__(params, dict(
            lr=lr, etas=etas, step_sizes=step_sizes, foreach=foreach, maximize=maximize,
            differentiable=differentiable, capturable=capturable))

    def _begin_states(self, state, group, param):
        base.zeros(state, param, 'prev')
        state['step_size'] = base.full(param, float(group['lr']))
        first = base.first_number(group, 'lr')
        if first.requires_grad:
            with enable_grad():
                state['step_size'] = base.full(param, 1.0) * first


def rprop(params, grads, prevs, step_sizes, state_steps, foreach=None, capturable=False, maximize=False, differentiable=False,
          has_complex=False, *, step_size_min, step_size_max, etaminus, etaplus):
    """Steps a list of parameters in place as Rprop does, with their gradients and states in lists; see the class for the options."""
    _lists.step(Rprop, params, grads, {'prev': prevs, 'step_size': step_sizes}, state_steps,
                dict(step_sizes=(step_size_min, step_size_max), etas=(etaminus, etaplus), maximize=maximize),
                capturable=capturable, differentiable=differentiable)
