# SPDX-License-Identifier: BSD-3-Clause
"""Rprop: a step size per element, adapted by the signs of its gradients. The class Rprop and the function rprop."""
from .. import enable_grad
from . import _lists
from . import optimizer as base

__all__ = ['Rprop', 'rprop']


class Rprop(base.Stepped):
    """Resilient backpropagation (Riedmiller and Braun, 1993).

    Each element has a step size s that grows while its gradient keeps its sign and shrinks when the sign flips; how large
    the gradient is does not matter. That suits full-batch training: the noise of mini-batches flips signs at random. For
    each parameter p with gradient g, a step computes, element by element::

        s = clamp(s * etaplus,  min, max)     if g * prev > 0
        s = clamp(s * etaminus, min, max)     if g * prev < 0; then also g = 0, so the element rests for this step
        p = p - sign(g) * s
        prev = g                              starts at 0

    Args:
        params: the parameters to train: an iterable of tensors, of (name, tensor) pairs, or of dictionaries, one per
            group (see Optimizer).
        lr: the initial step size of every element, at least 0. Default: 1e-2
        etas: (etaminus, etaplus), the factors of s, with 0 < etaminus < 1 < etaplus. Default: (0.5, 1.2)
        step_sizes: (min, max), the bounds of s. Default: (1e-6, 50)
        capturable: True is accepted for parameters on a GPU only. step() cannot run while a CUDA graph is captured.
            Default: False
        foreach: accepted for compatibility, without effect on results. Default: None
        maximize: True follows the gradient uphill (g = -grad). Default: False
        differentiable: True lets autograd record the step, so that you can differentiate through it. Default: False

    Sparse gradients raise RuntimeError.

        >>> w = nn.Parameter(torch.tensor([1., 200.]))
        >>> optimizer = torch.optim.Rprop([w], lr=0.1)
        >>> for _ in range(2):
        ...     optimizer.zero_grad()
        ...     w.square().sum().backward()
        ...     optimizer.step()  # steps of 0.1, then 0.12
        >>> w.detach()
        tensor([  0.7800, 199.7800])
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
    """Apply one Rprop step in place to lists of parameters; the class Rprop documents the options.

    Args:
        params, grads: the tensors to update and their gradients.
        prevs, step_sizes: the previous gradient and the step size s of each parameter.
        state_steps: a one-element tensor per parameter that counts the steps; each is increased by 1.
        foreach, has_complex: accepted for compatibility, without effect.
        capturable, maximize, differentiable: as for Rprop.
        step_size_min, step_size_max: the bounds of s, for Rprop's step_sizes.
        etaminus, etaplus: the factors of s, for Rprop's etas.
    """
    _lists.step(Rprop, params, grads, {'prev': prevs, 'step_size': step_sizes}, state_steps,
                dict(step_sizes=(step_size_min, step_size_max), etas=(etaminus, etaplus), maximize=maximize),
                capturable=capturable, differentiable=differentiable)
