# SPDX-License-Identifier: BSD-3-Clause
"""Adafactor: Adam whose second average is kept as sums of rows and columns."""
from .. import Tensor, finfo, linalg, tensor, zeros_like
from .. import _C
from . import optimizer as base

__all__ = ['Adafactor']


def _mean_square(grad, dim):
    """The mean of squares along a dim, without a tensor of the gradient's size."""
    return linalg.vector_norm(grad, dim=dim, keepdim=True).square_().div_(grad.size(dim))


def _rms(x):
    return x.norm(2).item() / x.numel() ** 0.5


class Adafactor(base.ByParameters):
    """Adaptive steps in sublinear memory (Shazeer and Stern, 2018).

        >>> w = nn.Parameter(torch.tensor([1., 2.]))
        >>> optimizer = torch.optim.Adafactor([w], lr=0.1)
        >>> w.square().sum().backward()
        >>> optimizer.step()
        >>> w.detach()
        tensor([0.8419, 1.8419])
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
