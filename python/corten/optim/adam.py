# SPDX-License-Identifier: BSD-3-Clause
"""Adam: steps scaled by running averages of the gradient and of its square."""
from .. import Tensor
from . import optimizer as base

__all__ = ['Adam']


class Adam(base.Stepped):
    """Adam (Kingma and Ba, 2014), with AMSGrad as an option.

        >>> w = nn.Parameter(torch.tensor([1., 2.]))
        >>> optimizer = torch.optim.Adam([w], lr=0.1)
        >>> w.square().sum().backward()
        >>> optimizer.step()
        >>> w.detach()
        tensor([0.9000, 1.9000])
    """

    _kind = base.ADAM

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0,
                 amsgrad=False, *, foreach=None, maximize=False, capturable=False,
                 differentiable=False, fused=None, decoupled_weight_decay=False):
        base.check_lr(lr)
        base.check_positive(eps=eps)
        base.check_betas(betas)
        base.check_positive(weight_decay=weight_decay)
        kinds = {isinstance(b, Tensor) for b in betas}
        base.check(len(kinds) == 1 and (True in kinds or all(isinstance(b, float) for b in betas)),
                   'betas must be either both floats or both Tensors')
        base.check_fused(fused, foreach, differentiable)
        super().__init__(params, dict(
            lr=lr, betas=tuple(b.item() if isinstance(b, Tensor) else b for b in betas), eps=eps,
            weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize, foreach=foreach,
            capturable=capturable, differentiable=differentiable, fused=fused,
            decoupled_weight_decay=decoupled_weight_decay))

    _old_defaults = base.Stepped._old_defaults | {
        'amsgrad': False, 'fused': None, 'decoupled_weight_decay': False}

    def _begin_states(self, state, group, param):
        base.zeros(state, param, 'exp_avg', 'exp_avg_sq')
        if group['amsgrad']:
            base.zeros(state, param, 'max_exp_avg_sq')

    def _step_sparse(self, group):
        raise RuntimeError('Adam does not support sparse gradients, please consider SparseAdam instead')
