# SPDX-License-Identifier: BSD-3-Clause
"""Distributions built on gamma: samples come from `_standard_gamma` and `_sample_dirichlet`, which are differentiable."""
import math

from .. import (Size, _C, as_tensor, digamma, finfo, inf, lgamma, log, log1p, nan, no_grad, poisson, rsqrt, stack, where, xlogy)
from ..nn.functional import logsigmoid
from . import constraints
from .continuous import _Simple, standard_normal
from .derived import TransformedDistribution
from .discrete import _Binary, one_hot
from .distribution import Distribution, ExponentialFamily, broadcast_all
from .transforms import PowerTransform

__all__ = ["Beta", "Chi2", "Dirichlet", "FisherSnedecor", "Gamma", "InverseGamma", "NegativeBinomial", "StudentT"]


class Gamma(_Simple, ExponentialFamily):
    """The gamma distribution: waiting times for a number of events that occur at a constant rate.

    Density: rate^a x^(a - 1) exp(-rate x) / Gamma(a) with a = concentration, for x >= 0. Mean a / rate, variance a / rate^2.

    Args:
        concentration: the shape a (the number of events, if integer), positive.
        rate: the rate of events, positive: the inverse of the scale.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> gamma = torch.distributions.Gamma(torch.tensor(2.), torch.tensor(1.))
        >>> gamma.log_prob(torch.tensor(1.)).exp(), gamma.mean  # 1 * exp(-1)
        (tensor(0.3679), tensor(2.))
    """
    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.nonnegative

    def __init__(self, concentration, rate, validate_args=None):
        self._set(validate_args, concentration=concentration, rate=rate)

    mean = property(lambda self: self.concentration / self.rate)
    mode = property(lambda self: ((self.concentration - 1) / self.rate).clamp(min=0))
    variance = property(lambda self: self.concentration / self.rate.pow(2))

    def sample(self, sample_shape=Size(), *, generator=None):
        with no_grad():
            return self.rsample(sample_shape, generator)

    def rsample(self, sample_shape=Size(), generator=None):
        shape = self._extended_shape(sample_shape)
        value = _C._standard_gamma(self.concentration.expand(shape), generator) / self.rate.expand(shape)
        value.detach().clamp_(min=finfo(value.dtype).tiny)  # at 0 log_prob would be infinite
        return value

    def log_prob(self, value):
        value = as_tensor(value, dtype=self.rate.dtype, device=self.rate.device)
        if self._validate_args:
            self._validate_sample(value)
        return (xlogy(self.concentration, self.rate) + xlogy(self.concentration - 1, value) - self.rate * value
                - lgamma(self.concentration))

    def entropy(self):
        shape = self.concentration
        return shape - self.rate.log() + lgamma(shape) + (1.0 - shape) * digamma(shape)

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return _C.igamma(self.concentration, self.rate * value)

    _mean_carrier_measure = 0
    _natural_params = property(lambda self: (self.concentration - 1, -self.rate))

    def _log_normalizer(self, x, y):
        return lgamma(x + 1) + (x + 1) * (-y.reciprocal()).log()


class Chi2(Gamma):
    """The chi-squared distribution: the sum of the squares of df independent standard normal numbers.

    It is Gamma(df / 2, 1 / 2). Density: x^(df / 2 - 1) exp(-x / 2) / (2^(df / 2) Gamma(df / 2)), for x >= 0. Mean df,
    variance 2 df.

    Args:
        df: the degrees of freedom, positive.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> torch.distributions.Chi2(torch.tensor(3.)).mean
        tensor(3.)
    """
    arg_constraints = {"df": constraints.positive}
    _params = ("concentration", "rate")

    def __init__(self, df, validate_args=None):
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)

    df = property(lambda self: self.concentration * 2, doc="The degrees of freedom.")


class Dirichlet(ExponentialFamily):
    """The Dirichlet distribution: vectors of n positive numbers that sum to 1.

    Density: Gamma(sum a) / prod Gamma(a[i]) * prod x[i]^(a[i] - 1) with a = concentration. Mean a / sum(a). All
    concentrations 1 is the uniform distribution; larger ones move x towards the mean, smaller ones to the corners.

    Args:
        concentration: the vector a, of shape (..., n), positive.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> dirichlet = torch.distributions.Dirichlet(torch.tensor([1., 3.]))
        >>> dirichlet.mean, dirichlet.log_prob(torch.tensor([0.5, 0.5])).exp()
        (tensor([0.2500, 0.7500]), tensor(0.7500))
    """
    arg_constraints = {"concentration": constraints.independent(constraints.positive, 1)}
    support, has_rsample, _params = constraints.simplex, True, ("concentration",)

    def __init__(self, concentration, validate_args=None):
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args=validate_args)

    mean = property(lambda self: self.concentration / self.concentration.sum(-1, True))

    @property
    def mode(self):
        above = (self.concentration - 1).clamp(min=0.0)
        found = above / above.sum(-1, True)
        all_below = (self.concentration < 1).all(dim=-1)
        if bool(all_below.any()):
            found[all_below] = one_hot(found[all_below].argmax(dim=-1), self.concentration.shape[-1], found)
        return found

    @property
    def variance(self):
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape=Size()):
        return _C._sample_dirichlet(self.concentration.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        alpha = self.concentration
        return xlogy(alpha - 1.0, value).sum(-1) + lgamma(alpha.sum(-1)) - lgamma(alpha).sum(-1)

    def entropy(self):
        alpha, total = self.concentration, self.concentration.sum(-1)
        return (lgamma(alpha).sum(-1) - lgamma(total) - (alpha.size(-1) - total) * digamma(total)
                - ((alpha - 1.0) * digamma(alpha)).sum(-1))

    _natural_params = property(lambda self: (self.concentration,))

    def _log_normalizer(self, x):
        return x.lgamma().sum(-1) - lgamma(x.sum(-1))


class Beta(ExponentialFamily):
    """The beta distribution: numbers between 0 and 1.

    Density: x^(a - 1) (1 - x)^(b - 1) / B(a, b) with a = concentration1, b = concentration0, and the beta function B, for
    0 <= x <= 1. Mean a / (a + b).

    Args:
        concentration1: the exponent a of x, positive.
        concentration0: the exponent b of 1 - x, positive.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> beta = torch.distributions.Beta(torch.tensor(2.), torch.tensor(2.))
        >>> beta.log_prob(torch.tensor(0.5)).exp(), beta.mean  # 6 x (1 - x)
        (tensor(1.5000), tensor(0.5000))
    """
    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support, has_rsample = constraints.unit_interval, True

    def __init__(self, concentration1, concentration0, validate_args=None):
        if isinstance(concentration1, (int, float)) and isinstance(concentration0, (int, float)):
            both = _C.tensor([float(concentration1), float(concentration0)])
        else:
            both = stack(broadcast_all(concentration1, concentration0), -1)
        self._dirichlet = Dirichlet(both, validate_args=validate_args)
        super().__init__(self._dirichlet._batch_shape, validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        new = type(self).__new__(type(self)) if _instance is None else _instance
        new._dirichlet = self._dirichlet.expand(Size(batch_shape))
        Distribution.__init__(new, batch_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    concentration1 = property(lambda self: self._dirichlet.concentration[..., 0], doc="The first parameter (alpha).")
    concentration0 = property(lambda self: self._dirichlet.concentration[..., 1], doc="The second parameter (beta).")
    mean = property(lambda self: self.concentration1 / (self.concentration1 + self.concentration0))
    mode = property(lambda self: self._dirichlet.mode[..., 0])

    @property
    def variance(self):
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape=Size()):
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return self._dirichlet.log_prob(stack([value, 1.0 - value], -1))

    def entropy(self):
        return self._dirichlet.entropy()

    _natural_params = property(lambda self: (self.concentration1, self.concentration0))

    def _log_normalizer(self, x, y):
        return lgamma(x) + lgamma(y) - lgamma(x + y)


class StudentT(_Simple):
    """Student's t-distribution: like the normal one with heavier tails.

    Density: Gamma((df + 1) / 2) / (Gamma(df / 2) sqrt(pi df) scale) * (1 + y^2 / df)^(-(df + 1) / 2) with y = (x - loc) /
    scale, for all real x. Mean loc if df > 1, else NaN; variance scale^2 df / (df - 2) if df > 2, inf if 1 < df <= 2,
    else NaN.

    Args:
        df: the degrees of freedom, positive.
        loc: the center. Default: 0.0
        scale: the scale, positive. Default: 1.0
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> t = torch.distributions.StudentT(torch.tensor([3., 1.]))
        >>> t.log_prob(torch.tensor(0.)).exp(), t.variance  # df 1 is the Cauchy distribution
        (tensor([0.3676, 0.3183]), tensor([3., nan]))
    """
    arg_constraints = {"df": constraints.positive, "loc": constraints.real, "scale": constraints.positive}

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        df, loc, scale = broadcast_all(df, loc, scale)
        self._chi2 = Chi2(df)  # first: PyTorch reports a bad df as an error of Chi2
        self._set(validate_args, df=df, loc=loc, scale=scale)

    def expand(self, batch_shape, _instance=None):
        new = super().expand(batch_shape, _instance)
        new._chi2 = self._chi2.expand(Size(batch_shape))
        return new

    @property
    def mean(self):
        return where(self.df <= 1, nan, self.loc)

    mode = property(lambda self: self.loc)

    @property
    def variance(self):
        # If the variance is infinite, compute with df = 3: a division by 0 would make the gradient NaN.
        df = where(self.df > 2, self.df, 3)
        spread = self.scale.pow(2) * df / (df - 2)
        return where(self.df > 2, spread, where(self.df > 1, inf, nan))

    def rsample(self, sample_shape=Size()):
        x = standard_normal(self._extended_shape(sample_shape), self.df)
        return self.loc + self.scale * (x * rsqrt(self._chi2.rsample(sample_shape) / self.df))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        y = (value - self.loc) / self.scale
        z = (self.scale.log() + 0.5 * self.df.log() + 0.5 * math.log(math.pi) + lgamma(0.5 * self.df)
             - lgamma(0.5 * (self.df + 1.0)))
        return -0.5 * (self.df + 1.0) * (y ** 2.0 / self.df).log1p() - z

    def entropy(self):
        half = 0.5 * (self.df + 1)
        beta = lgamma(0.5 * self.df) + math.lgamma(0.5) - lgamma(half)
        return self.scale.log() + half * (digamma(half) - digamma(0.5 * self.df)) + 0.5 * self.df.log() + beta


class FisherSnedecor(_Simple):
    """The F-distribution: the ratio of two independent chi-squared numbers, each divided by its degrees of freedom.

    Density: r^a x^(a - 1) (1 + r x)^(-a - b) / B(a, b) with a = df1 / 2, b = df2 / 2, r = df1 / df2, and the beta
    function B, for x > 0. Mean df2 / (df2 - 2) if df2 > 2, else NaN.

    Args:
        df1: the degrees of freedom of the numerator, positive.
        df2: the degrees of freedom of the denominator, positive.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> f = torch.distributions.FisherSnedecor(torch.tensor(2.), torch.tensor(4.))
        >>> f.mean, f.log_prob(torch.tensor(2.)).exp()  # (1 + x / 2)^-3
        (tensor(2.), tensor(0.1250))
    """
    arg_constraints = {"df1": constraints.positive, "df2": constraints.positive}
    support = constraints.positive

    def __init__(self, df1, df2, validate_args=None):
        df1, df2 = broadcast_all(df1, df2)
        # First: PyTorch reports a bad df as a bad concentration of Gamma.
        self._gamma1, self._gamma2 = Gamma(df1 * 0.5, df1), Gamma(df2 * 0.5, df2)
        self._set(validate_args, df1=df1, df2=df2)

    def expand(self, batch_shape, _instance=None):
        new = super().expand(batch_shape, _instance)
        new._gamma1, new._gamma2 = self._gamma1.expand(Size(batch_shape)), self._gamma2.expand(Size(batch_shape))
        return new

    @property
    def mean(self):
        df2 = where(self.df2 > 2, self.df2, nan)
        return df2 / (df2 - 2)

    @property
    def mode(self):
        mode = (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2)
        return where(self.df1 <= 2, nan, mode)

    @property
    def variance(self):
        df2 = where(self.df2 > 4, self.df2, nan)
        return 2 * df2.pow(2) * (self.df1 + df2 - 2) / (self.df1 * (df2 - 2).pow(2) * (df2 - 4))

    def rsample(self, sample_shape=Size()):
        shape = self._extended_shape(sample_shape)
        first, second = self._gamma1.rsample(sample_shape).view(shape), self._gamma2.rsample(sample_shape).view(shape)
        tiny = finfo(second.dtype).tiny
        second.clamp_(min=tiny)
        return (first / second).clamp_(min=tiny)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        a, b, ratio = self.df1 * 0.5, self.df2 * 0.5, self.df1 / self.df2
        return ((a + b).lgamma() - a.lgamma() - b.lgamma() + a * ratio.log() + (a - 1) * log(value)
                - (a + b) * log1p(ratio * value))


class InverseGamma(TransformedDistribution):
    """The inverse gamma distribution: 1 / x for a gamma-distributed x.

    Density: rate^a x^(-a - 1) exp(-rate / x) / Gamma(a) with a = concentration, for x > 0. Mean rate / (a - 1) if a > 1,
    else inf.

    Args:
        concentration: the shape a, positive.
        rate: the scale of the result, positive.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> inverse = torch.distributions.InverseGamma(torch.tensor(2.), torch.tensor(1.))
        >>> inverse.mean, inverse.log_prob(torch.tensor(1.)).exp()
        (tensor(1.), tensor(0.3679))
    """
    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support, has_rsample = constraints.positive, True

    def __init__(self, concentration, rate, validate_args=None):
        base = Gamma(concentration, rate, validate_args=validate_args)
        super().__init__(base, PowerTransform(-base.rate.new_ones(())), validate_args=validate_args)

    concentration = property(lambda self: self.base_dist.concentration, doc="The shape parameter.")
    rate = property(lambda self: self.base_dist.rate, doc="The rate parameter.")

    @property
    def mean(self):
        return where(self.concentration > 1, self.rate / (self.concentration - 1), inf)

    mode = property(lambda self: self.rate / (self.concentration + 1))

    @property
    def variance(self):
        shape = self.concentration
        return where(shape > 2, self.rate.square() / ((shape - 1).square() * (shape - 2)), inf)

    def entropy(self):
        shape = self.concentration
        return shape + self.rate.log() + shape.lgamma() - (1 + shape) * shape.digamma()


class NegativeBinomial(_Binary):
    """The negative binomial distribution: the number of successes before total_count failures.

    Probability: Gamma(n + x) / (x! Gamma(n)) * (1 - probs)^n probs^x with n = total_count, for x = 0, 1, 2, ...
    Mean n probs / (1 - probs).

    Args:
        total_count: the number n of failures, at least 0; it need not be an integer.
        probs: the probability of success, in [0, 1). Give either this or logits. Default: None
        logits: log(probs / (1 - probs)). Default: None
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> wins = torch.distributions.NegativeBinomial(1, torch.tensor(0.5))
        >>> wins.log_prob(torch.tensor([0., 1., 2.])).exp(), wins.mean
        (tensor([0.5000, 0.2500, 0.1250]), tensor(1.))
    """
    arg_constraints = {"total_count": constraints.greater_than_eq(0), "probs": constraints.half_open_interval(0.0, 1.0),
                       "logits": constraints.real}
    support, _params = constraints.nonnegative_integer, ("total_count", "probs", "logits")

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        name, given = ("probs", probs) if probs is not None else ("logits", logits)
        self.total_count, value = broadcast_all(total_count, given)
        self.total_count = self.total_count.type_as(value)
        setattr(self, name, value)
        Distribution.__init__(self, value.size(), validate_args=validate_args)

    @property
    def _gamma(self):
        return Gamma(self.total_count, (-self.logits).exp(), validate_args=False)

    mean = property(lambda self: self.total_count * self.logits.exp())
    mode = property(lambda self: ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0))
    variance = property(lambda self: self.mean / (-self.logits).sigmoid())

    def sample(self, sample_shape=Size()):
        with no_grad():
            return poisson(self._gamma.sample(sample_shape))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        count = self.total_count
        plain = count * logsigmoid(-self.logits) + value * logsigmoid(self.logits)
        by = -lgamma(count + value) + lgamma(1.0 + value) + lgamma(count)
        return plain - by.masked_fill(count + value == 0.0, 0.0)
