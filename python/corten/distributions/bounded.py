# SPDX-License-Identifier: BSD-3-Clause
"""Distributions on intervals and on the circle, tails, and relaxed categorical choices."""
import math

from .. import (Size, _C, finfo, full_like, inf, isclose, lgamma, digamma, log, log1p, nan, no_grad, ones_like, rand,
                special, where, zeros, zeros_like)
from ..nn.functional import binary_cross_entropy_with_logits
from . import constraints
from .continuous import Normal, Uniform, _Simple
from .derived import TransformedDistribution, euler_gamma
from .discrete import Categorical, _Binary
from .distribution import Distribution, ExponentialFamily, broadcast_all, lazy_property
from .transforms import AffineTransform, ExpTransform, PowerTransform, SigmoidTransform

__all__ = ["ContinuousBernoulli", "ExpRelaxedCategorical", "GeneralizedPareto", "Kumaraswamy", "LogisticNormal",
           "LogitRelaxedBernoulli", "RelaxedBernoulli", "RelaxedOneHotCategorical", "VonMises"]


def _inside(probs):
    eps = finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


class Kumaraswamy(TransformedDistribution):
    """The Kumaraswamy distribution on (0, 1): similar to Beta, with a simple cdf.

    Density: a b x^(a - 1) (1 - x^a)^(b - 1) with a = concentration1, b = concentration0. cdf 1 - (1 - x^a)^b. Mean b B(1
    + 1 / a, b) with the beta function B.

    Args:
        concentration1: the exponent a, positive.
        concentration0: the exponent b, positive.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> k = torch.distributions.Kumaraswamy(torch.tensor(1.), torch.tensor(2.))
        >>> k.log_prob(torch.tensor(0.25)).exp(), k.mean  # 2 (1 - x)
        (tensor(1.5000), tensor(0.3333))
    """
    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support, has_rsample = constraints.unit_interval, True

    def __init__(self, concentration1, concentration0, validate_args=None):
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        base = Uniform(full_like(self.concentration0, 0), full_like(self.concentration0, 1), validate_args=validate_args)
        steps = [PowerTransform(self.concentration0.reciprocal()), AffineTransform(1.0, -1.0),
                 PowerTransform(self.concentration1.reciprocal())]
        super().__init__(base, steps, validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        shape = Size(batch_shape)
        new = Kumaraswamy(self.concentration1.expand(shape), self.concentration0.expand(shape), validate_args=False)
        return self._like(new, _instance)

    def _moment(self, n):
        place = 1 + n / self.concentration1
        return (lgamma(place) + lgamma(self.concentration0) - lgamma(place + self.concentration0)).exp() * self.concentration0

    mean = property(lambda self: self._moment(1))
    variance = property(lambda self: self._moment(2) - self.mean.pow(2))

    @property
    def mode(self):
        a, b = self.concentration1, self.concentration0
        found = (a.reciprocal() * (-b).log1p() - (-a * b).log1p()).exp()
        return where((a < 1) | (b < 1), nan, found)

    def entropy(self):
        a, b = self.concentration1, self.concentration0
        return (1 - b.reciprocal()) + (1 - a.reciprocal()) * (digamma(b + 1) + euler_gamma) - a.log() - b.log()


class ContinuousBernoulli(_Binary, ExponentialFamily):
    """The continuous Bernoulli distribution on [0, 1] (Loaiza-Ganem and Cunningham, 2019), for images.

    Density: C probs^x (1 - probs)^(1 - x), with C = 2 artanh(1 - 2 probs) / (1 - 2 probs), and C = 2 at probs 1/2. Unlike
    Bernoulli's, this density is normalized over real x.

    Args:
        probs: the parameter, in (0, 1); it is not the mean. Give either this or logits. Default: None
        logits: log(probs / (1 - probs)). Default: None
        lims: between these values of probs, series replace the closed forms, which are inaccurate near 1/2.
            Default: (0.499, 0.501)
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> pixel = torch.distributions.ContinuousBernoulli(torch.tensor(0.5))  # uniform
        >>> pixel.mean, pixel.log_prob(torch.tensor(0.25)).exp()
        (tensor(0.5000), tensor(1.))
    """
    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support, has_rsample = constraints.unit_interval, True

    def __init__(self, probs=None, logits=None, lims=(0.499, 0.501), validate_args=None):
        self._lims = lims
        if probs is not None and logits is None:
            (probs,) = broadcast_all(probs)
            # PyTorch checks probs here only if validate_args is given, since clamping makes all of them valid.
            if validate_args is not None and not constraints.unit_interval.check(probs).all():
                raise ValueError("The parameter probs has invalid values")
            probs = _inside(probs)
        self._choose(probs, logits, validate_args)

    def expand(self, batch_shape, _instance=None):
        new = super().expand(batch_shape, _instance)
        new._lims = self._lims
        return new

    @lazy_property
    def probs(self):
        """The parameter, clamped to (0, 1): the sigmoid of a large logit rounds to 0 or 1, where no density exists."""
        return _inside(self.logits.sigmoid())

    def _far(self):
        """Return where closed forms are accurate; near 1/2 series replace them."""
        return (self.probs <= self._lims[0]) | (self.probs > self._lims[1])

    def _cut(self):
        return where(self._far(), self.probs, self._lims[0] * ones_like(self.probs))

    def _log_norm(self):
        p = self._cut()
        below, above = where(p <= 0.5, p, zeros_like(p)), where(p >= 0.5, p, ones_like(p))
        closed = (log1p(-p) - log(p)).abs().log() - where(p <= 0.5, log1p(-2.0 * below), log(2.0 * above - 1.0))
        x = (self.probs - 0.5).pow(2)
        return where(self._far(), closed, math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x)

    @property
    def mean(self):
        p, x = self._cut(), self.probs - 0.5
        closed = p / (2.0 * p - 1.0) + 1.0 / (log1p(-p) - log(p))
        return where(self._far(), closed, 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * x.pow(2)) * x)

    @property
    def variance(self):
        p, x = self._cut(), (self.probs - 0.5).pow(2)
        closed = p * (p - 1.0) / (1.0 - 2.0 * p).pow(2) + 1.0 / (log1p(-p) - log(p)).pow(2)
        return where(self._far(), closed, 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x)

    def rsample(self, sample_shape=Size()):
        return self.icdf(rand(self._extended_shape(sample_shape), dtype=self.probs.dtype, device=self.probs.device))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none") + self._log_norm()

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        p = self._cut()
        closed = (p.pow(value) * (1.0 - p).pow(1.0 - value) + p - 1.0) / (2.0 * p - 1.0)
        found = where(self._far(), closed, value)
        return where(value <= 0.0, zeros_like(value), where(value >= 1.0, ones_like(value), found))

    def icdf(self, value):
        p = self._cut()
        closed = (log1p(-p + value * (2.0 * p - 1.0)) - log1p(-p)) / (log(p) - log1p(-p))
        return where(self._far(), closed, value)

    def entropy(self):
        below, above = log1p(-self.probs), log(self.probs)
        return self.mean * (below - above) - self._log_norm() - below

    _mean_carrier_measure = 0
    _natural_params = property(lambda self: (self.logits,))

    def _log_normalizer(self, x):
        """Return log((exp(x) - 1) / x); near 0 from its series."""
        far = (x <= self._lims[0] - 0.5) | (x > self._lims[1] - 0.5)
        cut = where(far, x, (self._lims[0] - 0.5) * ones_like(x))
        series = 0.5 * x + x.pow(2) / 24.0 - x.pow(4) / 2880.0
        return where(far, cut.expm1().abs().log() - cut.abs().log(), series)


class GeneralizedPareto(_Simple):
    """The generalized Pareto distribution: excesses over a threshold, as a model of tails.

    Density: (1 + c z)^(-1 / c - 1) / scale with z = (x - loc) / scale, c = concentration; exp(-z) / scale for c = 0.
    Support: x >= loc, and x <= loc - scale / c if c < 0. Mean loc + scale / (1 - c) if c < 1, else NaN.

    Args:
        loc: the threshold.
        scale: the scale, positive.
        concentration: the tail index c: 0 is an exponential tail, larger values are heavier, negative ones give a bounded support.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> tail = torch.distributions.GeneralizedPareto(torch.tensor(0.), torch.tensor(1.), torch.tensor(0.5))
        >>> tail.mean, tail.log_prob(torch.tensor(2.)).exp()  # (1 + x / 2)^-3
        (tensor(2.), tensor(0.1250))
    """
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive, "concentration": constraints.real}

    def __init__(self, loc, scale, concentration, validate_args=None):
        self._set(validate_args, loc=loc, scale=scale, concentration=concentration)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        return constraints.interval(self.loc, where(self.concentration < 0, self.loc - self.scale / self.concentration, inf))

    def _safe(self):
        none = isclose(self.concentration, zeros_like(self.concentration))
        return none, where(none, ones_like(self.concentration), self.concentration)

    @property
    def mean(self):
        good = self.concentration < 1
        return where(good, self.loc + self.scale / (1 - where(good, self.concentration, 0.5)), nan)

    @property
    def variance(self):
        good = self.concentration < 0.5
        c = where(good, self.concentration, 0.25)
        return where(good, self.scale ** 2 / ((1 - c) ** 2 * (1 - 2 * c)), nan)

    mode = property(lambda self: self.loc)

    def rsample(self, sample_shape=Size()):
        return self.icdf(rand(self._extended_shape(sample_shape), dtype=self.loc.dtype, device=self.loc.device))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        z, (none, c) = (value - self.loc) / self.scale, self._safe()
        y = 1 / c + ones_like(z)
        return -self.scale.log() - where(none, z, where(y == 0, y, y * (c * z).log1p()))

    def log_survival_function(self, value):
        """Return the logarithm of the probability of a draw above value.

        Args:
            value: values in the support.
        """
        if self._validate_args:
            self._validate_sample(value)
        z, (none, c) = (value - self.loc) / self.scale, self._safe()
        return where(none, -z, -(c * z).log1p() / c)

    def log_cdf(self, value):
        """Return the logarithm of cdf(value).

        Args:
            value: values in the support.
        """
        return (-self.log_survival_function(value).exp()).log1p()

    def cdf(self, value):
        return self.log_cdf(value).exp()

    def icdf(self, value):
        (none, c), u = self._safe(), log1p(-value)
        return where(none, self.loc - self.scale * u, self.loc + self.scale / c * (-c * u).expm1())

    def entropy(self):
        return self.scale.log() + self.concentration + 1


class VonMises(_Simple):
    """The von Mises distribution of angles: the analogue of the normal distribution on a circle.

    Density: exp(concentration cos(x - loc)) / (2 pi I0(concentration)), with the modified Bessel function I0, for angles
    x in radians. Samples are in [-pi, pi).

    Args:
        loc: the mean direction in radians.
        concentration: the inverse spread, positive; about 1 / variance if large.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> angle = torch.distributions.VonMises(torch.tensor(0.), torch.tensor(4.))
        >>> angle.log_prob(torch.tensor([0., 1.])).exp()
        tensor([0.7689, 0.1223])
    """
    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}
    has_rsample = False

    def __init__(self, loc, concentration, validate_args=None):
        self._set(validate_args, loc=loc, concentration=concentration)

    mean = mode = property(lambda self: self.loc)

    @property
    def variance(self):
        """The circular variance: 1 minus the length of the mean direction vector."""
        return 1 - special.i1e(self.concentration) / special.i0e(self.concentration)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        k = self.concentration
        return k * (value - self.loc).cos() - math.log(2 * math.pi) - (special.i0e(k).log() + k)

    def sample(self, sample_shape=Size()):
        """Draw samples by rejection (Best and Fisher, 1979), in float64.

        Args:
            sample_shape: how many draws. Default: Size(), for one
        """
        with no_grad():
            loc, k = self.loc.double(), self.concentration.double()
            tau = 1 + (1 + 4 * k ** 2).sqrt()
            rho = (tau - (2 * tau).sqrt()) / (2 * k)
            r = where(k < 1e-5, 1 / k + k, (1 + rho ** 2) / (2 * rho))
            found = zeros(self._extended_shape(sample_shape), dtype=loc.dtype, device=loc.device)
            done = zeros(found.shape, dtype=_C.bool, device=loc.device)
            while not bool(done.all()):
                u1, u2, u3 = rand((3,) + tuple(found.shape), dtype=loc.dtype, device=loc.device).unbind()
                z = (math.pi * u1).cos()
                f = (1 + r * z) / (r + z)
                c = k * (r - f)
                good = ((c * (2 - c) - u2) > 0) | ((c / u2).log() + 1 - c >= 0)
                found = where(good, (u3 - 0.5).sign() * f.acos(), found)
                done = done | good
            return ((found + math.pi + loc) % (2 * math.pi) - math.pi).to(self.loc.dtype)


# ---- relaxed choices ----

class LogitRelaxedBernoulli(_Binary):
    """The logit of a RelaxedBernoulli sample (Maddison et al., 2016): a distribution over all real x.

    Samples are (log u - log(1 - u) + logits) / temperature with u uniform on (0, 1).

    Args:
        temperature: a tensor, positive.
        probs: the probability of 1. Give either this or logits. Default: None
        logits: log(probs / (1 - probs)). Default: None
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True
    """
    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.real

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        self._choose(probs, logits, validate_args)

    def expand(self, batch_shape, _instance=None):
        new = super().expand(batch_shape, _instance)
        new.temperature = self.temperature
        return new

    def rsample(self, sample_shape=Size()):
        shape = self._extended_shape(sample_shape)
        p = _inside(self.probs.expand(shape))
        u = _inside(rand(shape, dtype=p.dtype, device=p.device))
        return (u.log() - (-u).log1p() + p.log() - (-p).log1p()) / self.temperature

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        apart = logits - value.mul(self.temperature)
        return self.temperature.log() + apart - 2 * apart.exp().log1p()


class _Relaxed(TransformedDistribution):
    has_rsample = True
    temperature = property(lambda self: self.base_dist.temperature)
    logits = property(lambda self: self.base_dist.logits)
    probs = property(lambda self: self.base_dist.probs)

    def expand(self, batch_shape, _instance=None):
        new = type(self).__new__(type(self)) if _instance is None else _instance
        return super().expand(batch_shape, new)


class RelaxedBernoulli(_Relaxed):
    """A differentiable relaxation of Bernoulli on (0, 1) (Maddison et al., 2016; Jang et al., 2016).

    Samples are sigmoid((log u - log(1 - u) + logits) / temperature) with u uniform on (0, 1). As the temperature goes to
    0 they approach 0 and 1, with Bernoulli's probabilities, and gradients become noisier.

    Args:
        temperature: a tensor, positive.
        probs: the probability of 1. Give either this or logits. Default: None
        logits: log(probs / (1 - probs)). Default: None
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> x = torch.distributions.RelaxedBernoulli(torch.tensor(0.5), probs=torch.tensor(0.3)).rsample((1000,))
        >>> bool(((x > 0) & (x < 1)).all())
        True
    """
    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        super().__init__(LogitRelaxedBernoulli(temperature, probs, logits), SigmoidTransform(), validate_args=validate_args)


class ExpRelaxedCategorical(Distribution):
    """The logarithm of a RelaxedOneHotCategorical sample (Maddison et al., 2016).

    Samples are s - logsumexp(s) with s = (logits + g) / temperature and Gumbel numbers g.

    Args:
        temperature: a tensor, positive.
        probs, logits, validate_args: as for Categorical.
    """
    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support, has_rsample = constraints.real_vector, True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self._categorical, self.temperature = Categorical(probs, logits), temperature
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        new = type(self).__new__(type(self)) if _instance is None else _instance
        new._categorical, new.temperature = self._categorical.expand(Size(batch_shape)), self.temperature
        Distribution.__init__(new, batch_shape, self.event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    probs = property(lambda self: self._categorical.probs, doc="The probabilities of the classes.")
    logits = property(lambda self: self._categorical.logits, doc="The logarithms of the probabilities of the classes.")
    param_shape = property(lambda self: self._categorical.param_shape, doc="The shape of the parameter that was given.")

    def _new(self, *args, **kwargs):
        return self._categorical._new(*args, **kwargs)

    def rsample(self, sample_shape=Size()):
        u = _inside(rand(self._extended_shape(sample_shape), dtype=self.logits.dtype, device=self.logits.device))
        scores = (self.logits + -((-(u.log())).log())) / self.temperature
        return scores - scores.logsumexp(dim=-1, keepdim=True)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        n = self._categorical._num_events
        logits, value = broadcast_all(self.logits, value)
        by = full_like(self.temperature, float(n)).lgamma() - self.temperature.log().mul(-(n - 1))
        score = logits - value.mul(self.temperature)
        return (score - score.logsumexp(dim=-1, keepdim=True)).sum(-1) + by


class RelaxedOneHotCategorical(_Relaxed):
    """A differentiable relaxation of OneHotCategorical (the Gumbel-softmax; Maddison et al., 2016; Jang et al., 2016).

    Samples are softmax((logits + g) / temperature) with Gumbel numbers g: positive vectors that sum to 1. As the
    temperature goes to 0 they approach one-hot vectors, with the categorical probabilities.

    Args:
        temperature: a tensor, positive.
        probs: weights of shape (..., n), not negative; they are divided by their sum. Give either this or logits.
            Default: None
        logits: log-probabilities of shape (..., n), up to a constant. Default: None
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> x = torch.distributions.RelaxedOneHotCategorical(torch.tensor(0.5), probs=torch.tensor([0.2, 0.8])).rsample()
        >>> torch.allclose(x.sum(), torch.tensor(1.))
        True
    """
    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.simplex

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        super().__init__(ExpRelaxedCategorical(temperature, probs, logits, validate_args=validate_args), ExpTransform(),
                         validate_args=validate_args)


class LogisticNormal(TransformedDistribution):
    """The logistic-normal distribution: normal vectors of size n, mapped to n + 1 numbers with sum 1 by stick breaking.

    Args:
        loc: the mean of the normal vector, of shape (..., n).
        scale: its standard deviation, of shape (..., n), positive.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> x = torch.distributions.LogisticNormal(torch.zeros(2), torch.ones(2)).sample()
        >>> x.shape, torch.allclose(x.sum(), torch.tensor(1.))
        (torch.Size([3]), True)
    """
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support, has_rsample = constraints.simplex, True

    def __init__(self, loc, scale, validate_args=None):
        from .bijections import StickBreakingTransform
        base = Normal(loc, scale, validate_args=validate_args)
        if not base.batch_shape:
            base = base.expand([1])
        super().__init__(base, StickBreakingTransform(), validate_args=validate_args)

    loc = property(lambda self: self.base_dist.base_dist.loc, doc="The mean of the normal distribution.")
    scale = property(lambda self: self.base_dist.base_dist.scale, doc="The standard deviation of the normal distribution.")
