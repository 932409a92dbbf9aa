# SPDX-License-Identifier: BSD-3-Clause
"""Gradients that do not grow too large."""
import warnings
from types import GeneratorType

from ... import _C, no_grad
from ..._C import Tensor

__all__ = ["clip_grad_norm", "clip_grad_norm_", "clip_grad_value_"]


def _listed(tensors):
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


def _grads(parameters):
    return [grad for grad in (p.grad for p in parameters) if grad is not None]


def _get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """The norm of all elements of several tensors."""
    norm_type = float(norm_type)
    total = _C._total_norm(_listed(tensors), norm_type)
    if error_if_nonfinite and not total.isfinite():
        raise RuntimeError(f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be "
                           "clipped. To disable this error and scale the gradients by the non-finite norm anyway, set "
                           "`error_if_nonfinite=False`")
    return total


def _clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    """Scales gradients whose norm is known."""
    grads = _grads(_listed(parameters))
    if grads:
        _C._scale_to_norm(grads, float(max_norm), total_norm)


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Scales gradients in place so that the norm of all together is at most `max_norm`; returns the norm they had."""
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
    """The old name of `clip_grad_norm_`."""
    warnings.warn("`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.",
                  FutureWarning, stacklevel=2)
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def clip_grad_value_(parameters, clip_value, foreach=None):
    """Clamps gradients in place to [-clip_value, clip_value]."""
    clip_value = float(clip_value)
    with no_grad():
        for grad in _grads(_listed(parameters)):
            grad.clamp_(min=-clip_value, max=clip_value)
