# SPDX-License-Identifier: BSD-3-Clause
"""Stochastic gradient descent, with and without momentum: the class SGD and the function sgd."""
from . import _lists
from . import optimizer as base

__all__ = ['SGD', 'sgd']


class SGD(base.Stepped):
    """Stochastic gradient descent, optionally with momentum (Polyak, 1964) or Nesterov momentum (Sutskever et al., 2013).

    For each parameter p with gradient g, a step computes::

        g = g + weight_decay * p                          if weight_decay != 0
        b = g at the first step, then                     if momentum != 0
        b = momentum * b + (1 - dampening) * g
        g = g + momentum * b  if nesterov,  otherwise b
        p = p - lr * g

    The learning rate multiplies the buffer b as a whole, so a change of lr takes effect at once. (Some papers put
    lr inside the buffer: b = momentum * b + lr * g.)

    Args:
        params: the parameters to train: an iterable of tensors, of (name, tensor) pairs, or of dictionaries, one per
            group, with 'params' and options that differ from the defaults (see Optimizer).
        lr: the learning rate, a number or a one-element tensor, at least 0. Default: 1e-3
        momentum: the factor that carries over the previous update direction; 0.9 is common. Default: 0, which keeps
            no state.
        dampening: the share of each new gradient that momentum leaves out. Default: 0
        weight_decay: the factor of the L2 penalty, added to the gradient. Default: 0
        nesterov: True looks one step ahead along the momentum. It needs momentum > 0 and dampening == 0. Default: False
        maximize: True follows the gradient uphill (g = -grad). Default: False
        foreach, fused: accepted for compatibility. In PyTorch they choose between implementations with equal
            results; Corten has one. Default: None
        differentiable: True lets autograd record the step, so that you can differentiate through it. Default: False

    Sparse gradients are supported, without weight_decay. A parameter whose grad is None is skipped.

        >>> w = nn.Parameter(torch.tensor([1., 2.]))
        >>> optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.9)
        >>> w.square().sum().backward()  # the gradient is 2 * w
        >>> optimizer.step()
        >>> w.detach()
        tensor([0.8000, 1.6000])
        >>> optimizer.state[w]["momentum_buffer"]
        tensor([2., 4.])
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
                else:  # without coalesce() repeated indices would pile up with every step
                    buffer = buffer.mul_(momentum).add_(grad, alpha=1 - group['dampening']).coalesce()
                state['momentum_buffer'] = buffer
                grad = grad.add(buffer, alpha=momentum) if group['nesterov'] else buffer
            param.add_(grad, alpha=-lr)


def sgd(params, d_p_list, momentum_buffer_list, has_sparse_grad=False, foreach=None, fused=None, grad_scale=None, found_inf=None, *,
        weight_decay, momentum, lr, dampening, nesterov, maximize):
    """Apply one SGD step in place to lists of parameters; the class SGD documents the options.

    Args:
        params: the tensors to update.
        d_p_list: their gradients, in the same order.
        momentum_buffer_list: their momentum buffers. A missing one (None) is created and stored in the list.
        has_sparse_grad, foreach: accepted for compatibility, without effect.
        fused: True accepts grad_scale and found_inf.
        grad_scale: with fused, a tensor that the gradients are divided by, in place.
        found_inf: with fused, a tensor; if it is not 0 the step is skipped.
        weight_decay, momentum, lr, dampening, nesterov, maximize: as for SGD.
    """
    _lists.step(SGD, params, d_p_list, {'momentum_buffer': momentum_buffer_list} if momentum != 0 else {}, None,
                dict(lr=lr, weight_decay=weight_decay, momentum=momentum, dampening=dampening, nesterov=nesterov, maximize=maximize),
                fused=fused, grad_scale=grad_scale, found_inf=found_inf)
