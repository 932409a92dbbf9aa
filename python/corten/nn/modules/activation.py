# SPDX-License-Identifier: BSD-3-Clause
"""Activations."""
import warnings

from ... import empty, sigmoid, tanh
from .. import functional as F
from .. import init as _init
from ..parameter import Parameter
from ._stateless import Stateless
from .module import Module

__all__ = ["CELU", "ELU", "GELU", "GLU", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh", "LeakyReLU", "LogSigmoid",
           "LogSoftmax", "Mish", "PReLU", "RReLU", "ReLU", "ReLU6", "SELU", "SiLU", "Sigmoid", "Softmax", "Softmax2d", "Softmin",
           "Softplus", "Softshrink", "Softsign", "Tanh", "Tanhshrink", "Threshold"]


class _Inplace(Stateless):
    """Activations that can overwrite their input; they print that only when they do."""

    def __init__(self, inplace=False, **arguments):
        super().__init__(**arguments, inplace=inplace)

    def extra_repr(self):
        return ", ".join(filter(None, [super().extra_repr(), "inplace=True" if self.inplace else ""]))


class Threshold(_Inplace):
    """`value` where an element is not above `threshold`.

        >>> nn.Threshold(0.1, 20.)(torch.randn(3, 4)).shape
        torch.Size([3, 4])
    """

    _shown = ("threshold", "value")

    def __init__(self, threshold, value, inplace=False):
        super().__init__(inplace, threshold=threshold, value=value)

    def forward(self, input):
        return F.threshold(input, self.threshold, self.value, self.inplace)


class ReLU(_Inplace):
    """Elements below zero become zero.

        >>> nn.ReLU()(torch.tensor([-1., 0., 2.]))
        tensor([0., 0., 2.])
    """

    def __init__(self, inplace=False):
        super().__init__(inplace)

    def forward(self, input):
        return F.relu(input, inplace=self.inplace)


class RReLU(_Inplace):
    """x above zero; below it times a random number while training.

        >>> nn.RReLU()(torch.tensor([-1., 0., 2.]))
        tensor([-0.3271,  0.0000,  2.0000])
    """

    _shown = ("lower", "upper")

    def __init__(self, lower=1.0 / 8, upper=1.0 / 3, inplace=False):
        super().__init__(inplace, lower=lower, upper=upper)

    def forward(self, input):
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class Hardtanh(_Inplace):
    """Elements no less than `min_val` and no greater than `max_val`.

        >>> nn.Hardtanh()(torch.tensor([-1., 0., 2.]))
        tensor([-1.,  0.,  1.])
    """

    _shown = ("min_val", "max_val")

    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None):
        for old, value in (("min", min_value), ("max", max_value)):
            if value is not None:
                warnings.warn(f"keyword argument `{old}_value` is deprecated and renamed to `{old}_val`", FutureWarning,
                              stacklevel=2)
        super().__init__(inplace, min_val=min_val if min_value is None else min_value,
                         max_val=max_val if max_value is None else max_value)
        if self.max_val <= self.min_val:
            raise AssertionError(f"max_val ({self.max_val}) must be greater than min_val ({self.min_val})")

    def forward(self, input):
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class ReLU6(Hardtanh):
    """Elements between 0 and 6.

        >>> nn.ReLU6()(torch.tensor([-1., 0., 2.]))
        tensor([0., 0., 2.])
    """

    _shown = ()

    def __init__(self, inplace=False):
        super().__init__(0.0, 6.0, inplace)


class Sigmoid(Module):
    """1 / (1 + e^-x).

        >>> nn.Sigmoid()(torch.tensor([-1., 0., 2.]))
        tensor([0.2689, 0.5000, 0.8808])
    """

    def forward(self, input):
        return sigmoid(input)


class Hardsigmoid(Stateless):
    """A straight line between 0 and 1, in place of the sigmoid.

        >>> nn.Hardsigmoid()(torch.tensor([-1., 0., 2.]))
        tensor([0.3333, 0.5000, 0.8333])
    """

    def __init__(self, inplace=False):
        super().__init__(inplace=inplace)

    def forward(self, input):
        return F.hardsigmoid(input, self.inplace)


class Tanh(Module):
    """The hyperbolic tangent.

        >>> nn.Tanh()(torch.tensor([-1., 0., 2.]))
        tensor([-0.7616,  0.0000,  0.9640])
    """

    def forward(self, input):
        return tanh(input)


class SiLU(_Inplace):
    """x * sigmoid(x).

        >>> nn.SiLU()(torch.tensor([-1., 0., 2.]))
        tensor([-0.2689,  0.0000,  1.7616])
    """

    def __init__(self, inplace=False):
        super().__init__(inplace)

    def forward(self, input):
        return F.silu(input, inplace=self.inplace)


class Mish(_Inplace):
    """x * tanh(softplus(x)).

        >>> nn.Mish()(torch.tensor([-1., 0., 2.]))
        tensor([-0.3034,  0.0000,  1.9440])
    """

    def __init__(self, inplace=False):
        super().__init__(inplace)

    def forward(self, input):
        return F.mish(input, inplace=self.inplace)


class Hardswish(Stateless):
    """x * hardsigmoid(x).

        >>> nn.Hardswish()(torch.tensor([-1., 0., 2.]))
        tensor([-0.3333,  0.0000,  1.6667])
    """

    def __init__(self, inplace=False):
        super().__init__(inplace=inplace)

    def forward(self, input):
        return F.hardswish(input, self.inplace)


class ELU(_Inplace):
    """x above zero, alpha * (e^x - 1) below.

        >>> nn.ELU()(torch.tensor([-1., 0., 2.]))
        tensor([-0.6321,  0.0000,  2.0000])
    """

    _shown = ("alpha",)

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__(inplace, alpha=alpha)

    def forward(self, input):
        return F.elu(input, self.alpha, self.inplace)


class CELU(_Inplace):
    """x above zero, alpha * (e^(x / alpha) - 1) below.

        >>> nn.CELU()(torch.tensor([-1., 0., 2.]))
        tensor([-0.6321,  0.0000,  2.0000])
    """

    _shown = ("alpha",)

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__(inplace, alpha=alpha)

    def forward(self, input):
        return F.celu(input, self.alpha, self.inplace)


class SELU(_Inplace):
    """The exponential linear unit that keeps mean 0 and variance 1.

        >>> nn.SELU()(torch.tensor([-1., 0., 2.]))
        tensor([-1.1113,  0.0000,  2.1014])
    """

    def __init__(self, inplace=False):
        super().__init__(inplace)

    def forward(self, input):
        return F.selu(input, self.inplace)


class GLU(Stateless):
    """One half of `dim` times the sigmoid of the other.

        >>> nn.GLU()(torch.randn(3, 4)).shape
        torch.Size([3, 2])
    """

    _shown = ("dim",)

    def __init__(self, dim=-1):
        super().__init__(dim=dim)

    def forward(self, input):
        return F.glu(input, self.dim)


class GELU(Stateless):
    """x times the normal distribution function of x.

        >>> nn.GELU()(torch.tensor([-1., 0., 2.]))
        tensor([-0.1587,  0.0000,  1.9545])
    """

    def __init__(self, approximate="none"):
        super().__init__(approximate=approximate)

    def forward(self, input):
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self):
        return f"approximate={self.approximate!r}"


class _Shrink(Stateless):
    def __init__(self, lambd=0.5):
        super().__init__(lambd=lambd)

    def extra_repr(self):
        return str(self.lambd)


class Hardshrink(_Shrink):
    """0 within `lambd` of 0, x elsewhere.

        >>> nn.Hardshrink()(torch.tensor([-1., 0., 2.]))
        tensor([-1.,  0.,  2.])
    """

    def forward(self, input):
        return F.hardshrink(input, self.lambd)


class Softshrink(_Shrink):
    """x moved by `lambd` towards 0.

        >>> nn.Softshrink()(torch.tensor([-1., 0., 2.]))
        tensor([-0.5000,  0.0000,  1.5000])
    """

    def forward(self, input):
        return F.softshrink(input, self.lambd)


class LeakyReLU(_Inplace):
    """x above zero, `negative_slope` times x below.

        >>> nn.LeakyReLU()(torch.tensor([-1., 0., 2.]))
        tensor([-0.0100,  0.0000,  2.0000])
    """

    _shown = ("negative_slope",)

    def __init__(self, negative_slope=0.01, inplace=False):
        super().__init__(inplace, negative_slope=negative_slope)

    def forward(self, input):
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class LogSigmoid(Module):
    """The logarithm of the sigmoid.

        >>> nn.LogSigmoid()(torch.tensor([-1., 0., 2.]))
        tensor([-1.3133, -0.6931, -0.1269])
    """

    def forward(self, input):
        return F.logsigmoid(input)


class Softplus(Stateless):
    """log(1 + e^(beta x)) / beta, and x itself once beta x passes `threshold`.

        >>> nn.Softplus()(torch.tensor([-1., 0., 2.]))
        tensor([0.3133, 0.6931, 2.1269])
    """

    _shown = ("beta", "threshold")

    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__(beta=beta, threshold=threshold)

    def forward(self, input):
        return F.softplus(input, self.beta, self.threshold)


class PReLU(Module):
    """x above zero, a learnt slope times x below.

        >>> nn.PReLU()(torch.randn(3, 4)).shape
        torch.Size([3, 4])
    """

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight = Parameter(empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self):
        _init.constant_(self.weight, self.init)

    def forward(self, input):
        return F.prelu(input, self.weight)

    def extra_repr(self):
        return f"num_parameters={self.num_parameters}"


class Softsign(Module):
    """x / (1 + |x|).

        >>> nn.Softsign()(torch.tensor([-1., 0., 2.]))
        tensor([-0.5000,  0.0000,  0.6667])
    """

    def forward(self, input):
        return F.softsign(input)


class Tanhshrink(Module):
    """x - tanh(x).

        >>> nn.Tanhshrink()(torch.tensor([-1., 0., 2.]))
        tensor([-0.2384,  0.0000,  1.0360])
    """

    def forward(self, input):
        return F.tanhshrink(input)


class _OverDim(Stateless):
    _shown = ("dim",)
    dim = None

    def __init__(self, dim=None):
        super().__init__(dim=dim)

    @staticmethod
    def _check(dim):
        if dim is not None and (not isinstance(dim, int) or isinstance(dim, bool)):
            raise TypeError(f"dim must be an int or None, got {type(dim)}")
        return dim


class Softmin(_OverDim):
    """`softmax` of the negative.

        >>> nn.Softmin()(torch.tensor([-1., 0., 2.]))
        tensor([0.7054, 0.2595, 0.0351])
    """

    def forward(self, input):
        return F.softmin(input, self.dim, _stacklevel=5)


class Softmax(_OverDim):
    """Exponentials along `dim`, divided by their sum.

        >>> nn.Softmax()(torch.tensor([-1., 0., 2.]))
        tensor([0.0420, 0.1142, 0.8438])
    """

    def __init__(self, dim=None):
        super().__init__(self._check(dim))

    def forward(self, input):
        return F.softmax(input, self.dim, _stacklevel=5)


class LogSoftmax(_OverDim):
    """The logarithm of `softmax`.

        >>> nn.LogSoftmax()(torch.tensor([-1., 0., 2.]))
        tensor([-3.1698, -2.1698, -0.1698])
    """

    def __init__(self, dim=None):
        super().__init__(self._check(dim))

    def forward(self, input):
        return F.log_softmax(input, self.dim, _stacklevel=5)


class Softmax2d(Module):
    """`softmax` over the channels of each place.

        >>> nn.Softmax2d()(torch.randn(2, 3, 2, 2)).shape
        torch.Size([2, 3, 2, 2])
    """

    def forward(self, input):
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead")
        return F.softmax(input, -3, _stacklevel=5)
