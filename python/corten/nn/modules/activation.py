# SPDX-License-Identifier: BSD-3-Clause
"""Activation functions as layers. Each calls the function of the same name in nn.functional."""
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
    """Base of activations that can overwrite their input; `inplace` is printed only if it is True."""

    def __init__(self, inplace=False, **arguments):
        super().__init__(**arguments, inplace=inplace)

    def extra_repr(self):
        """The arguments as printed."""
        return ", ".join(filter(None, [super().extra_repr(), "inplace=True" if self.inplace else ""]))


class Threshold(_Inplace):
    """Keep elements above a threshold and replace all others with one value.

        out = x if x > threshold else value

    An element equal to the threshold is replaced; NaN is kept. ReLU is the case threshold=0,
    value=0.

    Args:
        threshold: the number an element has to exceed.
        value: what replaces elements that do not.
        inplace: overwrite the input instead of returning a new tensor; saves memory. Default: False.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.Threshold(0.5, -9.)(torch.tensor([0.2, 0.5, 0.7]))
        tensor([-9.0000, -9.0000,  0.7000])
    """

    _shown = ("threshold", "value")

    def __init__(self, threshold, value, inplace=False):
        super().__init__(inplace, threshold=threshold, value=value)

    def forward(self, input):
        """Replace the elements that do not exceed the threshold."""
        return F.threshold(input, self.threshold, self.value, self.inplace)


class ReLU(_Inplace):
    """Replace negative elements by zero: the rectified linear unit.

        out = max(x, 0)

    NaN stays NaN. The gradient is 1 where x > 0 and 0 elsewhere, at x = 0 too.

    Args:
        inplace: overwrite the input instead of returning a new tensor; saves memory. Default: False.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> x = torch.tensor([-1., 0., 2.], requires_grad=True)
        >>> y = nn.ReLU()(x)
        >>> y.tolist()
        [0.0, 0.0, 2.0]
        >>> y.sum().backward()
        >>> x.grad
        tensor([0., 0., 1.])
    """

    def __init__(self, inplace=False):
        super().__init__(inplace)

    def forward(self, input):
        """Apply the function to every element of the input."""
        return F.relu(input, inplace=self.inplace)


class RReLU(_Inplace):
    """Leaky ReLU whose negative slope is drawn at random while training (Xu et al., 2015).

        out = x if x >= 0 else a * x

    In training mode every element draws a separate a, uniform between `lower` and `upper`; the noise
    regularizes. In evaluation mode a is their mean, (lower + upper) / 2.

    Args:
        lower: smallest slope. Default: 1/8.
        upper: greatest slope. Default: 1/3.
        inplace: overwrite the input instead of returning a new tensor; saves memory. Default: False.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> m = nn.RReLU(0.1, 0.3).eval()
        >>> m(torch.tensor([-1., 0., 2.]))
        tensor([-0.2000,  0.0000,  2.0000])
    """

    _shown = ("lower", "upper")

    def __init__(self, lower=1.0 / 8, upper=1.0 / 3, inplace=False):
        super().__init__(inplace, lower=lower, upper=upper)

    def forward(self, input):
        """Apply the function, with random slopes while training."""
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class Hardtanh(_Inplace):
    """Clip elements to an interval.

        out = min(max(x, min_val), max_val)

    With the default limits it is a cheap, piecewise linear approximation of tanh. The gradient is 1
    inside the interval and 0 outside and at both ends. `max_val` must be greater than `min_val`,
    otherwise AssertionError.

    Args:
        min_val: lower limit. Default: -1.
        max_val: upper limit. Default: 1.
        inplace: overwrite the input instead of returning a new tensor; saves memory. Default: False.
        min_value, max_value: deprecated names of the limits.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.Hardtanh(-2., 2.)(torch.tensor([-3., -0.5, 5.]))
        tensor([-2.0000, -0.5000,  2.0000])
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
        """Clip every element of the input."""
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class ReLU6(Hardtanh):
    """Clip elements to the interval from 0 to 6.

        out = min(max(x, 0), 6)

    The upper limit keeps activations in a range that low-precision arithmetic represents well;
    mobile networks use it for that reason.

    Args:
        inplace: overwrite the input instead of returning a new tensor; saves memory. Default: False.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.ReLU6()(torch.tensor([-1., 2., 8.]))
        tensor([0., 2., 6.])
    """

    _shown = ()

    def __init__(self, inplace=False):
        super().__init__(0.0, 6.0, inplace)


class Sigmoid(Module):
    """Map every element to the range from 0 to 1 with the logistic function.

        out = 1 / (1 + exp(-x))

    Far from zero the function is flat and gradients vanish. For a loss on probabilities prefer
    BCEWithLogitsLoss on the raw scores, which is exact there.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.Sigmoid()(torch.tensor([-5., 0., 2.]))
        tensor([0.0067, 0.5000, 0.8808])
    """

    def forward(self, input):
        """Apply the function to every element of the input."""
        return sigmoid(input)


class Hardsigmoid(Stateless):
    """Approximate the sigmoid by a straight line between -3 and 3.

        out = min(max(x + 3, 0), 6) / 6

    It needs no exponential. Below -3 the result is 0, above 3 it is 1.

    Args:
        inplace: overwrite the input instead of returning a new tensor; saves memory. Default: False.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.Hardsigmoid()(torch.tensor([-4., -1., 0., 4.]))
        tensor([0.0000, 0.3333, 0.5000, 1.0000])
    """

    def __init__(self, inplace=False):
        super().__init__(inplace=inplace)

    def forward(self, input):
        """Apply the function to every element of the input."""
        return F.hardsigmoid(input, self.inplace)


class Tanh(Module):
    """Map every element to the range from -1 to 1 with the hyperbolic tangent.

        out = (exp(x) - exp(-x)) / (exp(x) + exp(-x))

    Unlike the sigmoid, the result is centred on zero.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.Tanh()(torch.tensor([-1., 0., 100.]))
        tensor([-0.7616,  0.0000,  1.0000])
    """

    def forward(self, input):
        """Apply the function to every element of the input."""
        return tanh(input)


class SiLU(_Inplace):
    """Multiply every element by its own sigmoid: the sigmoid linear unit, also known as Swish.

        out = x * sigmoid(x) = x / (1 + exp(-x))

    A smooth ReLU that dips slightly below zero, to about -0.278 near x = -1.278. (Elfwing et al.,
    2017; Ramachandran et al., 2017.)

    Args:
        inplace: overwrite the input instead of returning a new tensor; saves memory. Default: False.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.SiLU()(torch.tensor([-1., 0., 2.]))
        tensor([-0.2689,  0.0000,  1.7616])
    """

    def __init__(self, inplace=False):
        super().__init__(inplace)

    def forward(self, input):
        """Apply the function to every element of the input."""
        return F.silu(input, inplace=self.inplace)


class Mish(_Inplace):
    """Multiply every element by the tanh of its softplus (Misra, 2019).

        out = x * tanh(log(1 + exp(x)))

    A smooth ReLU much like SiLU, with a dip to about -0.309.

    Args:
        inplace: overwrite the input instead of returning a new tensor; saves memory. Default: False.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.Mish()(torch.tensor([-1., 0., 2.]))
        tensor([-0.3034,  0.0000,  1.9440])
    """

    def __init__(self, inplace=False):
        super().__init__(inplace)

    def forward(self, input):
        """Apply the function to every element of the input."""
        return F.mish(input, inplace=self.inplace)


class Hardswish(Stateless):
    """Multiply every element by its hard sigmoid (Howard et al., 2019).

        out = x * min(max(x + 3, 0), 6) / 6

    A cheap SiLU without exponentials: 0 below -3 and x above 3.

    Args:
        inplace: overwrite the input instead of returning a new tensor; saves memory. Default: False.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.Hardswish()(torch.tensor([-4., -1., 2., 4.]))
        tensor([-0.0000, -0.3333,  1.6667,  4.0000])
    """

    def __init__(self, inplace=False):
        super().__init__(inplace=inplace)

    def forward(self, input):
        """Apply the function to every element of the input."""
        return F.hardswish(input, self.inplace)


class ELU(_Inplace):
    """Keep positive elements and let negative ones saturate smoothly at -alpha (Clevert et al., 2015).

        out = x if x > 0 else alpha * (exp(x) - 1)

    Unlike with ReLU, negative inputs still have a gradient, and the mean of the activations is
    closer to zero.

    Args:
        alpha: the negative results approach -alpha. Default: 1.
        inplace: overwrite the input instead of returning a new tensor; saves memory. Default: False.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.ELU(alpha=2.)(torch.tensor([-100., -1., 2.]))
        tensor([-2.0000, -1.2642,  2.0000])
    """

    _shown = ("alpha",)

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__(inplace, alpha=alpha)

    def forward(self, input):
        """Apply the function to every element of the input."""
        return F.elu(input, self.alpha, self.inplace)


class CELU(_Inplace):
    """ELU with a scaled exponent, so that the slope is continuous at zero for every alpha (Barron, 2017).

        out = x if x > 0 else alpha * (exp(x / alpha) - 1)

    Args:
        alpha: the negative results approach -alpha; not 0. Default: 1.
        inplace: overwrite the input instead of returning a new tensor; saves memory. Default: False.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.CELU(alpha=2.)(torch.tensor([-100., -1., 2.]))
        tensor([-2.0000, -0.7869,  2.0000])
    """

    _shown = ("alpha",)

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__(inplace, alpha=alpha)

    def forward(self, input):
        """Apply the function to every element of the input."""
        return F.celu(input, self.alpha, self.inplace)


class SELU(_Inplace):
    """Scaled ELU whose constants keep activations at mean 0 and variance 1 (Klambauer et al., 2017).

        out = scale * (x if x > 0 else alpha * (exp(x) - 1))

    with scale = 1.0507... and alpha = 1.6732.... The property holds for networks of linear layers
    initialised with variance 1 / fan_in (kaiming_normal_ with nonlinearity="linear"); use
    AlphaDropout rather than Dropout with it.

    Args:
        inplace: overwrite the input instead of returning a new tensor; saves memory. Default: False.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.SELU()(torch.tensor([-100., -1., 1.]))
        tensor([-1.7581, -1.1113,  1.0507])
    """

    def __init__(self, inplace=False):
        super().__init__(inplace)

    def forward(self, input):
        """Apply the function to every element of the input."""
        return F.selu(input, self.inplace)


class GLU(Stateless):
    """Gate one half of the input by the sigmoid of the other half (Dauphin et al., 2016).

        out = a * sigmoid(b), where a and b are the first and second half of x along `dim`

    The size of `dim` must be even, otherwise RuntimeError.

    Args:
        dim: the dimension to split. Default: -1.

    Shape:
        - Input: (..., N, ...), where N is the size of `dim`.
        - Output: (..., N / 2, ...).

    Example:
        >>> nn.GLU()(torch.tensor([[3., 5., 0., 100.]]))  # sigmoid(0) = 0.5 and sigmoid(100) = 1
        tensor([[1.5000, 5.0000]])
    """

    _shown = ("dim",)

    def __init__(self, dim=-1):
        super().__init__(dim=dim)

    def forward(self, input):
        """Gate the first half of `dim` by the second."""
        return F.glu(input, self.dim)


class GELU(Stateless):
    """Multiply every element by the probability that a standard normal variable is below it (Hendrycks and Gimpel, 2016).

        out = x * Phi(x) = x * (1 + erf(x / sqrt(2))) / 2

    The smooth ReLU of most transformers.

    Args:
        approximate: "none" for the exact formula, or "tanh" for 0.5 * x * (1 + tanh(sqrt(2 / pi) *
            (x + 0.044715 * x^3))), which differs by less than 0.001. Weights trained with one form
            should run with the same. Default: "none".

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> x = torch.tensor([-1., 0., 2.])
        >>> nn.GELU()(x)
        tensor([-0.1587,  0.0000,  1.9545])
        >>> nn.GELU(approximate="tanh")(x)
        tensor([-0.1588,  0.0000,  1.9546])
    """

    def __init__(self, approximate="none"):
        super().__init__(approximate=approximate)

    def forward(self, input):
        """Apply the function to every element of the input."""
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self):
        """The arguments as printed."""
        return f"approximate={self.approximate!r}"


class _Shrink(Stateless):
    """Base of the two shrinking functions; stores `lambd`."""

    def __init__(self, lambd=0.5):
        super().__init__(lambd=lambd)

    def extra_repr(self):
        """The arguments as printed."""
        return str(self.lambd)


class Hardshrink(_Shrink):
    """Set elements close to zero to zero and keep the others as they are.

        out = x if |x| > lambd else 0

    Args:
        lambd: half the width of the interval that becomes zero; its ends become zero, too. Default:
            0.5.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.Hardshrink(1.)(torch.tensor([-2., -0.5, 1., 3.]))
        tensor([-2.,  0.,  0.,  3.])
    """

    def forward(self, input):
        """Apply the function to every element of the input."""
        return F.hardshrink(input, self.lambd)


class Softshrink(_Shrink):
    """Move every element towards zero by a fixed amount; smaller elements become zero.

        out = x - lambd if x > lambd,  x + lambd if x < -lambd,  else 0

    It is the proximal operator of the L1 norm, known as soft thresholding.

    Args:
        lambd: the amount, at least 0. Default: 0.5.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.Softshrink(1.)(torch.tensor([-2., -0.5, 1., 3.]))
        tensor([-1., -0.,  0.,  2.])
    """

    def forward(self, input):
        """Apply the function to every element of the input."""
        return F.softshrink(input, self.lambd)


class LeakyReLU(_Inplace):
    """Keep positive elements and scale negative ones by a small slope (Maas et al., 2013).

        out = x if x > 0 else negative_slope * x

    Unlike with ReLU, units that are negative for all inputs still get a gradient.

    Args:
        negative_slope: the slope below zero. Default: 0.01.
        inplace: overwrite the input instead of returning a new tensor; saves memory. Default: False.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.LeakyReLU(0.1)(torch.tensor([-10., 0., 2.]))
        tensor([-1.,  0.,  2.])
    """

    _shown = ("negative_slope",)

    def __init__(self, negative_slope=0.01, inplace=False):
        super().__init__(inplace, negative_slope=negative_slope)

    def forward(self, input):
        """Apply the function to every element of the input."""
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class LogSigmoid(Module):
    """Take the logarithm of the sigmoid, without overflow.

        out = log(1 / (1 + exp(-x))) = -log(1 + exp(-x))

    Applying log to Sigmoid's result would give -inf for very negative x; this is close to x there.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.LogSigmoid()(torch.tensor([-200., 0., 2.]))
        tensor([-2.0000e+02, -6.9315e-01, -1.2693e-01])
    """

    def forward(self, input):
        """Apply the function to every element of the input."""
        return F.logsigmoid(input)


class Softplus(Stateless):
    """Smooth approximation of ReLU that is positive everywhere.

        out = log(1 + exp(beta * x)) / beta

    Where beta * x exceeds `threshold` the result is x itself: the difference is below rounding, and
    exp cannot overflow. Often used to make a parameter such as a variance positive.

    Args:
        beta: sharpness; the greater, the closer to ReLU. Default: 1.
        threshold: beta * x above which the result is x. Default: 20.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.Softplus()(torch.tensor([-1., 0., 100.]))
        tensor([  0.3133,   0.6931, 100.0000])
    """

    _shown = ("beta", "threshold")

    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__(beta=beta, threshold=threshold)

    def forward(self, input):
        """Apply the function to every element of the input."""
        return F.softplus(input, self.beta, self.threshold)


class PReLU(Module):
    """Leaky ReLU whose negative slope is learned (He et al., 2015).

        out = x if x >= 0 else weight * x

    Do not apply weight decay to `weight`: it would pull the slope towards zero, that is, towards
    ReLU.

    Args:
        num_parameters: 1 for one slope, or the number of channels for one slope each. Default: 1.
        init: first value of the slopes. Default: 0.25.
        device, dtype: the device and dtype of the slopes. Default: the current
            defaults.

    Shape:
        - Input: (N, C, ...), with num_parameters equal to C, or any shape if it is 1. Channels are
          dim 1.
        - Output: the same shape.

    Attributes:
        weight: (num_parameters,), the slopes.

    Example:
        >>> m = nn.PReLU(2)  # one slope for each of two channels
        >>> with torch.no_grad():
        ...     _ = m.weight.copy_(torch.tensor([0.1, 0.5]))
        >>> m(torch.tensor([[-10., -10.]])).tolist()
        [[-1.0, -5.0]]
        >>> [p.shape for p in m.parameters()]
        [torch.Size([2])]
    """

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight = Parameter(empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self):
        """Reset all slopes to `init`."""
        _init.constant_(self.weight, self.init)

    def forward(self, input):
        """Apply the function to every element of the input."""
        return F.prelu(input, self.weight)

    def extra_repr(self):
        """The arguments as printed."""
        return f"num_parameters={self.num_parameters}"


class Softsign(Module):
    """Map every element to the range from -1 to 1, approaching the limits more slowly than tanh.

        out = x / (1 + |x|)

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.Softsign()(torch.tensor([-1., 0., 3.]))
        tensor([-0.5000,  0.0000,  0.7500])
    """

    def forward(self, input):
        """Apply the function to every element of the input."""
        return F.softsign(input)


class Tanhshrink(Module):
    """Subtract the hyperbolic tangent of every element from it.

        out = x - tanh(x)

    Small elements nearly vanish (like x^3 / 3); large ones move towards zero by 1.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.Tanhshrink()(torch.tensor([-1., 0., 10.]))
        tensor([-0.2384,  0.0000,  9.0000])
    """

    def forward(self, input):
        """Apply the function to every element of the input."""
        return F.tanhshrink(input)


class _OverDim(Stateless):
    """Base of the softmax family; stores `dim`, and checks it where PyTorch does."""

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
    """Turn scores into probabilities that are largest for the smallest score.

        out[i] = exp(-x[i]) / sum over j of exp(-x[j])

    It is Softmax of -x.

    Args:
        dim: the dimension along which results sum to 1. None guesses (0 for 0, 1 or 3 dimensions,
            else 1) and warns that this is deprecated. Default: None.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.Softmin(dim=1)(torch.tensor([[1., 2., 3.]]))
        tensor([[0.6652, 0.2447, 0.0900]])
    """

    def forward(self, input):
        """Normalise the negated input along `dim`."""
        return F.softmin(input, self.dim, _stacklevel=5)


class Softmax(_OverDim):
    """Turn scores into probabilities: positive numbers that sum to 1 along a dimension.

        out[i] = exp(x[i]) / sum over j of exp(x[j])

    The largest element is subtracted first, so large scores do not overflow; adding the same number
    to all scores changes nothing. A score of -inf gets probability 0 (that is how masks work); if
    all scores are -inf the result is NaN. For a loss prefer CrossEntropyLoss on the scores, or
    LogSoftmax.

    Args:
        dim: the dimension along which results sum to 1. None guesses (0 for 0, 1 or 3 dimensions,
            else 1) and warns that this is deprecated. A dim that is neither an int nor None raises
            TypeError. Default: None.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> m = nn.Softmax(dim=1)
        >>> m(torch.tensor([[1., 2., 3.], [1000., 1000., -torch.inf]]))
        tensor([[0.0900, 0.2447, 0.6652],
                [0.5000, 0.5000, 0.0000]])
    """

    def __init__(self, dim=None):
        super().__init__(self._check(dim))

    def forward(self, input):
        """Normalise the input along `dim`."""
        return F.softmax(input, self.dim, _stacklevel=5)


class LogSoftmax(_OverDim):
    """Take the logarithm of Softmax, without underflow.

        out[i] = x[i] - log(sum over j of exp(x[j]))

    Use it with NLLLoss; CrossEntropyLoss does both. Log-probabilities stay finite where
    probabilities would round to 0.

    Args:
        dim: the dimension along which the probabilities sum to 1. None guesses (0 for 0, 1 or 3
            dimensions, else 1) and warns that this is deprecated. Default: None.

    Shape:
        - Input: any shape.
        - Output: the same shape.

    Example:
        >>> nn.LogSoftmax(dim=1)(torch.tensor([[1., 2., 3.], [0., 0., 1000.]]))
        tensor([[-2.4076e+00, -1.4076e+00, -4.0761e-01],
                [-1.0000e+03, -1.0000e+03,  0.0000e+00]])
    """

    def __init__(self, dim=None):
        super().__init__(self._check(dim))

    def forward(self, input):
        """Return the log-probabilities of the input along `dim`."""
        return F.log_softmax(input, self.dim, _stacklevel=5)


class Softmax2d(Module):
    """Softmax over the channels at every pixel of an image.

        out[n, c, i, j] = exp(x[n, c, i, j]) / sum over k of exp(x[n, k, i, j])

    Same as Softmax(dim=-3), but inputs without 3 or 4 dimensions raise ValueError.

    Shape:
        - Input: (N, C, H, W) or (C, H, W).
        - Output: the same shape.

    Example:
        >>> x = torch.tensor([[[0.]], [[0.]]])  # two channels of one pixel
        >>> nn.Softmax2d()(x).tolist()
        [[[0.5]], [[0.5]]]
    """

    def forward(self, input):
        """Normalise over the channels of (N, C, H, W) or (C, H, W)."""
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead")
        return F.softmax(input, -3, _stacklevel=5)
