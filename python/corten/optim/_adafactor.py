# SPDX-License-Identifier: BSD-3-Clause
"""Adafactor: an adaptive optimizer that stores row and column sums instead of a full second average."""
from .. import Tensor, finfo, linalg, tensor, zeros_like
from .. import _C
from . import optimizer as base

__all__ = ['Adafactor']


def _mean_square(grad, dim):
    """Return the mean of squares along a dim, without a temporary as large as the gradient."""
    return linalg.vector_norm(grad, dim=dim, keepdim=True).square_().div_(grad.size(dim))


def _rms(x):
    return x.norm(2).item() / x.numel() ** 0.5


class Adafactor(base.ByParameters):
    """Adafactor, adaptive steps in sublinear memory (Shazeer and Stern, 2018).

    Adam stores an average of squared gradients as large as the parameter. For a matrix of n x m, Adafactor stores n row means
    and m column means, and multiplies them. For each parameter p with gradient g, step number t = 1, 2, ... computes::

        w = t^beta2_decay                                          the weight of the new gradient
        p = p * (1 - lr * weight_decay)
        r = r + w * (mean of g^2 along each row - r)               row_var, starts at 0
        c = c + w * (mean of g^2 along each column - c)            col_var, starts at 0
        v = outer(r, c) / mean(r)
        u = g / sqrt(max(v, eps1^2))
        p = p - max(eps2, rms(p)) * min(lr, 1 / sqrt(t)) * u / max(1, rms(u) / d)

    where rms(x) = sqrt(mean(x^2)). A parameter with fewer than two dims keeps v itself (the state 'variance'). The step is
    relative to rms(p), so lr means the same for small and for large weights.

    Args:
        params: the parameters to train, real tensors only (see Optimizer for the forms).
        lr: the largest relative step, a number or a one-element tensor, at least 0. Default: 1e-2
        beta2_decay: the exponent of w, at most 0. Default: -0.8
        eps: (eps1, eps2): the floor of sqrt(v), None for the machine epsilon of the parameter's dtype, and the floor of
            rms(p). Default: (None, 1e-3)
        d: the root mean square above which an update is scaled down, at least 1. Default: 1.0
        weight_decay: the decay rate; a step first multiplies each weight by 1 - lr * weight_decay. Default: 0.0
        foreach: accepted for compatibility, without effect on results. Default: None
        maximize: True follows the gradient uphill (g = -grad). Default: False

        >>> w = nn.Parameter(torch.ones(30, 20))
        >>> optimizer = torch.optim.Adafactor([w], lr=0.1)
        >>> w.square().sum().backward()
        >>> optimizer.step()
        >>> w[0, 0].item()
        0.8999999761581421
        >>> {name: list(state.shape) for name, state in optimizer.state[w].items()}  # 50 numbers instead of 600
        {'step': [], 'row_var': [30, 1], 'col_var': [1, 20]}
    """

    def __init__(self, params, lr=1e-2, beta2_decay=-0.8, eps=(None, 1e-3), d=1.0,
                 weight_decay=0.0, *, foreach=None, maximize=False):
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError('Tensor lr must be 1-element')
        base.check(0.0 <= lr, f'Learning rate should be >= 0 but is: {lr}')
        base.check(0.0 >= beta2_decay, f'beta2_decay should be <= 0 but is: {beta2_decay}')
        base.check(eps[0] is None or 0.0 <= eps[0], f'epsilon1 should be >= 0 but is: {eps[0]}')
        base.check(0.0 <= eps[1], f'epsilon2 should be >= 0 but is: {eps[1]}')
        base.check(1.0 <= d, f'Clipping threshold d should be >= 1 but is: {d}')
        base.check(0.0 <= weight_decay, f'weight_decay should be >= 0 but is: {weight_decay}')
        super().__init__(params, dict(lr=lr, beta2_decay=beta2_decay, eps=eps, d=d,
                                      weight_decay=weight_decay, foreach=foreach,
                                      maximize=maximize))

    def _state_of(self, param):
        if param.is_complex():
            raise RuntimeError('Adafactor does not support complex parameters')
        state = self.state[param]
        if not state:
            state['step'] = tensor(0., dtype=_C.float32)
            if param.grad.dim() > 1:
                rows, columns = list(param.grad.shape), list(param.grad.shape)
                rows[-1] = columns[-2] = 1
                state['row_var'] = param.grad.new_zeros(rows)
                state['col_var'] = param.grad.new_zeros(columns)
            else:
                state['variance'] = zeros_like(param.grad)
        return state

    def _update(self, group, param):
        state, lr, (eps1, eps2) = self._state_of(param), float(group['lr']), group['eps']
        grad = -param.grad if group['maximize'] else param.grad
        eps1 = finfo(param.dtype).eps if eps1 is None else eps1
        state['step'] += 1
        step = state['step'].item()
        weight = step ** group['beta2_decay']
        alpha = max(eps2, _rms(param)) * min(lr, 1 / step ** 0.5)
        if group['weight_decay'] != 0:
            param.mul_(1 - lr * group['weight_decay'])
        if grad.dim() > 1:
            rows = state['row_var'].lerp_(_mean_square(grad, -1), weight)
            columns = state['col_var'].lerp_(_mean_square(grad, -2), weight)
            variance = rows @ columns
            variance.div_(rows.mean(dim=-2, keepdim=True).clamp_(min=eps1))
        else:
            variance = state['variance'].lerp_(grad * grad, weight).clone()
        update = variance.clamp_(min=eps1 * eps1).rsqrt_().mul_(grad)
        param.add_(update, alpha=-alpha / max(1.0, _rms(update) / group['d']))
