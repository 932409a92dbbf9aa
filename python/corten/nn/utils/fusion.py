# SPDX-License-Identifier: BSD-3-Clause
"""Batch normalisation folded into the layer before it, for evaluation."""
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
    """The parameters of a layer with the scale and shift of normalisation in them."""
    kinds = weight.dtype, weight.dtype if bias is None else bias.dtype
    bias = zeros_like(mean) if bias is None else bias
    scale = rsqrt(var + eps) * (ones_like(mean) if bn_weight is None else bn_weight)
    shift = zeros_like(mean) if bn_bias is None else bn_bias
    new_weight = (weight * scale.reshape(shape)).to(dtype=kinds[0])
    new_bias = ((bias - mean) * scale + shift).to(dtype=kinds[1])
    return Parameter(new_weight, weight.requires_grad), Parameter(new_bias, bias.requires_grad)


def fuse_conv_bn_eval(conv, bn, transpose=False):
    """A copy of the convolution that normalises too."""
    _check(conv, bn)
    fused = copy.deepcopy(conv)
    _check_statistics(bn)
    fused.weight, fused.bias = fuse_conv_bn_weights(fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight,
                                                    bn.bias, transpose)
    return fused


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    """The parameters of that convolution."""
    shape = ([1, -1] if transpose else [-1, 1]) + [1] * (conv_w.dim() - 2)
    return _fused(conv_w, conv_b, shape, bn_rm, bn_rv, bn_eps, bn_w, bn_b)


def fuse_linear_bn_eval(linear, bn):
    """A copy of the linear layer that normalises too."""
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
    """The parameters of that linear layer."""
    return _fused(linear_w, linear_b, [-1, 1], bn_rm, bn_rv, bn_eps, bn_w, bn_b)
