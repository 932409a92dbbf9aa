# SPDX-License-Identifier: BSD-3-Clause
"""Adam: steps scaled by running averages of the gradient and of its square."""
from .. import Tensor
from . import _lists
from . import optimizer as base

__all__ = ['Adam', 'adam']

_REFUSED = '{} as a Tensor is not supported for capturable=False and foreach=True'


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
        tensor_allowed = capturable or not foreach
        base.check(tensor_allowed or not isinstance(lr, Tensor), _REFUSED.format('lr'))
        base.check_lr(lr)
        base.check_positive(eps=eps)
        base.check_betas(betas)
        base.check_positive(weight_decay=weight_decay)
        kinds = {isinstance(b, Tensor) for b in betas}
        base.check(len(kinds) == 1 and (True in kinds or all(isinstance(b, float) for b in betas)),
                   'betas must be either both floats or both Tensors')
        for i, beta in enumerate(betas):
            if isinstance(beta, Tensor):
                base.check(tensor_allowed, _REFUSED.format(f'betas[{i}]'))
                base.check(beta.numel() == 1, f'Tensor betas[{i}] must be 1-element')
        base.check_fused(fused, foreach, differentiable)
        super().__init__(params, dict(
            lr=lr, betas=tuple(b.squeeze() if isinstance(b, Tensor) else b for b in betas), eps=eps,
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


def adam(params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, foreach=None, capturable=False, differentiable=False,
         fused=None, grad_scale=None, found_inf=None, has_complex=False, decoupled_weight_decay=False, *, amsgrad, beta1, beta2, lr,
         weight_decay, eps, maximize):
    """Steps a list of parameters in place as Adam does, with their gradients and states in lists; see the class for the options."""
    if foreach and not capturable:
        for name, value in (('lr', lr), ('beta1', beta1), ('beta2', beta2)):
            if isinstance(value, Tensor):
                raise RuntimeError(_REFUSED.format(name))
    states = {'exp_avg': exp_avgs, 'exp_avg_sq': exp_avg_sqs, **({'max_exp_avg_sq': max_exp_avg_sqs} if amsgrad else {})}
    _lists.step(Adam, params, grads, states, state_steps,
                dict(lr=lr, betas=(beta1, beta2), weight_decay=weight_decay, eps=eps, maximize=maximize, amsgrad=amsgrad,
                     decoupled_weight_decay=decoupled_weight_decay),
                capturable=capturable, differentiable=differentiable, fused=fused, grad_scale=grad_scale, found_inf=found_inf)
