# SPDX-License-Identifier: BSD-3-Clause
"""RMSprop: steps scaled by a running average of squared gradients. The class RMSprop and the function rmsprop."""
from . import _lists
from . import optimizer as base

__all__ = ['RMSprop', 'rmsprop']


class RMSprop(base.Stepped):
    """RMSprop (Hinton, 2012, lecture 6 of "Neural Networks for Machine Learning"), optionally centered (Graves, 2013).

    For each parameter p with gradient g, a step computes, element by element::

        g = g + weight_decay * p                            if weight_decay != 0
        v = alpha * v + (1 - alpha) * g * g                 square_avg, starts at 0
        a = alpha * a + (1 - alpha) * g                     grad_avg, starts at 0; only if centered
        d = sqrt(v - a * a) + eps  if centered,  otherwise sqrt(v) + eps
        b = momentum * b + g / d                            momentum_buffer, starts at 0
        p = p - lr * b                                      with momentum 0: p - lr * g / d

    Unlike Adam, nothing corrects v for starting at 0: the first steps are up to 1 / sqrt(1 - alpha) times (by default 10
    times) as large as later ones.

    Args:
        params: the parameters to train: an iterable of tensors, of (name, tensor) pairs, or of dictionaries, one per
            group (see Optimizer).
        lr: the learning rate, a number or a one-element tensor, at least 0. Default: 1e-2
        alpha: the decay of the averages per step. Default: 0.99
        eps: a number added to the root (TensorFlow adds it inside). Default: 1e-8
        weight_decay: the factor of the L2 penalty, added to the gradient. Default: 0
        momentum: the factor that carries over the previous scaled gradients. Default: 0, which keeps no buffer.
        centered: True divides by an estimate of the standard deviation instead of the root mean square. Default: False
        capturable: True is accepted for parameters on a GPU only. step() cannot run while a CUDA graph is captured.
            Default: False
        foreach: accepted for compatibility, without effect on results. Default: None
        maximize: True follows the gradient uphill (g = -grad). Default: False
        differentiable: True lets autograd record the step, so that you can differentiate through it. Default: False

    Sparse gradients raise RuntimeError.

        >>> w = nn.Parameter(torch.tensor([1., 2.]))
        >>> optimizer = torch.optim.RMSprop([w], lr=0.01)
        >>> w.square().sum().backward()
        >>> optimizer.step()  # the first step is 10 * lr
        >>> w.detach()
        tensor([0.9000, 1.9000])
    """

    _kind = base.RMSPROP

    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0,
                 centered=False, capturable=False, foreach=None, maximize=False,
                 differentiable=False):
        base.check_lr(lr)
        base.check_positive(eps=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        super().__init__(params, dict(
            lr=lr, momentum=momentum, alpha=alpha, eps=eps, centered=centered,
            weight_decay=weight_decay, capturable=capturable, foreach=foreach, maximize=maximize,
            differentiable=differentiable))

    _old_defaults = base.Stepped._old_defaults | {'momentum': 0, 'centered': False}

    def _begin_states(self, state, group, param):
        base.zeros(state, param, 'square_avg')
        if group['momentum'] > 0:
            base.zeros(state, param, 'momentum_buffer')
        if group['centered']:
            base.zeros(state, param, 'grad_avg')


def rmsprop(params, grads, square_avgs, grad_avgs, momentum_buffer_list, state_steps, foreach=None, maximize=False, differentiable=False,
            capturable=False, has_complex=False, *, lr, alpha, eps, weight_decay, momentum, centered):
    """Apply one RMSprop step in place to lists of parameters; the class RMSprop documents the options.

    Args:
        params, grads: the tensors to update and their gradients.
        square_avgs: the average of squared gradients of each parameter.
        grad_avgs: the average gradients; read only if centered.
        momentum_buffer_list: the momentum buffers; read only if momentum > 0.
        state_steps: a one-element tensor per parameter that counts the steps; each is increased by 1.
        foreach, has_complex: accepted for compatibility, without effect.
        maximize, differentiable, capturable, lr, alpha, eps, weight_decay, momentum, centered: as for RMSprop.
    """
    states = {'square_avg': square_avgs, **({'grad_avg': grad_avgs} if centered else {}),
              **({'momentum_buffer': momentum_buffer_list} if momentum > 0 else {})}
    _lists.step(RMSprop, params, grads, states, state_steps,
                dict(lr=lr, alpha=alpha, eps=eps, weight_decay=weight_decay, momentum=momentum, centered=centered, maximize=maximize),
                capturable=capturable, differentiable=differentiable)
