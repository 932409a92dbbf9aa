# SPDX-License-Identifier: BSD-3-Clause
"""The activations of nn.functional that the table has as functions and in place: which of the two."""
from .. import _C
from .._C import celu_, hardshrink, prelu, relu_, rrelu_, selu_, threshold_

_rows = _C._submodules["nn.functional"]
__all__ = ["celu", "celu_", "elu_", "hardshrink", "hardtanh_", "leaky_relu_", "prelu", "relu", "relu_", "rrelu", "rrelu_",
           "selu", "selu_", "threshold", "threshold_"]


def relu(input, inplace=False):
    """Elements below zero become zero.

        >>> nn.functional.relu(torch.tensor([-1., 0., 2.]))
        tensor([0., 0., 2.])
    """
    return _C.relu_(input) if inplace else _C.relu(input)


def celu(input, alpha=1.0, inplace=False):
    """x above zero, alpha * (e^(x / alpha) - 1) below.

        >>> nn.functional.celu(torch.tensor([-1., 0., 2.]))
        tensor([-0.6321,  0.0000,  2.0000])
    """
    return _C.celu_(input, alpha) if inplace else _C.celu(input, alpha)


def selu(input, inplace=False):
    """The exponential linear unit that keeps mean 0 and variance 1.

        >>> nn.functional.selu(torch.tensor([-1., 0., 2.]))
        tensor([-1.1113,  0.0000,  2.1014])
    """
    return _C.selu_(input) if inplace else _C.selu(input)


def threshold(input, threshold, value, inplace=False):
    """`value` where an element is not above `threshold`.

        >>> torch.nn.functional.threshold(torch.tensor([-1., 2.]), 0, -5)
        tensor([-5.,  2.])
    """
    return _C.threshold_(input, threshold, value) if inplace else _C.threshold(input, threshold, value)


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    """x above zero; below it times a random number between `lower` and `upper`, or their middle.

        >>> nn.functional.rrelu(torch.tensor([-1., 0., 2.]))
        tensor([-0.2292,  0.0000,  2.0000])
    """
    return (_C.rrelu_ if inplace else _C.rrelu)(input, lower, upper, training)


def elu_(input, alpha=1.0):
    """In place: x above zero, alpha * (e^x - 1) below.

        >>> nn.functional.elu_(torch.tensor([-1., 0., 2.]))
        tensor([-0.6321,  0.0000,  2.0000])
    """
    return _rows.elu(input, alpha, True)


def hardtanh_(input, min_val=-1.0, max_val=1.0):
    """In place: elements no less than `min_val` and no greater than `max_val`.

        >>> nn.functional.hardtanh_(torch.tensor([-1., 0., 2.]))
        tensor([-1.,  0.,  1.])
    """
    return _rows.hardtanh(input, min_val, max_val, True)


def leaky_relu_(input, negative_slope=0.01):
    """In place: x above zero, `negative_slope` times x below.

        >>> nn.functional.leaky_relu_(torch.tensor([-1., 0., 2.]))
        tensor([-0.0100,  0.0000,  2.0000])
    """
    return _rows.leaky_relu(input, negative_slope, True)
