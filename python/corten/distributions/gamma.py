# SPDX-License-Identifier: BSD-3-Clause
"""Distributions made of gamma's: samples come from `_standard_gamma` and `_sample_dirichlet`, which have derivatives."""
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
    """Times until `concentration` events that come at a `rate`.

        >>> torch.distributions.Gamma(torch.tensor([2.0]), torch.tensor([1.0])).log_prob(torch.tensor([1.5]))
        tensor([-1.0945])
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
        value.detach().clamp_(min=finfo(value.dtype).tiny)  # not 0, where log_prob is infinite
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
    """The sum of the squares of `df` normal numbers."""
    arg_constraints = {"df": constraints.positive}
    _params = ("concentration", "rate")

    def __init__(self, df, validate_args=None):
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)

    df = property(lambda self: self.concentration * 2)


class Dirichlet(ExponentialFamily):
    """Vectors of positive numbers with the sum 1.

        >>> torch.distributions.Dirichlet(torch.tensor([1.0, 2.0])).mean
        tensor([0.3333, 0.6667])
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
    """Numbers between 0 and 1: the first of two elements of Dirichlet's distribution.

        >>> torch.distributions.Beta(torch.tensor([2.0]), torch.tensor([3.0])).mean
        tensor([0.4000])
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

    concentration1 = property(lambda self: self._dirichlet.concentration[..., 0])
    concentration0 = property(lambda self: self._dirichlet.concentration[..., 1])
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
    """A normal number divided by the root of a mean of `df` squares of others."""
    arg_constraints = {"df": constraints.positive, "loc": constraints.real, "scale": constraints.positive}

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        df, loc, scale = broadcast_all(df, loc, scale)
        self._chi2 = Chi2(df)  # first, because PyTorch reports a bad df as one of this
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
        # 3 stands where the variance is infinite: dividing by 0 there would make the gradient NaN.
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
    """The ratio of two means of squares, of `df1` and of `df2` normal numbers."""
    arg_constraints = {"df1": constraints.positive, "df2": constraints.positive}
    support = constraints.positive

    def __init__(self, df1, df2, validate_args=None):
        df1, df2 = broadcast_all(df1, df2)
        # First, because PyTorch reports a bad df as a bad concentration of these.
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
    """1 / x, where x has a gamma distribution."""
    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support, has_rsample = constraints.positive, True

    def __init__(self, concentration, rate, validate_args=None):
        base = Gamma(concentration, rate, validate_args=validate_args)
        super().__init__(base, PowerTransform(-base.rate.new_ones(())), validate_args=validate_args)

    concentration = property(lambda self: self.base_dist.concentration)
    rate = property(lambda self: self.base_dist.rate)

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
    """How many successes come before `total_count` failures."""
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
