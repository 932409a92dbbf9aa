# SPDX-License-Identifier: BSD-3-Clause
"""Distributions made from others: by transforms, by reinterpreting batch dims, and as mixtures."""
import math

from .. import Size, as_tensor, finfo, full_like, inf, no_grad, ones_like
from . import constraints
from .continuous import Cauchy, Exponential, Normal, Uniform
from .discrete import Categorical
from .distribution import Distribution, broadcast_all
from .transforms import AbsTransform, AffineTransform, ComposeTransform, ExpTransform, PowerTransform, Transform

euler_gamma = 0.57721566490153286060
__all__ = ["Gumbel", "HalfCauchy", "HalfNormal", "Independent", "LogNormal", "MixtureSameFamily", "Pareto", "TransformedDistribution",
           "Weibull"]


def sum_rightmost(value, dims):
    """Sum over the last dims."""
    return value.reshape(value.shape[:value.dim() - dims] + (-1,)).sum(-1) if dims else value


class TransformedDistribution(Distribution):
    """The distribution of y = transform(x), where x has a base distribution.

    Density: p(y) = p_base(x) |dx / dy| at x = transform.inv(y); for several transforms in turn.

    Args:
        base_distribution: the distribution of x.
        transforms: a Transform, or a list of them, applied in order.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> from corten.distributions import AffineTransform, TransformedDistribution, Uniform
        >>> y = TransformedDistribution(Uniform(0., 1.), AffineTransform(loc=10., scale=2.))  # uniform on (10, 12)
        >>> y.log_prob(torch.tensor(11.)).exp()
        tensor(0.5000)
    """
    arg_constraints = {}

    def __init__(self, base_distribution, transforms, validate_args=None):
        self.transforms = [transforms] if isinstance(transforms, Transform) else transforms
        if not isinstance(self.transforms, list):
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        if not all(isinstance(t, Transform) for t in self.transforms):
            raise ValueError("transforms must be a Transform or a list of Transforms")
        base, events = base_distribution, len(base_distribution.event_shape)
        shape, chain = base.batch_shape + base.event_shape, ComposeTransform(self.transforms)
        if len(shape) < chain.domain.event_dim:
            raise ValueError("base_distribution needs to have shape with size at least "
                             f"{chain.domain.event_dim}, but got {shape}.")
        # The transforms' parameters may have a larger batch than the base. Expand the base to it: its samples
        # would be broadcast otherwise, and several elements would share the same noise.
        forward = Size(chain.forward_shape(shape))
        expanded = Size(chain.inverse_shape(forward))
        if expanded != shape:
            base = base.expand(expanded[:len(expanded) - events])
        more = chain.domain.event_dim - events
        self.base_dist = Independent(base, more) if more > 0 else base
        events = max(chain.codomain.event_dim, events + chain.codomain.event_dim - chain.domain.event_dim)
        cut = len(forward) - events
        Distribution.__init__(self, forward[:cut], forward[cut:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        new = type(self).__new__(type(self)) if _instance is None else _instance
        shape = Size(batch_shape) + self.event_shape
        for transform in reversed(self.transforms):
            shape = transform.inverse_shape(shape)
        shape = Size(shape[:len(shape) - len(self.base_dist.event_shape)])
        new.base_dist, new.transforms = self.base_dist.expand(shape), self.transforms
        Distribution.__init__(new, batch_shape, self.event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    has_rsample = property(lambda self: self.base_dist.has_rsample)

    @constraints.dependent_property(is_discrete=False)
    def support(self):
        if not self.transforms:
            return self.base_dist.support
        last, dims = self.transforms[-1].codomain, len(self.event_shape)
        return constraints.independent(last, dims - last.event_dim) if dims > last.event_dim else last

    def sample(self, sample_shape=Size()):
        with no_grad():
            x = self.base_dist.sample(sample_shape)
            for transform in self.transforms:
                x = transform(x)
            return x

    def rsample(self, sample_shape=Size()):
        x = self.base_dist.rsample(sample_shape)
        for transform in self.transforms:
            x = transform(x)
        return x

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        total, y, events = 0.0, value, len(self.event_shape)
        for transform in reversed(self.transforms):
            x = transform._inv_call(y)
            events += transform.domain.event_dim - transform.codomain.event_dim
            total = total - sum_rightmost(transform.log_abs_det_jacobian(x, y), events - transform.domain.event_dim)
            y = x
        return total + sum_rightmost(self.base_dist.log_prob(y), events - len(self.base_dist.event_shape))

    def _signed(self, value):
        """Return 1 - value where the transforms decrease, since they reverse the order."""
        sign = 1
        for transform in self.transforms:
            sign = sign * transform.sign
        return value if isinstance(sign, int) and sign == 1 else sign * (value - 0.5) + 0.5

    def cdf(self, value):
        for transform in self.transforms[::-1]:
            value = transform._inv_call(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._signed(self.base_dist.cdf(value))

    def icdf(self, value):
        value = self.base_dist.icdf(self._signed(value))
        for transform in self.transforms:
            value = transform(value)
        return value


class LogNormal(TransformedDistribution):
    """The log-normal distribution: exp of a normal number.

    Density: exp(-(log x - loc)^2 / (2 scale^2)) / (x scale sqrt(2 pi)), for x > 0. Mean exp(loc + scale^2 / 2).

    Args:
        loc: the mean of log x.
        scale: the standard deviation of log x, positive.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> x = torch.distributions.LogNormal(torch.tensor(0.), torch.tensor(1.))
        >>> x.mean, x.log_prob(torch.tensor(1.)).exp()
        (tensor(1.6487), tensor(0.3989))
    """
    arg_constraints, support, has_rsample = {"loc": constraints.real, "scale": constraints.positive}, constraints.positive, True

    def __init__(self, loc, scale, validate_args=None):
        super().__init__(Normal(loc, scale, validate_args=validate_args), ExpTransform(), validate_args=validate_args)

    loc = property(lambda self: self.base_dist.loc, doc="The mean of the logarithm.")
    scale = property(lambda self: self.base_dist.scale, doc="The standard deviation of the logarithm.")
    mean = property(lambda self: (self.loc + self.scale.pow(2) / 2).exp())
    mode = property(lambda self: (self.loc - self.scale.square()).exp())
    variance = property(lambda self: self.scale.pow(2).expm1() * (2 * self.loc + self.scale.pow(2)).exp())

    def entropy(self):
        return self.base_dist.entropy() + self.loc


class _Half(TransformedDistribution):
    """The absolute value of a symmetric distribution around 0."""
    arg_constraints, support, has_rsample = {"scale": constraints.positive}, constraints.nonnegative, True
    scale = property(lambda self: self.base_dist.scale)
    mode = property(lambda self: self.scale * 0)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        found = self.base_dist.log_prob(value) + math.log(2)
        return found.where(value >= 0, full_like(found, -inf))

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, prob):
        return self.base_dist.icdf((prob + 1) / 2)

    def entropy(self):
        return self.base_dist.entropy() - math.log(2)


class HalfNormal(_Half):
    """The half-normal distribution: |x| for a normal x with mean 0.

    Density: sqrt(2 / pi) / scale * exp(-x^2 / (2 scale^2)), for x >= 0. Mean scale sqrt(2 / pi), variance scale^2 (1 - 2 / pi).

    Args:
        scale: the standard deviation of the normal number, positive.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> half = torch.distributions.HalfNormal(torch.tensor(1.))
        >>> half.log_prob(torch.tensor(0.)).exp(), half.mean
        (tensor(0.7979), tensor(0.7979))
    """

    def __init__(self, scale, validate_args=None):
        super().__init__(Normal(0, scale, validate_args=False), AbsTransform(), validate_args=validate_args)

    mean = property(lambda self: self.scale * math.sqrt(2 / math.pi))
    variance = property(lambda self: self.scale.pow(2) * (1 - 2 / math.pi))


class HalfCauchy(_Half):
    """The half-Cauchy distribution: |x| for a Cauchy-distributed x with loc 0.

    Density: 2 / (pi scale (1 + (x / scale)^2)), for x >= 0. The mean is infinite; scale is the median.

    Args:
        scale: the median, positive.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> half = torch.distributions.HalfCauchy(torch.tensor(1.))
        >>> half.log_prob(torch.tensor(0.)).exp(), half.cdf(torch.tensor(1.))
        (tensor(0.6366), tensor(0.5000))
    """

    def __init__(self, scale, validate_args=None):
        super().__init__(Cauchy(0, scale, validate_args=False), AbsTransform(), validate_args=validate_args)

    mean = property(lambda self: full_like(self.scale, inf))
    variance = property(lambda self: self.base_dist.variance)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return super().log_prob(as_tensor(value, dtype=self.base_dist.scale.dtype, device=self.base_dist.scale.device))


class Gumbel(TransformedDistribution):
    """The Gumbel distribution: the limit of the maximum of many independent numbers, such as normal ones.

    Density: exp(-(z + exp(-z))) / scale with z = (x - loc) / scale, for all real x. Mean loc + 0.5772 scale, variance
    pi^2 scale^2 / 6.

    Args:
        loc: the mode.
        scale: the scale, positive.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> gumbel = torch.distributions.Gumbel(torch.tensor(0.), torch.tensor(1.))
        >>> gumbel.mean, gumbel.log_prob(torch.tensor(0.)).exp()
        (tensor(0.5772), tensor(0.3679))
    """
    arg_constraints, support = {"loc": constraints.real, "scale": constraints.positive}, constraints.real

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        limits = finfo(self.loc.dtype)
        base = Uniform(full_like(self.loc, limits.tiny), full_like(self.loc, 1 - limits.eps), validate_args=validate_args)
        one = ones_like(self.scale)
        steps = [ExpTransform().inv, AffineTransform(0, -one), ExpTransform().inv, AffineTransform(loc, -self.scale)]
        super().__init__(base, steps, validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        new = Gumbel(self.loc.expand(batch_shape), self.scale.expand(batch_shape), validate_args=False)
        return self._like(new, _instance)

    mode = property(lambda self: self.loc)
    mean = property(lambda self: self.loc + self.scale * euler_gamma)
    stddev = property(lambda self: (math.pi / math.sqrt(6)) * self.scale)
    variance = property(lambda self: self.stddev.pow(2))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        y = (self.loc - value) / self.scale
        return (y - y.exp()) - self.scale.log()

    def entropy(self):
        return self.scale.log() + (1 + euler_gamma)


class Pareto(TransformedDistribution):
    """The Pareto distribution: a power law above a minimum.

    Density: alpha scale^alpha / x^(alpha + 1), for x >= scale. Mean alpha scale / (alpha - 1) if alpha > 1, else inf.

    Args:
        scale: the minimum, positive.
        alpha: the exponent, positive.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> pareto = torch.distributions.Pareto(torch.tensor(1.), torch.tensor(2.))
        >>> pareto.mean, pareto.log_prob(torch.tensor(2.)).exp()  # 2 / x^3
        (tensor(2.), tensor(0.2500))
    """
    arg_constraints = {"alpha": constraints.positive, "scale": constraints.positive}

    def __init__(self, scale, alpha, validate_args=None):
        self.scale, self.alpha = broadcast_all(scale, alpha)
        super().__init__(Exponential(self.alpha, validate_args=validate_args), [ExpTransform(), AffineTransform(0, self.scale)],
                         validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        new = Pareto(self.scale.expand(batch_shape), self.alpha.expand(batch_shape), validate_args=False)
        return self._like(new, _instance)

    @property
    def mean(self):
        a = self.alpha.clamp(min=1)
        return a * self.scale / (a - 1)

    mode = property(lambda self: self.scale)

    @property
    def variance(self):
        a = self.alpha.clamp(min=2)
        return self.scale.pow(2) * a / ((a - 1).pow(2) * (a - 2))

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        return constraints.greater_than_eq(self.scale)

    def entropy(self):
        return (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())


class Weibull(TransformedDistribution):
    """The Weibull distribution of lifetimes.

    Density: k / scale * (x / scale)^(k - 1) exp(-(x / scale)^k) with k = concentration, for x > 0. The rate of failure
    falls with time for k < 1, is constant for k = 1 (Exponential) and rises for k > 1. Mean scale Gamma(1 + 1 / k).

    Args:
        scale: the scale, positive.
        concentration: the shape k, positive.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> life = torch.distributions.Weibull(torch.tensor(1.), torch.tensor(2.))
        >>> life.mean, life.log_prob(torch.tensor(1.)).exp()  # 2 x exp(-x^2)
        (tensor(0.8862), tensor(0.7358))
    """
    arg_constraints, support = {"scale": constraints.positive, "concentration": constraints.positive}, constraints.positive

    def __init__(self, scale, concentration, validate_args=None):
        self.scale, self.concentration = broadcast_all(scale, concentration)
        self.concentration_reciprocal = self.concentration.reciprocal()
        base = Exponential(ones_like(self.scale), validate_args=validate_args)
        super().__init__(base, [PowerTransform(exponent=self.concentration_reciprocal), AffineTransform(0, self.scale)],
                         validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        new = Weibull(self.scale.expand(batch_shape), self.concentration.expand(batch_shape), validate_args=False)
        return self._like(new, _instance)

    mean = property(lambda self: self.scale * (1 + self.concentration_reciprocal).lgamma().exp())
    mode = property(lambda self: self.scale * ((self.concentration - 1) / self.concentration) ** self.concentration.reciprocal())

    @property
    def variance(self):
        r = self.concentration_reciprocal
        return self.scale.pow(2) * ((1 + 2 * r).lgamma().exp() - (2 * (1 + r).lgamma()).exp())

    def entropy(self):
        return euler_gamma * (1 - self.concentration_reciprocal) + (self.scale * self.concentration_reciprocal).log() + 1


class Independent(Distribution):
    """A distribution whose last batch dims count as part of the event.

    log_prob then sums over these dims. For example, n normal distributions become one distribution over vectors
    of size n with a diagonal covariance.

    Args:
        base_distribution: the distribution.
        reinterpreted_batch_ndims: the number of its batch dims to count as event dims.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> from corten.distributions import Independent, Normal
        >>> vector = Independent(Normal(torch.zeros(3), torch.ones(3)), 1)
        >>> vector.batch_shape, vector.event_shape
        (torch.Size([]), torch.Size([3]))
        >>> vector.log_prob(torch.zeros(3))  # 3 * log(1 / sqrt(2 pi))
        tensor(-2.7568)
    """
    arg_constraints = {}

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        if reinterpreted_batch_ndims > len(base_distribution.batch_shape):
            raise ValueError("Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual "
                             f"{reinterpreted_batch_ndims} vs {len(base_distribution.batch_shape)}")
        shape = base_distribution.batch_shape + base_distribution.event_shape
        events = reinterpreted_batch_ndims + len(base_distribution.event_shape)
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, reinterpreted_batch_ndims
        Distribution.__init__(self, shape[:len(shape) - events], shape[len(shape) - events:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        inner = Size(batch_shape) + self.event_shape[:self.reinterpreted_batch_ndims]
        return self._like(Independent(self.base_dist.expand(inner), self.reinterpreted_batch_ndims, validate_args=False), _instance)

    has_rsample = property(lambda self: self.base_dist.has_rsample)
    has_enumerate_support = property(lambda self: self.reinterpreted_batch_ndims == 0 and self.base_dist.has_enumerate_support)
    mean = property(lambda self: self.base_dist.mean)
    mode = property(lambda self: self.base_dist.mode)
    variance = property(lambda self: self.base_dist.variance)

    @constraints.dependent_property
    def support(self):
        base = self.base_dist.support
        return constraints.independent(base, self.reinterpreted_batch_ndims) if self.reinterpreted_batch_ndims else base

    def sample(self, sample_shape=Size()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=Size()):
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self):
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand=True):
        if self.reinterpreted_batch_ndims > 0:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand=expand)

    def __repr__(self):
        return f"Independent({self.base_dist}, {self.reinterpreted_batch_ndims})"


class MixtureSameFamily(Distribution):
    """A mixture: each sample comes from one of n distributions of a family, chosen at random.

    Density: sum_i weights[i] p_i(x). Mean sum_i weights[i] mean_i.

    Args:
        mixture_distribution: a Categorical over n components.
        component_distribution: a distribution whose last batch dim counts the components.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> from corten.distributions import Categorical, MixtureSameFamily, Normal
        >>> two = MixtureSameFamily(Categorical(torch.tensor([0.25, 0.75])), Normal(torch.tensor([0., 4.]), torch.ones(2)))
        >>> two.mean, two.variance  # 1 + 0.25 * 9 + 0.75 * 1
        (tensor(3.), tensor(4.))
    """
    arg_constraints = {}

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(" The Mixture distribution needs to be an  instance of torch.distributions.Categorical")
        if not isinstance(component_distribution, Distribution):
            raise ValueError("The Component distribution needs to be an instance of torch.distributions.Distribution")
        mine, theirs = mixture_distribution.batch_shape, component_distribution.batch_shape[:-1]
        if any(i != 1 and j != 1 and i != j for i, j in zip(reversed(mine), reversed(theirs))):
            raise ValueError(f"`mixture_distribution.batch_shape` ({mine}) is not compatible with "
                             f"`component_distribution.batch_shape`({theirs})")
        weights, components = mixture_distribution.logits.shape[-1], component_distribution.batch_shape[-1]
        if weights != components:
            raise ValueError(f"`mixture_distribution component` ({weights}) does not equal "
                             f"`component_distribution.batch_shape[-1]` ({components})")
        self._mixture_distribution, self._component_distribution = mixture_distribution, component_distribution
        self._event_ndims, self._num_component = len(component_distribution.event_shape), component_distribution.batch_shape[-1]
        Distribution.__init__(self, component_distribution.batch_shape[:-1], component_distribution.event_shape, validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        inner = self._mixture_distribution.expand(batch_shape)
        components = self._component_distribution.expand(Size(batch_shape) + (self._num_component,))
        return self._like(MixtureSameFamily(inner, components, validate_args=False), _instance)

    mixture_distribution = property(lambda self: self._mixture_distribution, doc="The distribution of the components.")
    component_distribution = property(lambda self: self._component_distribution, doc="The distributions that are mixed.")

    @constraints.dependent_property
    def support(self):
        return constraints.MixtureSameFamilyConstraint(self._component_distribution.support)

    def _padded(self, x):
        """Return weights with one dim more for each event dim."""
        return x.reshape(x.shape + (1,) * self._event_ndims)

    def _mix(self, values):
        return (self._padded(self.mixture_distribution.probs) * values).sum(dim=-1 - self._event_ndims)

    mean = property(lambda self: self._mix(self.component_distribution.mean))

    @property
    def variance(self):
        spread = self.mean.unsqueeze(-1 - self._event_ndims)
        return self._mix(self.component_distribution.variance) + self._mix((self.component_distribution.mean - spread).pow(2.0))

    def log_prob(self, x):
        if self._validate_args:
            self._validate_sample(x)
        each = self.component_distribution.log_prob(x.unsqueeze(-1 - self._event_ndims))
        return (each + self.mixture_distribution.logits.log_softmax(-1)).logsumexp(dim=-1)

    def cdf(self, x):
        return (self.component_distribution.cdf(x.unsqueeze(-1)) * self.mixture_distribution.probs).sum(dim=-1)

    def sample(self, sample_shape=Size()):
        with no_grad():
            which = self.mixture_distribution.sample(sample_shape)
            drawn = self.component_distribution.sample(sample_shape)
            dim = len(sample_shape) + len(self.batch_shape)
            index = self._padded(which.unsqueeze(-1)).expand(which.shape + (1,) + tuple(self.event_shape))
            return drawn.gather(dim, index).squeeze(dim)

    def __repr__(self):
        return f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"
