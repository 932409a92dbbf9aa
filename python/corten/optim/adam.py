# SPDX-License-Identifier: BSD-3-Clause
"""Adam: steps scaled by running averages of the gradient and of its square. The class Adam and the function adam."""
from .. import Tensor
from . import _lists
from . import optimizer as base

__all__ = ['Adam', 'adam']

_REFUSED = '{} as a Tensor is not supported for capturable=False and foreach=True'


class Adam(base.Stepped):
    """Adam, adaptive moment estimation (Kingma and Ba, 2014), with the AMSGrad variant (Reddi et al., 2018) as an option.

    For each parameter p with gradient g, step number t = 1, 2, ... computes, element by element::

        g = g + weight_decay * p                                 if weight_decay != 0
        m = beta1 * m + (1 - beta1) * g                          exp_avg, starts at 0
        v = beta2 * v + (1 - beta2) * g * g                      exp_avg_sq, starts at 0
        u = max(u, v)  if amsgrad,  otherwise v                  max_exp_avg_sq, starts at 0
        p = p - lr * (m / (1 - beta1^t)) / (sqrt(u / (1 - beta2^t)) + eps)

    The two divisions by 1 - beta^t correct the averages for starting at zero. The first step therefore moves every element
    by about lr, however large its gradient is.

    Args:
        params: the parameters to train: an iterable of tensors, of (name, tensor) pairs, or of dictionaries, one per
            group, with 'params' and options that differ from the defaults (see Optimizer).
        lr: the learning rate, a number or a one-element tensor, at least 0. Default: 1e-3
        betas: (beta1, beta2), the decay of the two averages per step, each in [0, 1); two floats or two one-element
            tensors. Default: (0.9, 0.999)
        eps: a number added to the denominator, which bounds the step where gradients are tiny. Default: 1e-8
        weight_decay: the factor of the L2 penalty, added to the gradient. AdamW decays the weights directly instead.
            Default: 0
        amsgrad: True divides by the largest second average so far, so that the effective rate never rises. Default: False
        foreach, fused: accepted for compatibility. In PyTorch they choose between implementations with equal
            results; Corten has one. Default: None
        maximize: True follows the gradient uphill (g = -grad). Default: False
        capturable: True is accepted for parameters on a GPU only. step() cannot run while a CUDA graph is captured.
            Default: False
        differentiable: True lets autograd record the step, so that you can differentiate through it. Default: False
        decoupled_weight_decay: True decays weights as AdamW does. Default: False

    Sparse gradients raise RuntimeError; use SparseAdam for them.

        >>> w = nn.Parameter(torch.tensor([1., 200.]))
        >>> optimizer = torch.optim.Adam([w], lr=0.1)
        >>> w.square().sum().backward()  # gradients 2 and 400, yet both elements move by 0.1
        >>> optimizer.step()
        >>> w.detach()
        tensor([  0.9000, 199.9000])
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
    """Apply one Adam step in place to lists of parameters; the class Adam documents the options.

    Args:
        params, grads: the tensors to update and their gradients.
        exp_avgs, exp_avg_sqs: the averages m and v of each parameter.
        max_exp_avg_sqs: the maxima u of each parameter; read only with amsgrad.
        state_steps: a one-element tensor per parameter that counts the steps; each is increased by 1.
        foreach, has_complex: accepted for compatibility, without effect; with foreach and not capturable a tensor lr or
            beta raises, as in PyTorch.
        capturable, differentiable, decoupled_weight_decay: as for Adam.
        fused: True accepts grad_scale (the gradients are divided by it, in place) and found_inf (if it is not 0 the step
            is skipped).
        amsgrad, beta1, beta2, lr, weight_decay, eps, maximize: as for Adam.
    """
    if foreach and not capturable:
        for name, value in (('lr', lr), ('beta1', beta1), ('beta2', beta2)):
            if isinstance(value, Tensor):
                raise RuntimeError(_REFUSED.format(name))
    states = {'exp_avg': exp_avgs, 'exp_avg_sq': exp_avg_sqs, **({'max_exp_avg_sq': max_exp_avg_sqs} if amsgrad else {})}
    _lists.step(Adam, params, grads, states, state_steps,
                dict(lr=lr, betas=(beta1, beta2), weight_decay=weight_decay, eps=eps, maximize=maximize, amsgrad=amsgrad,
                     decoupled_weight_decay=decoupled_weight_decay),
                capturable=capturable, differentiable=differentiable, fused=fused, grad_scale=grad_scale, found_inf=found_inf)
