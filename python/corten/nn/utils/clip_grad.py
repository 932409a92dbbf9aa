# SPDX-License-Identifier: BSD-3-Clause
"""Gradient clipping by norm and by value."""
import warnings
from types import GeneratorType

from ... import _C, no_grad
from ..._C import Tensor

__all__ = ["clip_grad_norm", "clip_grad_norm_", "clip_grad_value_"]


def _listed(tensors):
    """Return a list of the tensors in an iterable, or with a single tensor."""
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


def _grads(parameters):
    """Return the gradients of the parameters that have one."""
    return [grad for grad in (p.grad for p in parameters) if grad is not None]


def _get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Compute the norm of all elements of several tensors, as if they were one vector.

    Known as `torch.nn.utils.get_total_norm`. Without tensors it is 0.

    Args:
        tensors: a tensor or an iterable of tensors.
        norm_type: exponent of the norm; inf is the largest magnitude. Default: 2.
        error_if_nonfinite: raise RuntimeError if the norm is infinite or NaN. Default: False.
        foreach: accepted for compatibility; one kernel always handles all tensors. Default: None.

    Example:
        >>> nn.utils.get_total_norm([torch.tensor([3.]), torch.tensor([4., 0.])])
        tensor(5.)
    """
    norm_type = float(norm_type)
    total = _C._total_norm(_listed(tensors), norm_type)
    if error_if_nonfinite and not total.isfinite():
        raise RuntimeError(f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be "
                           "clipped. To disable this error and scale the gradients by the non-finite norm anyway, set "
                           "`error_if_nonfinite=False`")
    return total


def _clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    """Scale gradients in place, given their total norm.

    Known as `torch.nn.utils.clip_grads_with_norm_`. Gradients are multiplied by min(1, max_norm /
    (total_norm + 1e-6)).

    Args:
        parameters: a tensor or an iterable of tensors; those without a gradient are skipped.
        max_norm: the desired norm.
        total_norm: the current norm, from `get_total_norm`.
        foreach: accepted and ignored; one kernel handles all tensors anyway. Default: None.
    """
    grads = _grads(_listed(parameters))
    if grads:
        _C._scale_to_norm(grads, float(max_norm), total_norm)


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Scale the gradients of several parameters, in place, so that their joint norm is at most `max_norm`.

        grad = grad * min(1, max_norm / (norm + 1e-6))

    The norm is that of all gradients as one vector, so their direction stays. Call it between
    backward() and the optimizer's step (Pascanu et al., 2012). Returns the norm before clipping, as
    a tensor, which is worth logging.

    Args:
        parameters: a tensor or an iterable of tensors; those without a gradient are skipped.
        max_norm: the maximum norm.
        norm_type: exponent of the norm; inf is the largest magnitude. Default: 2.
        error_if_nonfinite: raise RuntimeError if the norm is infinite or NaN, instead of spreading
            it to all gradients. Default: False.
        foreach: accepted and ignored; one kernel handles all tensors anyway. Default: None.

    Example:
        >>> p = nn.Parameter(torch.zeros(2))
        >>> p.grad = torch.tensor([3., 4.])
        >>> nn.utils.clip_grad_norm_([p], max_norm=1.)
        tensor(5.)
        >>> p.grad
        tensor([0.6000, 0.8000])
    """
    generated = isinstance(parameters, GeneratorType)
    parameters = _listed(parameters)
    if generated and not parameters:
        warnings.warn("`parameters` is an empty generator, no gradient clipping will occur.", stacklevel=3)
    grads = _grads(parameters)
    total = _get_total_norm(grads, norm_type, error_if_nonfinite, foreach)
    if grads:
        _C._scale_to_norm(grads, float(max_norm), total)
    return total


def clip_grad_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Deprecated name of `clip_grad_norm_`; calling it warns.

    Args:
        parameters, max_norm, norm_type, error_if_nonfinite, foreach: as for `clip_grad_norm_`.
    """
    warnings.warn("`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.",
                  FutureWarning, stacklevel=2)
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def clip_grad_value_(parameters, clip_value, foreach=None):
    """Clamp every element of the gradients, in place, to [-clip_value, clip_value].

    Unlike `clip_grad_norm_` it changes the direction of the gradient.

    Args:
        parameters: a tensor or an iterable of tensors; those without a gradient are skipped.
        clip_value: the maximum magnitude.
        foreach: accepted and ignored; one kernel handles all tensors anyway. Default: None.

    Example:
        >>> p = nn.Parameter(torch.zeros(3))
        >>> p.grad = torch.tensor([-5., 0.5, 2.])
        >>> nn.utils.clip_grad_value_([p], 1.)
        >>> p.grad
        tensor([-1.0000,  0.5000,  1.0000])
    """
    clip_value = float(clip_value)
    with no_grad():
        for grad in _grads(_listed(parameters)):
            grad.clamp_(min=-clip_value, max=clip_value)
