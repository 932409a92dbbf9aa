# SPDX-License-Identifier: BSD-3-Clause
"""Adagrad: steps shrink with the sum of squared gradients."""
from . import _lists
from . import optimizer as base

__all__ = ['Adagrad', 'adagrad']


class Adagrad(base.Stepped):
    """Adaptive gradients (Duchi and others, 2011).

        >>> w = nn.Parameter(torch.tensor([1., 2.]))
        >>> optimizer = torch.optim.Adagrad([w], lr=0.1)
        >>> w.square().sum().backward()
        >>> optimizer.step()
        >>> w.detach()
        tensor([0.9000, 1.9000])
    """

    _kind = base.ADAGRAD

    def __init__(self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0,
                 eps=1e-10, foreach=None, *, maximize=False, differentiable=False, fused=None):
        base.check_lr(lr)
        base.check_positive(lr_decay=lr_decay, weight_decay=weight_decay,
                            initial_accumulator_value=initial_accumulator_value, eps=eps)
        base.check_fused(fused, foreach, differentiable)
        super().__init__(params, dict(
            lr=lr, lr_decay=lr_decay, eps=eps, weight_decay=weight_decay,
            initial_accumulator_value=initial_accumulator_value, foreach=foreach,
            maximize=maximize, differentiable=differentiable, fused=fused))
        for group in self.param_groups:
            for param in group['params']:
                self._begin(group, param)

    _old_defaults = base.Stepped._old_defaults | {'fused': None}

    def _begin_states(self, state, group, param):
        state['sum'] = base.full(param, group['initial_accumulator_value'])

    def _step_sparse(self, group):
        if group.get('fused'):
            raise RuntimeError('`fused` does not support sparse grad or complex param')
        if group['weight_decay'] != 0:
            raise RuntimeError('weight_decay option is not compatible with sparse gradients')
        for param in self._step_dense_part(group):
            state = self.state[param]
            state['step'] += 1
            grad = base.coalesced(param.grad, group['maximize'])
            values = grad._values()
            state['sum'].add_(base.at_places(grad, values.square()))
            std = state['sum'].sparse_mask(grad)._values().sqrt_().add_(group['eps'])
            step = float(group['lr']) / (1 + (state['step'].item() - 1) * group['lr_decay'])
            param.add_(base.at_places(grad, values / std), alpha=-step)

    def share_memory(self):
        """Moves the states into memory that forked processes share."""
        for state in self.state.values():
            state['step'].share_memory_()
            state['sum'].share_memory_()


def adagrad(params, grads, state_sums, state_steps, fused=None, grad_scale=None, found_inf=None, has_sparse_grad=False, foreach=None,
            differentiable=False, has_complex=False, *, lr, weight_decay, lr_decay, eps, maximize):
    """Steps a list of parameters in place as Adagrad does, with their gradients and states in lists; see the class for the options."""
    _lists.step(Adagrad, params, grads, {'sum': state_sums}, state_steps,
                dict(lr=lr, weight_decay=weight_decay, lr_decay=lr_decay, eps=eps, maximize=maximize),
                differentiable=differentiable, fused=fused, grad_scale=grad_scale, found_inf=found_inf)
