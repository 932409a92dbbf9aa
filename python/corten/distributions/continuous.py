# SPDX-License-Identifier: BSD-3-Clause
"""Distributions of real numbers, each a location, a scale or a rate and a formula."""
import math

from .. import Size, Tensor, erf, erfinv, finfo, inf, log1p, nan, no_grad, normal, ones, rand, tan, zeros
from . import constraints
from .distribution import Distribution, ExponentialFamily, broadcast_all

__all__ = ["Cauchy", "Exponential", "Laplace", "Normal", "Uniform"]


class _Simple(Distribution):
    """One whose parameters are numbers or tensors that broadcast."""
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
    """The normal distribution.

        >>> torch.distributions.Normal(torch.tensor([0.]), torch.tensor([1.])).log_prob(torch.tensor([0.5]))
        tensor([-1.0439])
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
    return normal(zeros(shape, dtype=like.dtype, device=like.device), ones(shape, dtype=like.dtype, device=like.device))


class Uniform(_Simple):
    """Between `low` and `high`.

        >>> torch.distributions.Uniform(torch.tensor([0.]), torch.tensor([2.])).log_prob(torch.tensor([0.5]))
        tensor([-0.6931])
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
    """Waiting times at a `rate`.

        >>> torch.distributions.Exponential(torch.tensor([2.])).log_prob(torch.tensor([0.5]))
        tensor([-0.3069])
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
    """Exponential on both sides of `loc`.

        >>> torch.distributions.Laplace(torch.tensor([0.]), torch.tensor([1.])).log_prob(torch.tensor([0.5]))
        tensor([-1.1931])
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
    """The quotient of two normal numbers; it has no mean.

        >>> torch.distributions.Cauchy(torch.tensor([0.]), torch.tensor([1.])).log_prob(torch.tensor([0.5]))
        tensor([-1.3679])
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
