# SPDX-License-Identifier: BSD-3-Clause
"""AdamW: Adam whose weight decay bypasses the running averages."""
from .adam import Adam, adam

__all__ = ['AdamW', 'adamw']


class AdamW(Adam):
    """Adam with decoupled weight decay (Loshchilov and Hutter, 2017).

    Adam adds weight_decay * p to the gradient, where the division by sqrt(v) weakens it for weights with large gradients.
    AdamW shrinks every weight by the same factor instead::

        p = p * (1 - lr * weight_decay)
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g * g
        p = p - lr * (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps)

    with gradient g, step number t = 1, 2, ..., and m = v = 0 at the start. With amsgrad the largest v so far takes the
    role of v in the last line.

    Args:
        params: the parameters to train: an iterable of tensors, of (name, tensor) pairs, or of dictionaries, one per
            group, with 'params' and options that differ from the defaults (see Optimizer).
        lr: the learning rate, a number or a one-element tensor, at least 0. It also scales the decay. Default: 1e-3
        betas: (beta1, beta2), the decay of the two averages per step, each in [0, 1). Default: (0.9, 0.999)
        eps: a number added to the denominator. Default: 1e-8
        weight_decay: the decay rate; a step multiplies each weight by 1 - lr * weight_decay. Default: 1e-2
        amsgrad: True divides by the largest second average so far. Default: False
        maximize: True follows the gradient uphill (g = -grad). Default: False
        foreach, fused: accepted for compatibility, without effect on results. Default: None
        capturable: True is accepted for parameters on a GPU only. step() cannot run while a CUDA graph is captured.
            Default: False
        differentiable: True lets autograd record the step, so that you can differentiate through it. Default: False

    A usual training setup leaves biases and normalization weights out of the decay, with one group each:

        >>> layer = nn.Linear(2, 1)
        >>> optimizer = torch.optim.AdamW([{"params": [layer.weight], "weight_decay": 0.1},
        ...                                {"params": [layer.bias], "weight_decay": 0.}], lr=0.01)
        >>> [group["weight_decay"] for group in optimizer.param_groups]
        [0.1, 0.0]
        >>> with torch.no_grad():
        ...     w = layer.weight.fill_(1.)
        >>> layer.weight.grad = torch.zeros(1, 2)  # without a gradient only the decay is left: 1 - 0.01 * 0.1
        >>> optimizer.step()
        >>> layer.weight.detach()
        tensor([[0.9990, 0.9990]])
    """

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2,
                 amsgrad=False, *, maximize=False, foreach=None, capturable=False,
                 differentiable=False, fused=None):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach,
                         maximize=maximize, capturable=capturable, differentiable=differentiable,
                         fused=fused, decoupled_weight_decay=True)

    def __setstate__(self, state):
        super().__setstate__(state)
        for group in self.param_groups:
            group['decoupled_weight_decay'] = True


def adamw(params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, foreach=None, capturable=False, differentiable=False,
          fused=None, grad_scale=None, found_inf=None, has_complex=False, *, amsgrad, beta1, beta2, lr, weight_decay, eps, maximize):
    """Apply one AdamW step in place to lists of parameters; the class AdamW documents the options.

    Args:
        params, grads: the tensors to update and their gradients.
        exp_avgs, exp_avg_sqs: the averages m and v of each parameter.
        max_exp_avg_sqs: the largest v of each parameter; read only with amsgrad.
        state_steps: a one-element tensor per parameter that counts the steps; each is increased by 1.
        foreach, has_complex: accepted for compatibility, without effect.
        capturable, differentiable: as for AdamW.
        fused, grad_scale, found_inf: as for the function adam.
        amsgrad, beta1, beta2, lr, weight_decay, eps, maximize: as for AdamW.
    """
    adam(params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, foreach=foreach, capturable=capturable,
         differentiable=differentiable, fused=fused, grad_scale=grad_scale, found_inf=found_inf, has_complex=has_complex, amsgrad=amsgrad,
         beta1=beta1, beta2=beta2, lr=lr, weight_decay=weight_decay, eps=eps, maximize=maximize, decoupled_weight_decay=True)
