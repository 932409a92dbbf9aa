# SPDX-License-Identifier: BSD-3-Clause
"""Activations of nn.functional that also have an in-place form, selected by `inplace=True`.

src/ops declares the other activations, which need no Python.
"""
from .. import _C
from .._C import celu_, hardshrink, prelu, relu_, rrelu_, selu_, threshold_

_rows = _C._submodules["nn.functional"]
__all__ = ["celu", "celu_", "elu_", "hardshrink", "hardtanh_", "leaky_relu_", "prelu", "relu", "relu_", "rrelu", "rrelu_",
           "selu", "selu_", "threshold", "threshold_"]


def relu(input, inplace=False):
    """Replace negative elements by zero: max(x, 0).

    NaN stays NaN. The gradient is 1 where x > 0 and 0 elsewhere, at x = 0 too. The layer is
    nn.ReLU.

    Args:
        input: a tensor of any shape.
        inplace: overwrite `input` and return it. Default: False.

    Example:
        >>> nn.functional.relu(torch.tensor([-1., 0., 2.]))
        tensor([0., 0., 2.])
    """
    return _C.relu_(input) if inplace else _C.relu(input)


def celu(input, alpha=1.0, inplace=False):
    """Continuously differentiable ELU: x above zero, alpha * (exp(x / alpha) - 1) below (Barron, 2017).

    The layer is nn.CELU.

    Args:
        input: a tensor of any shape.
        alpha: the negative results approach -alpha; not 0. Default: 1.
        inplace: overwrite `input` and return it. Default: False.

    Example:
        >>> nn.functional.celu(torch.tensor([-1., 0., 2.]), alpha=2.)
        tensor([-0.7869,  0.0000,  2.0000])
    """
    return _C.celu_(input, alpha) if inplace else _C.celu(input, alpha)


def selu(input, inplace=False):
    """Scaled ELU that keeps mean 0 and variance 1 (Klambauer et al., 2017).

        out = scale * (x if x > 0 else alpha * (exp(x) - 1)), with scale = 1.0507... and alpha = 1.6732...

    nn.SELU lists the conditions for that property.

    Args:
        input: a tensor of any shape.
        inplace: overwrite `input` and return it. Default: False.

    Example:
        >>> nn.functional.selu(torch.tensor([-1., 0., 2.]))
        tensor([-1.1113,  0.0000,  2.1014])
    """
    return _C.selu_(input) if inplace else _C.selu(input)


def threshold(input, threshold, value, inplace=False):
    """Keep elements above `threshold`; replace all others with `value`.

    An element equal to the threshold is replaced, NaN is kept. The layer is nn.Threshold.

    Args:
        input: a tensor of any shape.
        threshold: the number an element has to exceed.
        value: the number that replaces the other elements.
        inplace: overwrite `input` and return it. Default: False.

    Example:
        >>> nn.functional.threshold(torch.tensor([-1., 0., 2.]), 0, -5)
        tensor([-5., -5.,  2.])
    """
    return _C.threshold_(input, threshold, value) if inplace else _C.threshold(input, threshold, value)


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    """Leaky ReLU with a random negative slope while training (Xu et al., 2015).

    Positive elements are kept. With training=True each negative element is multiplied by a separate
    random number, uniform between `lower` and `upper`; otherwise all by the mean (lower + upper) /
    2. The layer is nn.RReLU.

    Args:
        input: a tensor of any shape.
        lower: smallest slope. Default: 1/8.
        upper: greatest slope. Default: 1/3.
        training: whether slopes are random. Default: False.
        inplace: overwrite `input` and return it. Default: False.

    Example:
        >>> nn.functional.rrelu(torch.tensor([-1., 0., 2.]), 0.1, 0.3)
        tensor([-0.2000,  0.0000,  2.0000])
    """
    return (_C.rrelu_ if inplace else _C.rrelu)(input, lower, upper, training)


def elu_(input, alpha=1.0):
    """In-place elu: x above zero, alpha * (exp(x) - 1) below.

    It overwrites `input` and returns it, so `input` must not be a leaf that requires a gradient.

    Args:
        input: a tensor of any shape.
        alpha: the negative results approach -alpha. Default: 1.

    Example:
        >>> x = torch.tensor([-1., 0., 2.])
        >>> _ = nn.functional.elu_(x)
        >>> x
        tensor([-0.6321,  0.0000,  2.0000])
    """
    return _rows.elu(input, alpha, True)


def hardtanh_(input, min_val=-1.0, max_val=1.0):
    """In-place hardtanh: clip every element to the interval [min_val, max_val].

    It overwrites `input` and returns it, so `input` must not be a leaf that requires a gradient.

    Args:
        input: a tensor of any shape.
        min_val: lower limit. Default: -1.
        max_val: upper limit. Default: 1.

    Example:
        >>> x = torch.tensor([-3., 0.5, 2.])
        >>> _ = nn.functional.hardtanh_(x)
        >>> x
        tensor([-1.0000,  0.5000,  1.0000])
    """
    return _rows.hardtanh(input, min_val, max_val, True)


def leaky_relu_(input, negative_slope=0.01):
    """In-place leaky_relu: keep positive elements, multiply negative ones by a slope.

    It overwrites `input` and returns it, so `input` must not be a leaf that requires a gradient.

    Args:
        input: a tensor of any shape.
        negative_slope: the slope below zero. Default: 0.01.

    Example:
        >>> x = torch.tensor([-10., 0., 2.])
        >>> _ = nn.functional.leaky_relu_(x, 0.1)
        >>> x
        tensor([-1.,  0.,  2.])
    """
    return _rows.leaky_relu(input, negative_slope, True)
