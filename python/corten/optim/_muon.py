# SPDX-License-Identifier: BSD-3-Clause
"""Muon: momentum whose update matrices are made nearly orthogonal."""
import math

from .. import Tensor, addmm, bfloat16, zeros_like
from . import optimizer as base

__all__ = ['Muon']

_RULES = ('original', 'match_rms_adamw', 'spectral_unclamped')


def _orthogonalized(matrix, coefficients, steps, eps):
    """Return a matrix with nearly the same singular vectors and singular values near 1.

    Newton-Schulz iteration with an odd polynomial of degree five, in bfloat16: with G = X X^T each round computes
    X = a X + (b G + c G G) X. The iteration runs on the wide orientation, where G is smaller.
    """
    base.check(steps < 100, 'Number of steps must be less than 100 for computational efficiency')
    base.check(len(coefficients) == 3, 'Coefficients must be a tuple of exactly 3 values')
    a, b, c = coefficients
    tall = matrix.size(0) > matrix.size(1)
    x = matrix.to(dtype=bfloat16, copy=True)
    x = x.T if tall else x
    x.div_(x.norm().clamp(min=eps))
    for _ in range(steps):
        gram = x @ x.T
        x = addmm(x, addmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.T if tall else x


def _ratio(rule, shape):
    """Return the factor of the learning rate for a matrix of this shape."""
    rows, columns = shape[:2]
    if rule == 'match_rms_adamw':
        return 0.2 * math.sqrt(max(rows, columns))
    if rule == 'spectral_unclamped':
        return math.sqrt(rows / columns)
    return math.sqrt(max(1, rows / columns))


class Muon(base.ByParameters):
    """Muon, momentum with orthogonalized updates (Jordan et al., 2024), for the weight matrices of hidden layers.

    For each matrix p of n x m with gradient g, a step computes::

        b = momentum * b + (1 - momentum) * g                       momentum_buffer, starts at 0
        u = momentum * b + (1 - momentum) * g  if nesterov,  otherwise b
        u = U V^T, approximately, where u = U S V^T                 ns_steps rounds of Newton-Schulz in bfloat16
        p = p * (1 - lr * weight_decay) - lr * ratio * u

    All singular values of the update are near 1, so no direction dominates. Train embeddings, the output layer, biases and
    other vectors with AdamW.

    Args:
        params: the matrices to train; a tensor that does not have two dims raises ValueError (see Optimizer for the forms).
        lr: the learning rate, a number or a one-element tensor, at least 0. Default: 1e-3
        weight_decay: the decay rate; a step multiplies each weight by 1 - lr * weight_decay. Default: 0.1
        momentum: the decay of the averaged gradient per step. Default: 0.95
        nesterov: True mixes the current gradient in once more. Default: True
        ns_coefficients: (a, b, c), the coefficients of the Newton-Schulz polynomial a x + b x^3 + c x^5.
            Default: (3.4445, -4.775, 2.0315), which gets singular values to about 0.7 to 1.2 in few rounds
        eps: the smallest norm that the update is divided by before the rounds. Default: 1e-7
        ns_steps: the number of rounds, below 100. Default: 5
        adjust_lr_fn: the rule for ratio: None or 'original' for sqrt(max(1, n / m)); 'match_rms_adamw' for
            0.2 * sqrt(max(n, m)), so that an lr tuned for AdamW fits; 'spectral_unclamped' for sqrt(n / m). Default: None

        >>> w = nn.Parameter(torch.tensor([[1., 2.]]))
        >>> optimizer = torch.optim.Muon([w], lr=0.1)
        >>> w.square().sum().backward()
        >>> optimizer.step()
        >>> w.detach()
        tensor([[0.9593, 1.9187]])
    """

    def __init__(self, params, lr=1e-3, weight_decay=0.1, momentum=0.95, nesterov=True,
                 ns_coefficients=(3.4445, -4.775, 2.0315), eps=1e-7, ns_steps=5,
                 adjust_lr_fn=None):
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError('Tensor lr must be 1-element')
        base.check(0.0 <= lr, f'Learning rate should be >= 0 but is: {lr}')
        base.check(0.0 <= momentum, f'momentum should be >= 0 but is: {momentum}')
        base.check(0.0 <= weight_decay, f'weight decay should be >= 0 but is: {weight_decay}')
        base.check(adjust_lr_fn is None or adjust_lr_fn in _RULES,
                   f'Adjust learning rate function {adjust_lr_fn} is not supported')
        super().__init__(params, dict(
            lr=lr, weight_decay=weight_decay, momentum=momentum, nesterov=nesterov,
            ns_coefficients=ns_coefficients, eps=eps, ns_steps=ns_steps,
            adjust_lr_fn=adjust_lr_fn))
        for group in self.param_groups:
            for p in group['params']:
                base.check(p.ndim == 2, 'Muon only supports 2D parameters whereas we found a '
                                        f'parameter with size: {p.size()}')

    def _update(self, group, param):
        if param.is_complex():
            raise RuntimeError('Muon does not support complex parameters')
        state, lr, momentum = self.state[param], float(group['lr']), group['momentum']
        if 'momentum_buffer' not in state:
            state['momentum_buffer'] = zeros_like(param.grad)
        average = state['momentum_buffer'].lerp_(param.grad, 1 - momentum)
        update = param.grad.lerp(average, momentum) if group['nesterov'] else average
        update = _orthogonalized(update, group['ns_coefficients'], group['ns_steps'], group['eps'])
        param.mul_(1 - lr * group['weight_decay'])
        param.add_(update, alpha=-lr * _ratio(group['adjust_lr_fn'], param.shape))
