# SPDX-License-Identifier: BSD-3-Clause
"""Adagrad: steps that shrink with the sum of squared gradients. The class Adagrad and the function adagrad."""
from . import _lists
from . import optimizer as base

__all__ = ['Adagrad', 'adagrad']


class Adagrad(base.Stepped):
    """Adagrad, adaptive subgradient descent (Duchi et al., 2011).

    Each element has its own rate, which falls with the sum of its squared gradients, so rare features keep large steps. For
    each parameter p with gradient g, step number t = 1, 2, ... computes, element by element::

        g = g + weight_decay * p                              if weight_decay != 0
        s = s + g * g                                         sum, starts at initial_accumulator_value
        p = p - lr / (1 + (t - 1) * lr_decay) * g / (sqrt(s) + eps)

    Args:
        params: the parameters to train: an iterable of tensors, of (name, tensor) pairs, or of dictionaries, one per
            group (see Optimizer).
        lr: the learning rate, a number or a one-element tensor, at least 0. Default: 1e-2
        lr_decay: how much the rate falls with the number of steps; see the formula. Default: 0
        weight_decay: the factor of the L2 penalty, added to the gradient; not with sparse gradients. Default: 0
        initial_accumulator_value: where the sum s of each element starts, at least 0. Default: 0
        eps: a number added to the denominator. Default: 1e-10
        foreach, fused: accepted for compatibility, without effect on results. Default: None
        maximize: True follows the gradient uphill (g = -grad). Default: False
        differentiable: True lets autograd record the step, so that you can differentiate through it. Default: False

    With a sparse gradient only the rows that it names change. The states are created with the optimizer, not at the first step.

        >>> w = nn.Parameter(torch.tensor([1., 2.]))
        >>> optimizer = torch.optim.Adagrad([w], lr=0.1)
        >>> w.square().sum().backward()
        >>> optimizer.step()
        >>> w.detach(), optimizer.state[w]["sum"]
        (tensor([0.9000, 1.9000]), tensor([ 4., 16.]))
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
        """Move all states to memory that processes forked from this one share."""
        for state in self.state.values():
            state['step'].share_memory_()
            state['sum'].share_memory_()


def adagrad(params, grads, state_sums, state_steps, fused=None, grad_scale=None, found_inf=None, has_sparse_grad=False, foreach=None,
            differentiable=False, has_complex=False, *, lr, weight_decay, lr_decay, eps, maximize):
    """Apply one Adagrad step in place to lists of parameters; the class Adagrad documents the options.

    Args:
        params, grads: the tensors to update and their gradients.
        state_sums: the sum of squared gradients of each parameter.
        state_steps: a one-element tensor per parameter that counts the steps; each is increased by 1.
        fused: True accepts grad_scale (the gradients are divided by it, in place) and found_inf (if it is not 0 the step
            is skipped).
        has_sparse_grad, foreach, has_complex: accepted for compatibility, without effect.
        differentiable, lr, weight_decay, lr_decay, eps, maximize: as for Adagrad.
    """
    _lists.step(Adagrad, params, grads, {'sum': state_sums}, state_steps,
                dict(lr=lr, weight_decay=weight_decay, lr_decay=lr_decay, eps=eps, maximize=maximize),
                differentiable=differentiable, fused=fused, grad_scale=grad_scale, found_inf=found_inf)
