# SPDX-License-Identifier: BSD-3-Clause
"""Distributions of real numbers with a location, a scale or a rate: Normal, Uniform, Exponential, Laplace, Cauchy."""
import math

from .. import Size, Tensor, erf, erfinv, finfo, inf, log1p, nan, no_grad, normal, ones, rand, tan, zeros
from . import constraints
from .distribution import Distribution, ExponentialFamily, broadcast_all

__all__ = ["Cauchy", "Exponential", "Laplace", "Normal", "Uniform"]


class _Simple(Distribution):
    """A distribution whose parameters are numbers or tensors that broadcast."""
    has_rsample, support = True, constraints.real

    def _set(self, validate_args, **params):
        numbers = not any(isinstance(v, Tensor) for v in params.values())
        for name, value in zip(params, broadcast_all(*params.values())):
            setattr(self, name, value)
        first = getattr(self, next(iter(params)))
        Distribution.__init__(self, Size() if numbers else first.size(), validate_args=validate_args)

    @property
    def _params(self):
        return tuple(self.arg_constraints)


class Normal(_Simple, ExponentialFamily):
    """The normal (Gaussian) distribution.

    Density: exp(-(x - loc)^2 / (2 scale^2)) / (scale sqrt(2 pi)), for all real x. Mean loc, variance scale^2.

    Args:
        loc: the mean.
        scale: the standard deviation, positive.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> normal = torch.distributions.Normal(torch.tensor(1.), torch.tensor(2.))
        >>> normal.log_prob(torch.tensor(1.)).exp()  # 1 / (2 sqrt(2 pi))
        tensor(0.1995)
        >>> normal.cdf(torch.tensor(1.)), normal.icdf(torch.tensor(0.5))
        (tensor(0.5000), tensor(1.))
    """
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}

    def __init__(self, loc, scale, validate_args=None):
        self._set(validate_args, loc=loc, scale=scale)

    mean = mode = property(lambda self: self.loc)
    stddev = property(lambda self: self.scale)
    variance = property(lambda self: self.stddev.pow(2))

    def sample(self, sample_shape=Size()):
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape=Size()):
        shape = self._extended_shape(sample_shape)
        return self.loc + standard_normal(shape, self.loc) * self.scale

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return -((value - self.loc) ** 2) / (2 * self.scale ** 2) - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return 0.5 * (1 + erf((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)))

    def icdf(self, value):
        return self.loc + self.scale * erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + self.scale.log()

    _mean_carrier_measure = 0
    _natural_params = property(lambda self: (self.loc / self.scale.pow(2), -0.5 * self.scale.pow(2).reciprocal()))

    def _log_normalizer(self, x, y):
        return -0.25 * x.pow(2) / y + 0.5 * (-math.pi / y).log()


def standard_normal(shape, like):
    """Return random numbers of the standard normal distribution, with the type and device of like."""
    return normal(zeros(shape, dtype=like.dtype, device=like.device), ones(shape, dtype=like.dtype, device=like.device))


class Uniform(_Simple):
    """The uniform distribution on an interval.

    Density: 1 / (high - low), for low <= x < high. Mean (low + high) / 2, variance (high - low)^2 / 12.

    Args:
        low: the lower end.
        high: the upper end, greater than low.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> uniform = torch.distributions.Uniform(torch.tensor(0.), torch.tensor(4.))
        >>> uniform.log_prob(torch.tensor(1.)).exp(), uniform.mean, uniform.cdf(torch.tensor(1.))
        (tensor(0.2500), tensor(2.), tensor(0.2500))
    """

    @property
    def arg_constraints(self):
        return {"low": constraints.less_than(self.high), "high": constraints.greater_than(self.low)}

    def __init__(self, low, high, validate_args=None):
        self._set(validate_args, low=low, high=high)

    mean = property(lambda self: (self.high + self.low) / 2)
    mode = property(lambda self: nan * self.high)
    stddev = property(lambda self: (self.high - self.low) / 12 ** 0.5)
    variance = property(lambda self: (self.high - self.low).pow(2) / 12)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        return constraints.interval(self.low, self.high)

    def rsample(self, sample_shape=Size()):
        shape = self._extended_shape(sample_shape)
        return self.low + rand(shape, dtype=self.low.dtype, device=self.low.device) * (self.high - self.low)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        inside = self.low.le(value).type_as(self.low) * self.high.gt(value).type_as(self.low)
        return inside.log() - (self.high - self.low).log()

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def icdf(self, value):
        return value * (self.high - self.low) + self.low

    def entropy(self):
        return (self.high - self.low).log()


class Exponential(_Simple, ExponentialFamily):
    """The exponential distribution: waiting times for events that occur at a constant rate.

    Density: rate exp(-rate x), for x >= 0. Mean 1 / rate, variance 1 / rate^2.

    Args:
        rate: the rate of events, positive.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> waiting = torch.distributions.Exponential(torch.tensor(2.))
        >>> waiting.mean, waiting.log_prob(torch.tensor(0.)).exp()
        (tensor(0.5000), tensor(2.))
    """
    arg_constraints, support = {"rate": constraints.positive}, constraints.nonnegative

    def __init__(self, rate, validate_args=None):
        self._set(validate_args, rate=rate)

    mean = stddev = property(lambda self: self.rate.reciprocal())
    mode = property(lambda self: self.rate * 0)
    variance = property(lambda self: self.rate.pow(-2))

    def rsample(self, sample_shape=Size()):
        return self.rate.new_empty(self._extended_shape(sample_shape)).exponential_() / self.rate

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return self.rate.log() - self.rate * value

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return 1 - (-self.rate * value).exp()

    def icdf(self, value):
        return -log1p(-value) / self.rate

    def entropy(self):
        return 1.0 - self.rate.log()

    _mean_carrier_measure = 0
    _natural_params = property(lambda self: (-self.rate,))

    def _log_normalizer(self, x):
        return -(-x).log()


class Laplace(_Simple):
    """The Laplace distribution: exponential to both sides of its center.

    Density: exp(-|x - loc| / scale) / (2 scale), for all real x. Mean loc, variance 2 scale^2.

    Args:
        loc: the center.
        scale: the mean distance from the center, positive.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> laplace = torch.distributions.Laplace(torch.tensor(0.), torch.tensor(2.))
        >>> laplace.log_prob(torch.tensor(0.)).exp(), laplace.variance
        (tensor(0.2500), tensor(8.))
    """
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}

    def __init__(self, loc, scale, validate_args=None):
        self._set(validate_args, loc=loc, scale=scale)

    mean = mode = property(lambda self: self.loc)
    variance = property(lambda self: 2 * self.scale.pow(2))
    stddev = property(lambda self: 2 ** 0.5 * self.scale)

    def rsample(self, sample_shape=Size()):
        u = self.loc.new_empty(self._extended_shape(sample_shape)).uniform_(finfo(self.loc.dtype).eps - 1, 1)
        return self.loc - self.scale * u.sign() * (-u.abs()).log1p()

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return -(2 * self.scale).log() - (value - self.loc).abs() / self.scale

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return 0.5 - 0.5 * (value - self.loc).sign() * (-(value - self.loc).abs() / self.scale).expm1()

    def icdf(self, value):
        term = value - 0.5
        return self.loc - self.scale * term.sign() * (-2 * term.abs()).log1p()

    def entropy(self):
        return 1 + (2 * self.scale).log()


class Cauchy(_Simple):
    """The Cauchy distribution, with tails so heavy that it has no mean.

    Density: 1 / (pi scale (1 + ((x - loc) / scale)^2)), for all real x. The quotient of two independent standard normal numbers
    has it with loc 0 and scale 1. mean is NaN and variance inf.

    Args:
        loc: the median.
        scale: half the distance between the quartiles, positive.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> cauchy = torch.distributions.Cauchy(torch.tensor(0.), torch.tensor(1.))
        >>> cauchy.log_prob(torch.tensor(0.)).exp(), cauchy.cdf(torch.tensor(1.))  # 1 / pi, and 3/4
        (tensor(0.3183), tensor(0.7500))
    """
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}

    def __init__(self, loc, scale, validate_args=None):
        self._set(validate_args, loc=loc, scale=scale)

    mode = property(lambda self: self.loc)
    mean = property(lambda self: self.loc.new_full(self._extended_shape(), nan))
    variance = property(lambda self: self.loc.new_full(self._extended_shape(), inf))

    def rsample(self, sample_shape=Size()):
        return self.loc + self.loc.new_empty(self._extended_shape(sample_shape)).cauchy_() * self.scale

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return -math.log(math.pi) - self.scale.log() - (((value - self.loc) / self.scale) ** 2).log1p()

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return ((value - self.loc) / self.scale).atan() / math.pi + 0.5

    def icdf(self, value):
        return tan(math.pi * (value - 0.5)) * self.scale + self.loc

    def entropy(self):
        return math.log(4 * math.pi) + self.scale.log()
