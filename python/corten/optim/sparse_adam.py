# SPDX-License-Identifier: BSD-3-Clause
"""SparseAdam: Adam for sparse gradients, which updates only the entries that have a gradient."""
import math

from .. import no_grad
from . import optimizer as base

__all__ = ['SparseAdam']


class SparseAdam(base.ByGroups):
    """Adam for sparse gradients, such as those of nn.Embedding(sparse=True).

    A step changes parameter and averages only at the indices that the gradient holds; the averages of all other entries do
    not decay either. For an entry with gradient g at step t = 1, 2, ... (counted for the whole parameter)::

        m = beta1 * m + (1 - beta1) * g                          exp_avg, starts at 0
        v = beta2 * v + (1 - beta2) * g * g                      exp_avg_sq, starts at 0
        p = p - lr * sqrt(1 - beta2^t) / (1 - beta1^t) * m / (sqrt(v) + eps)

    This is cheaper than Adam for large tables, but not equivalent: Adam continues to move rows that had gradients earlier.

    Args:
        params: the parameters to train, dense and real; their gradients must be sparse (see Optimizer for the forms).
        lr: the learning rate, a number or a one-element tensor, greater than 0. Default: 1e-3
        betas: (beta1, beta2), the decay of the two averages per step, each in [0, 1). Default: (0.9, 0.999)
        eps: a number added to the denominator, greater than 0. Default: 1e-8
        maximize: True follows the gradient uphill (g = -grad). Default: False

    A dense gradient raises RuntimeError. Repeated indices in a gradient are summed first.

        >>> table = nn.Embedding(3, 1, sparse=True)
        >>> optimizer = torch.optim.SparseAdam(table.parameters(), lr=0.1)
        >>> nn.init.zeros_(table.weight)
        Parameter containing:
        tensor([[0.],
                [0.],
                [0.]], requires_grad=True)
        >>> table(torch.tensor([1, 1])).sum().backward()
        >>> optimizer.step()  # row 1 only
        >>> table.weight.detach()
        tensor([[ 0.0000],
                [-0.1000],
                [ 0.0000]])
    """

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize=False):
        base.check_lr(lr)
        base.check(lr > 0, f'Invalid learning rate: {lr}')
        base.check(eps > 0, f'Invalid epsilon value: {eps}')
        base.check_betas(betas)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, maximize=maximize))
        places = [([i, j], p) for i, group in enumerate(self.param_groups) for j, p in enumerate(group['params'])]
        wrong = [place for place, p in places if p.is_sparse]
        base.check(not wrong, f'Sparse params at indices {wrong}: SparseAdam requires dense parameter tensors')
        wrong = [place for place, p in places if p.is_complex()]
        base.check(not wrong, f'Complex params at indices {wrong}: SparseAdam does not support complex parameters')

    @no_grad()
    def _step_group(self, group):
        params = [p for p in group['params'] if p.grad is not None]
        for param in params:
            if not param.grad.is_sparse:
                raise RuntimeError('SparseAdam does not support dense gradients, please consider Adam instead')
            state = self.state[param]
            if not state:
                state['step'] = 0
                base.zeros(state, param, 'exp_avg', 'exp_avg_sq')
            state['step'] += 1
        for param in params:
            self._update(group, param, self.state[param])

    def _update(self, group, param, state):
        grad = base.coalesced(param.grad, group.get('maximize', False))
        values = grad._values()
        if values.numel() == 0:
            return
        averages = []
        for name, new, beta in zip(('exp_avg', 'exp_avg_sq'), (values, values.square()), group['betas'], strict=True):
            old = state[name].sparse_mask(grad)._values()
            change = new.sub(old).mul_(1 - beta)
            state[name].add_(base.at_places(grad, change))
            averages.append(old.add(change))
        first, second = (1 - beta ** state['step'] for beta in group['betas'])
        step = float(group['lr']) * math.sqrt(second) / first
        param.add_(base.at_places(grad, averages[0].div_(averages[1].sqrt_().add_(group['eps'])).mul_(-step)))
