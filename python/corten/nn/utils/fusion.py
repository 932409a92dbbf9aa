# SPDX-License-Identifier: BSD-3-Clause
"""Folding a batch normalisation into the layer before it, for evaluation."""
import copy

from ... import ones_like, rsqrt, zeros_like
from ..parameter import Parameter

__all__ = ["fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights"]


def _check(layer, bn):
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")


def _check_statistics(bn):
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")


def _fused(weight, bias, shape, mean, var, eps, bn_weight, bn_bias):
    """Return the weight and bias of a layer that includes the scaling and shift of the normalisation."""
    kinds = weight.dtype, weight.dtype if bias is None else bias.dtype
    bias = zeros_like(mean) if bias is None else bias
    scale = rsqrt(var + eps) * (ones_like(mean) if bn_weight is None else bn_weight)
    shift = zeros_like(mean) if bn_bias is None else bn_bias
    new_weight = (weight * scale.reshape(shape)).to(dtype=kinds[0])
    new_bias = ((bias - mean) * scale + shift).to(dtype=kinds[1])
    return Parameter(new_weight, weight.requires_grad), Parameter(new_bias, bias.requires_grad)


def fuse_conv_bn_eval(conv, bn, transpose=False):
    """Combine a convolution and the batch normalisation after it into one convolution.

    The result is a copy that computes the same values, up to rounding, in less time.

    Args:
        conv: the convolution, in evaluation mode, otherwise AssertionError.
        bn: the normalisation, in evaluation mode and with running statistics.
        transpose: whether `conv` is a transposed convolution. Default: False.

    Example:
        >>> conv, bn, x = nn.Conv2d(1, 2, 3).eval(), nn.BatchNorm2d(2).eval(), torch.ones(1, 1, 4, 4)
        >>> fused = nn.utils.fuse_conv_bn_eval(conv, bn)
        >>> torch.allclose(fused(x), bn(conv(x)), atol=1e-6)
        True
    """
    _check(conv, bn)
    fused = copy.deepcopy(conv)
    _check_statistics(bn)
    fused.weight, fused.bias = fuse_conv_bn_weights(fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight,
                                                    bn.bias, transpose)
    return fused


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    """Return the weight and bias of a convolution with a batch normalisation folded in.

        weight = conv_w * bn_w / sqrt(bn_rv + bn_eps),  bias = (conv_b - bn_rm) * bn_w / sqrt(bn_rv + bn_eps) + bn_b

    Args:
        conv_w, conv_b: weight and bias of the convolution; the bias may be None.
        bn_rm, bn_rv: running mean and variance.
        bn_eps: eps of the normalisation.
        bn_w, bn_b: its scale and shift, or None.
        transpose: whether the convolution is a transposed one. Default: False.
    """
    shape = ([1, -1] if transpose else [-1, 1]) + [1] * (conv_w.dim() - 2)
    return _fused(conv_w, conv_b, shape, bn_rm, bn_rv, bn_eps, bn_w, bn_b)


def fuse_linear_bn_eval(linear, bn):
    """Combine a linear layer and the batch normalisation after it into one linear layer.

    The result is a copy and gives the same values, up to rounding, in less time.

    Args:
        linear: the layer, in evaluation mode, otherwise AssertionError.
        bn: the normalisation, in evaluation mode and with running statistics, of as many features
            or of one.
    """
    _check(linear, bn)
    fused = copy.deepcopy(linear)
    if bn.num_features not in (linear.out_features, 1):
        raise AssertionError("To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got "
                             f"linear.out_features={linear.out_features} and bn.num_features={bn.num_features}")
    _check_statistics(bn)
    fused.weight, fused.bias = fuse_linear_bn_weights(fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight,
                                                      bn.bias)
    return fused


def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    """Return the weight and bias of a linear layer with a batch normalisation folded in.

    See `fuse_conv_bn_weights` for the formula.

    Args:
        linear_w, linear_b: weight and bias of the layer; the bias may be None.
        bn_rm, bn_rv: running mean and variance.
        bn_eps: eps of the normalisation.
        bn_w, bn_b: its scale and shift, or None.
    """
    return _fused(linear_w, linear_b, [-1, 1], bn_rm, bn_rv, bn_eps, bn_w, bn_b)
