# SPDX-License-Identifier: BSD-3-Clause
"""Distributions of counts and categories, given by probabilities or by logits."""
from .. import Size, Tensor, arange, bernoulli, binomial, broadcast_tensors, eye, finfo, lgamma, multinomial, nan, no_grad, poisson
from ..nn.functional import binary_cross_entropy_with_logits
from . import constraints
from .continuous import _Simple
from .distribution import Distribution, ExponentialFamily, broadcast_all, lazy_property

__all__ = ["Bernoulli", "Binomial", "Categorical", "Geometric", "OneHotCategorical", "OneHotCategoricalStraightThrough", "Poisson"]


def clamp_probs(probs):
    """Return probabilities kept an epsilon of their dtype away from 0 and 1, so that logarithms are finite.

    Args:
        probs: the probabilities.
    """
    eps = finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs, is_binary=False):
    """Return logits: log(p / (1 - p)) for binary probabilities, log(p) for those of categories.

    Args:
        probs: the probabilities.
        is_binary: whether each is the probability of a binary event. Default: False
    """
    sure = clamp_probs(probs)
    return sure.log() - (-sure).log1p() if is_binary else sure.log()


def logits_to_probs(logits, is_binary=False):
    """Return probabilities: the sigmoid of binary logits, the softmax along the last dim for categories.

    Args:
        logits: the logits.
        is_binary: whether each is the logit of a binary event. Default: False
    """
    return logits.sigmoid() if is_binary else logits.softmax(-1)


def one_hot(index, classes, like):
    """Return one-hot vectors for indices."""
    return like.new_zeros(index.shape + (classes,)).scatter_(-1, index.unsqueeze(-1), 1)


def cross_entropy(logits, probs):
    """Return the cross entropy of a Bernoulli variable: -(p log q + (1 - p) log(1 - q)), with q given by logits."""
    return binary_cross_entropy_with_logits(logits, probs, reduction="none")


class _Binary(Distribution):
    """A distribution with one probability parameter, given directly or as a logit."""
    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    _params = ("probs", "logits")

    def _choose(self, probs, logits, validate_args):
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        name, value = ("probs", probs) if logits is None else ("logits", logits)
        (made,) = broadcast_all(value)
        setattr(self, name, made)
        Distribution.__init__(self, made.size() if isinstance(value, Tensor) else Size(), validate_args=validate_args)

    @lazy_property
    def logits(self):
        return probs_to_logits(self.probs, is_binary=True)

    @lazy_property
    def probs(self):
        return logits_to_probs(self.logits, is_binary=True)

    @property
    def _param(self):
        return self.__dict__["probs"] if "probs" in self.__dict__ else self.logits

    @property
    def param_shape(self):
        return self._param.size()

    def _new(self, *args, **kwargs):
        return self._param.new(*args, **kwargs)


class Bernoulli(_Binary, ExponentialFamily):
    """The Bernoulli distribution: 1 with probability probs, otherwise 0.

    Probability: probs^x (1 - probs)^(1 - x), for x in {0, 1}. Mean probs, variance probs (1 - probs).

    Args:
        probs: the probability of 1. Give either this or logits. Default: None
        logits: log(probs / (1 - probs)). Default: None
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> coin = torch.distributions.Bernoulli(probs=torch.tensor(0.25))
        >>> coin.log_prob(torch.tensor([0., 1.])).exp(), coin.variance
        (tensor([0.7500, 0.2500]), tensor(0.1875))
        >>> torch.distributions.Bernoulli(logits=torch.tensor(0.)).probs
        tensor(0.5000)
    """
    support, has_enumerate_support = constraints.boolean, True

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._choose(probs, logits, validate_args)

    mean = property(lambda self: self.probs)
    variance = property(lambda self: self.probs * (1 - self.probs))

    @property
    def mode(self):
        made = (self.probs >= 0.5).to(self.probs)
        made[self.probs == 0.5] = nan
        return made

    def sample(self, sample_shape=Size()):
        with no_grad():
            return bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -cross_entropy(logits, value)

    def entropy(self):
        return cross_entropy(self.logits, self.probs)

    _mean_carrier_measure = 0
    _natural_params = property(lambda self: (self.logits,))

    def _log_normalizer(self, x):
        return x.exp().log1p()

    def enumerate_support(self, expand=True):
        values = arange(2, dtype=self._param.dtype).view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + self._batch_shape) if expand else values


class Geometric(_Binary):
    """The geometric distribution: the number of failures before the first success.

    Probability: (1 - probs)^x probs, for x = 0, 1, 2, ... Mean 1 / probs - 1, variance (1 / probs - 1) / probs.

    Args:
        probs: the probability of success, in (0, 1]. Give either this or logits. Default: None
        logits: log(probs / (1 - probs)). Default: None
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> failures = torch.distributions.Geometric(torch.tensor(0.25))
        >>> failures.log_prob(torch.tensor([0., 1.])).exp(), failures.mean
        (tensor([0.2500, 0.1875]), tensor(3.))
    """
    support = constraints.nonnegative_integer

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._choose(probs, logits, validate_args)
        if self._validate_args and probs is not None and not bool((self.probs > 0).all()):
            raise ValueError(f"Expected parameter probs (Tensor of shape {tuple(self.probs.shape)}) of distribution {self!r} to be positive "
                             f"but found invalid values:\n{self.probs[~(self.probs > 0)]}")

    mean = property(lambda self: 1.0 / self.probs - 1.0)
    mode = property(lambda self: self.probs * 0)
    variance = property(lambda self: (1.0 / self.probs - 1.0) / self.probs)

    def sample(self, sample_shape=Size()):
        with no_grad():
            u = self.probs.new_empty(self._extended_shape(sample_shape)).uniform_(finfo(self.probs.dtype).tiny, 1)
            return (u.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        value, probs = broadcast_all(value, self.probs)
        probs = probs.clone()
        probs[(probs == 1) & (value == 0)] = 0
        return value * (-probs).log1p() + self.probs.log()

    def entropy(self):
        return cross_entropy(self.logits, self.probs) / self.probs


class Poisson(_Simple, ExponentialFamily):
    """The Poisson distribution: the number of events in an interval, if they occur independently at a constant rate.

    Probability: rate^x exp(-rate) / x!, for x = 0, 1, 2, ... Mean and variance rate.

    Args:
        rate: the expected number, at least 0.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> torch.distributions.Poisson(torch.tensor(1.)).log_prob(torch.tensor([0., 1., 2.])).exp()
        tensor([0.3679, 0.3679, 0.1839])
    """
    arg_constraints, support, has_rsample = {"rate": constraints.nonnegative}, constraints.nonnegative_integer, False

    def __init__(self, rate, validate_args=None):
        self._set(validate_args, rate=rate)

    mean = variance = property(lambda self: self.rate)
    mode = property(lambda self: self.rate.floor())

    def sample(self, sample_shape=Size()):
        with no_grad():
            return poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        rate, value = broadcast_all(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()

    _natural_params = property(lambda self: (self.rate.log(),))

    def _log_normalizer(self, x):
        return x.exp()


class Binomial(_Binary):
    """The binomial distribution: the number of successes in total_count independent trials.

    Probability: C(n, x) probs^x (1 - probs)^(n - x), for x = 0, ..., n = total_count. Mean n probs, variance n probs (1 - probs).

    Args:
        total_count: the number of trials, an int or a tensor. Default: 1
        probs: the probability of success. Give either this or logits. Default: None
        logits: log(probs / (1 - probs)). Default: None
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> heads = torch.distributions.Binomial(2, torch.tensor(0.5))
        >>> heads.log_prob(torch.tensor([0., 1., 2.])).exp()
        tensor([0.2500, 0.5000, 0.2500])
    """
    arg_constraints = {"total_count": constraints.nonnegative_integer, "probs": constraints.unit_interval, "logits": constraints.real}
    _params, has_enumerate_support = ("total_count", "probs", "logits"), True

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        name, value = ("probs", probs) if logits is None else ("logits", logits)
        self.total_count, made = broadcast_all(total_count, value)
        self.total_count = self.total_count.type_as(made)
        setattr(self, name, made)
        Distribution.__init__(self, made.size(), validate_args=validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        return constraints.integer_interval(0, self.total_count)

    mean = property(lambda self: self.total_count * self.probs)
    mode = property(lambda self: ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count))
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    def sample(self, sample_shape=Size()):
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        n, logits = self.total_count, self.logits
        ways = lgamma(n + 1) - lgamma(value + 1) - lgamma(n - value + 1)
        # max(logits, 0) with the derivative 1/2 at 0, where clamp's is 1: a layer whose weights start at 0 has such logits.
        above = (logits.clamp(min=0) + logits - logits.clamp(max=0)) / 2
        return ways + value * logits - n * (above + (-logits.abs()).exp().log1p())

    def entropy(self):
        total = int(self.total_count.max())
        if not bool((self.total_count == total).all()):
            raise NotImplementedError("Inhomogeneous total count not supported by `entropy`.")
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(log_prob.exp() * log_prob).sum(0)

    def enumerate_support(self, expand=True):
        total = int(self.total_count.max())
        if not bool((self.total_count == total).all()):
            raise NotImplementedError("Inhomogeneous total count not supported by `enumerate_support`.")
        values = arange(1 + total, dtype=self._param.dtype).view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + self._batch_shape) if expand else values


class Categorical(Distribution):
    """The categorical distribution: an index from 0 to n - 1, with a probability for each.

    Probability: probs[x]. Samples are int64 indices. mean and variance are NaN, since indices are names, not amounts.

    Args:
        probs: weights of shape (..., n), not negative; they are divided by their sum. Give either this or logits.
            Default: None
        logits: log-probabilities of shape (..., n), up to a constant. Default: None
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> die = torch.distributions.Categorical(torch.tensor([1., 1., 2.]))
        >>> die.probs, die.log_prob(torch.tensor(2)).exp()
        (tensor([0.2500, 0.2500, 0.5000]), tensor(0.5000))
        >>> die.entropy()  # 0.25 log 4 + 0.25 log 4 + 0.5 log 2
        tensor(1.0397)
    """
    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support, _params = True, ("probs", "logits")

    def __init__(self, probs=None, logits=None, validate_args=None):
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        given = logits if probs is None else probs
        if given.dim() < 1:
            raise ValueError(f"`{'logits' if probs is None else 'probs'}` parameter must be at least one-dimensional.")
        if probs is not None:
            self.probs = probs / probs.sum(-1, keepdim=True)
        else:
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
        self._num_events = given.size()[-1]
        Distribution.__init__(self, given.size()[:-1], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        new = super().expand(batch_shape, _instance)
        new._num_events = self._num_events
        return new

    @lazy_property
    def logits(self):
        """The logarithms of the probabilities of the classes."""
        return probs_to_logits(self.probs)

    @lazy_property
    def probs(self):
        """The probabilities of the classes."""
        return logits_to_probs(self.logits)

    @property
    def _param(self):
        return self.__dict__["probs"] if "probs" in self.__dict__ else self.logits

    @property
    def param_shape(self):
        """The shape of the parameter that was given."""
        return self._param.size()

    def _new(self, *args, **kwargs):
        return self._param.new(*args, **kwargs)

    def _new(self, *args, **kwargs):
        return self._param.new(*args, **kwargs)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        return constraints.integer_interval(0, self._num_events - 1)

    mean = variance = property(lambda self: self._param.new_full(self._extended_shape(), nan))
    mode = property(lambda self: self.probs.argmax(dim=-1))

    def sample(self, sample_shape=Size()):
        sample_shape = Size(sample_shape)
        rows = self.probs.reshape(-1, self._num_events)
        drawn = multinomial(rows, sample_shape.numel(), True).T
        return drawn.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        value, logits = broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return logits.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        logits = self.logits.clamp(min=finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand=True):
        values = arange(self._num_events, device=self._param.device).view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + self._batch_shape) if expand else values


class OneHotCategorical(Distribution):
    """The categorical distribution with samples as one-hot vectors: 1 at the drawn index, 0 elsewhere.

    Mean probs, variance probs (1 - probs).

    Args:
        probs: weights of shape (..., n), not negative; they are divided by their sum. Give either this or logits.
            Default: None
        logits: log-probabilities of shape (..., n), up to a constant. Default: None
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> die = torch.distributions.OneHotCategorical(torch.tensor([0.25, 0.75]))
        >>> die.log_prob(torch.tensor([0., 1.])).exp()
        tensor(0.7500)
    """
    arg_constraints, support = {"probs": constraints.simplex, "logits": constraints.real_vector}, constraints.one_hot
    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits)
        Distribution.__init__(self, self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        new = type(self).__new__(type(self)) if _instance is None else _instance
        new._categorical = self._categorical.expand(batch_shape)
        Distribution.__init__(new, batch_shape, self.event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    probs = mean = property(lambda self: self._categorical.probs, doc="The probabilities of the classes.")
    logits = property(lambda self: self._categorical.logits, doc="The logarithms of the probabilities of the classes.")
    param_shape = property(lambda self: self._categorical.param_shape, doc="The shape of the parameter that was given.")
    _param = property(lambda self: self._categorical._param)

    def _new(self, *args, **kwargs):
        return self._categorical._new(*args, **kwargs)

    variance = property(lambda self: self.probs * (1 - self.probs))
    mode = property(lambda self: one_hot(self.probs.argmax(dim=-1), self.probs.shape[-1], self.probs))

    def sample(self, sample_shape=Size()):
        drawn = self._categorical.sample(Size(sample_shape))
        return one_hot(drawn, self._categorical._num_events, self._categorical._param)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self):
        return self._categorical.entropy()

    def enumerate_support(self, expand=True):
        n, param = self.event_shape[0], self._categorical._param
        values = eye(n, dtype=param.dtype, device=param.device)
        values = values.view((n,) + (1,) * len(self._batch_shape) + (n,))
        return values.expand((n,) + self._batch_shape + (n,)) if expand else values

    def __repr__(self):
        return Distribution.__repr__(self)


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """OneHotCategorical with differentiable samples, by the straight-through estimator (Bengio et al., 2013).

    rsample() returns one-hot vectors; backward treats them as if they were probs. The gradient is biased, but often useful.

    Args:
        probs, logits, validate_args: as for OneHotCategorical.
    """
    has_rsample = True

    def rsample(self, sample_shape=Size()):
        probs = self._categorical.probs
        return self.sample(sample_shape) + (probs - probs.detach())
