# SPDX-License-Identifier: BSD-3-Clause
"""Stochastic gradient descent, with momentum."""
from . import _lists
from . import optimizer as base

__all__ = ['SGD', 'sgd']


class SGD(base.Stepped):
    """Stochastic gradient descent: `p -= lr * grad`, optionally with (Nesterov's) momentum.

        >>> w = nn.Parameter(torch.tensor([1., 2.]))
        >>> optimizer = torch.optim.SGD([w], lr=0.1)
        >>> w.square().sum().backward()
        >>> optimizer.step()
        >>> w.detach()
        tensor([0.8000, 1.6000])
    """

    _kind = base.SGD

    def __init__(self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, *,
                 maximize=False, foreach=None, differentiable=False, fused=None):
        base.check_lr(lr)
        base.check_positive(momentum=momentum, weight_decay=weight_decay)
        base.check(not nesterov or (momentum > 0 and dampening == 0),
                   'Nesterov momentum requires a momentum and zero dampening')
        base.check_fused(fused, foreach, differentiable)
        super().__init__(params, dict(
            lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay,
            nesterov=nesterov, maximize=maximize, foreach=foreach, differentiable=differentiable,
            fused=fused))

    _old_defaults = base.Stepped._old_defaults | {'nesterov': False, 'fused': False}

    def _begin(self, group, param):
        return self.state[param]  # the library adds the momentum buffer

    def _step_sparse(self, group):
        if group.get('fused'):
            raise RuntimeError('`_fused_sgd` does not support sparse gradients')
        if group['weight_decay'] != 0:
            raise RuntimeError('add(sparse, dense) is not supported. Use add(dense, sparse) instead.')
        momentum, lr = group['momentum'], float(group['lr'])
        for param in self._step_dense_part(group):
            grad = -param.grad if group['maximize'] else param.grad
            if momentum != 0:
                state = self.state[param]
                buffer = state.get('momentum_buffer')
                if buffer is None:
                    buffer = grad.detach().clone()
                else:  # each place once, or its entries would grow with every step
                    buffer = buffer.mul_(momentum).add_(grad, alpha=1 - group['dampening']).coalesce()
                state['momentum_buffer'] = buffer
                grad = grad.add(buffer, alpha=momentum) if group['nesterov'] else buffer
            param.add_(grad, alpha=-lr)


def sgd(params, d_p_list, momentum_buffer_list, has_sparse_grad=False, foreach=None, fused=None, grad_scale=None, found_inf=None, *,
        weight_decay, momentum, lr, dampening, nesterov, maximize):
    """Steps a list of parameters in place as SGD does, with their gradients and states in lists; see the class for the options.

    Where a momentum is None it is made, and put into the list.
    """
    _lists.step(SGD, params, d_p_list, {'momentum_buffer': momentum_buffer_list} if momentum != 0 else {}, None,
                dict(lr=lr, weight_decay=weight_decay, momentum=momentum, dampening=dampening, nesterov=nesterov, maximize=maximize),
                fused=fused, grad_scale=grad_scale, found_inf=found_inf)
