# SPDX-License-Identifier: BSD-3-Clause
"""The multivariate normal and multinomial distributions."""
import math

from .. import Size, broadcast_shapes, eye, linalg, matmul, no_grad
from . import constraints
from .continuous import standard_normal
from .discrete import Binomial, Categorical
from .distribution import Distribution, broadcast_all, lazy_property

__all__ = ["Multinomial", "MultivariateNormal"]


def _times(matrix, vector):
    return matmul(matrix, vector.unsqueeze(-1)).squeeze(-1)


class MultivariateNormal(Distribution):
    """A normal vector of size n, given by its covariance C, the inverse of C, or a lower triangular L with C = L L^T.

    Density: exp(-(x - loc)^T C^-1 (x - loc) / 2) / sqrt((2 pi)^n det(C)), for all real vectors x. scale_tril is the
    cheapest form: the others are factorized first.

    Args:
        loc: the mean, of shape (..., n).
        covariance_matrix: C, of shape (..., n, n), positive definite. Give exactly one of the three. Default: None
        precision_matrix: the inverse of C. Default: None
        scale_tril: L, with a positive diagonal. Default: None
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> x = torch.distributions.MultivariateNormal(torch.zeros(2), torch.tensor([[4., 0.], [0., 9.]]))
        >>> x.scale_tril
        tensor([[2., 0.],
                [0., 3.]])
        >>> x.log_prob(torch.zeros(2)).exp()  # 1 / (2 pi * 6)
        tensor(0.0265)
    """
    arg_constraints = {"loc": constraints.real_vector, "covariance_matrix": constraints.positive_definite,
                       "precision_matrix": constraints.positive_definite, "scale_tril": constraints.lower_cholesky}
    support, has_rsample = constraints.real_vector, True

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        given = {"covariance_matrix": covariance_matrix, "precision_matrix": precision_matrix, "scale_tril": scale_tril}
        given = {name: value for name, value in given.items() if value is not None}
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        if len(given) != 1:
            raise ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        (name, matrix), = given.items()
        if matrix.dim() < 2:
            raise ValueError(f"{name} must be at least two-dimensional, with optional leading batch dimensions")
        batch = broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand(batch + (-1, -1)))
        self.loc = loc.expand(batch + (-1,))
        Distribution.__init__(self, batch, self.loc.shape[-1:], validate_args=validate_args)
        if name == "scale_tril":
            self._unbroadcasted_scale_tril = scale_tril
        elif name == "covariance_matrix":
            self._unbroadcasted_scale_tril = linalg.cholesky(covariance_matrix)
        else:
            self._unbroadcasted_scale_tril = _precision_to_scale_tril(precision_matrix)

    _params = ("loc", "covariance_matrix", "precision_matrix", "scale_tril")

    def expand(self, batch_shape, _instance=None):
        new = super().expand(batch_shape, _instance)
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril
        return new

    @lazy_property
    def scale_tril(self):
        """The Cholesky factor L of the covariance matrix."""
        return self._unbroadcasted_scale_tril.expand(self._batch_shape + self._event_shape * 2)

    @lazy_property
    def covariance_matrix(self):
        """The covariance matrix C."""
        factor = self._unbroadcasted_scale_tril
        return matmul(factor, factor.mT).expand(self._batch_shape + self._event_shape * 2)

    @lazy_property
    def precision_matrix(self):
        """The inverse of the covariance matrix."""
        return self._unbroadcasted_scale_tril.cholesky_inverse().expand(self._batch_shape + self._event_shape * 2)

    mean = mode = property(lambda self: self.loc)
    variance = property(lambda self: self._unbroadcasted_scale_tril.pow(2).sum(-1).expand(self._batch_shape + self._event_shape))

    def rsample(self, sample_shape=Size()):
        return self.loc + _times(self._unbroadcasted_scale_tril, standard_normal(self._extended_shape(sample_shape), self.loc))

    def _half_log_det(self):
        return self._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        apart = (value - self.loc).unsqueeze(-1)
        distance = linalg.solve_triangular(self._unbroadcasted_scale_tril, apart, upper=False).squeeze(-1).pow(2).sum(-1)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + distance) - self._half_log_det()

    def entropy(self):
        found = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._half_log_det()
        return found if not self._batch_shape else found.expand(self._batch_shape)


def _precision_to_scale_tril(precision):
    """Return the Cholesky factor of the inverse of a matrix."""
    flipped = linalg.cholesky(precision.flip((-2, -1)))
    factor = flipped.flip((-2, -1)).mT
    return linalg.solve_triangular(factor, eye(precision.shape[-1], dtype=precision.dtype, device=precision.device), upper=False)


class Multinomial(Distribution):
    """The multinomial distribution: how often each of n categories occurs in total_count independent draws.

    Probability: N! / prod x[i]! * prod probs[i]^x[i], for counts x that sum to N = total_count. Mean N probs, variance N
    probs (1 - probs).

    Args:
        total_count: the number N of draws, an int. Default: 1
        probs: weights of shape (..., n), not negative; they are divided by their sum. Give either this or logits.
            Default: None
        logits: log-probabilities of shape (..., n), up to a constant. Default: None
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> counts = torch.distributions.Multinomial(2, torch.tensor([0.5, 0.5]))
        >>> counts.mean, counts.log_prob(torch.tensor([1., 1.])).exp()
        (tensor([1., 1.]), tensor(0.5000))
    """
    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count, self._categorical = total_count, Categorical(probs=probs, logits=logits)
        self._binomial = Binomial(total_count=total_count, probs=self.probs)
        Distribution.__init__(self, self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        new = Multinomial(self.total_count, probs=self.probs.expand(Size(batch_shape) + self.event_shape), validate_args=False)
        return self._like(new, _instance)

    probs = property(lambda self: self._categorical.probs, doc="The probabilities of the classes.")
    logits = property(lambda self: self._categorical.logits, doc="The logarithms of the probabilities of the classes.")
    param_shape = property(lambda self: self._categorical.param_shape, doc="The shape of the parameter that was given.")

    def _new(self, *args, **kwargs):
        return self._categorical._new(*args, **kwargs)

    mean = property(lambda self: self.probs * self.total_count)
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self):
        return constraints.multinomial(self.total_count)

    def sample(self, sample_shape=Size()):
        with no_grad():
            drawn = self._categorical.sample(Size((self.total_count,)) + Size(sample_shape))
            drawn = drawn.permute(*range(1, drawn.dim()), 0)
            counts = drawn.new_zeros(self._extended_shape(sample_shape))
            return counts.scatter_add_(-1, drawn, drawn.new_ones(drawn.shape)).type_as(self.probs)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        logits = logits.clone()
        logits[(value == 0) & (logits == -math.inf)] = 0
        return (value.sum(-1) + 1).lgamma() - (value + 1).lgamma().sum(-1) + (logits * value).sum(-1)

    def entropy(self):
        from .. import lgamma, tensor
        n = tensor(self.total_count, dtype=self.probs.dtype)
        categorical = self._categorical.entropy()
        support = self._binomial.enumerate_support(expand=False)[1:]
        return n * categorical - lgamma(n + 1) + (self._binomial.log_prob(support).exp() * (support + 1).lgamma()).sum([0, -1])
