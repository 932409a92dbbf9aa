# SPDX-License-Identifier: BSD-3-Clause
"""Distributions of matrices, and of normal vectors with a low-rank covariance."""
import math

from .. import (Size, _C, arange, broadcast_tensors, cat, diag_embed, eye, finfo, lgamma, linalg, matmul, mvlgamma, no_grad, randn, tril_indices,
                zeros)
from . import constraints
from .continuous import standard_normal
from .distribution import Distribution, ExponentialFamily, lazy_property
from .gamma import Beta, Chi2
from .multivariate import _precision_to_scale_tril, _times

__all__ = ["LKJCholesky", "LowRankMultivariateNormal", "Wishart"]


def _log_diagonal(factor):
    return factor.diagonal(dim1=-2, dim2=-1).log().sum(-1)


class LKJCholesky(Distribution):
    """The LKJ distribution of correlation matrices (Lewandowski, Kurowicka and Joe, 2009), sampled as Cholesky factors L.

    Density of C = L L^T: proportional to det(C)^(concentration - 1). 1 is uniform over correlation matrices; larger
    values favor weak correlations.

    Args:
        dim: the size n of the matrices, at least 2.
        concentration: the exponent's parameter, positive. Default: 1.0
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> L = torch.distributions.LKJCholesky(3, 2.0).sample()
        >>> C = L @ L.T
        >>> torch.allclose(C.diagonal(), torch.ones(3))
        True
    """
    arg_constraints = {"concentration": constraints.positive}

    def __init__(self, dim, concentration=1.0, validate_args=None):
        if dim < 2:
            raise ValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        from .distribution import broadcast_all
        self.dim, (self.concentration,) = dim, broadcast_all(concentration)
        batch = Size() if isinstance(concentration, (int, float)) else self.concentration.size()
        offset = arange(dim - 1, dtype=self.concentration.dtype, device=self.concentration.device)
        offset = cat([offset.new_zeros((1,)), offset])
        self._beta = Beta(offset + 0.5, (self.concentration + 0.5 * (dim - 2)).unsqueeze(-1) - 0.5 * offset)
        super().__init__(batch, Size((dim, dim)), validate_args)

    support = constraints.corr_cholesky

    def expand(self, batch_shape, _instance=None):
        new = type(self).__new__(type(self)) if _instance is None else _instance
        shape = Size(batch_shape)
        new.dim, new.concentration = self.dim, self.concentration.expand(shape)
        new._beta = self._beta.expand(shape + (self.dim,))
        Distribution.__init__(new, shape, self.event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    def sample(self, sample_shape=Size()):
        """Draw samples row by row: a random direction, with the length of the root of a beta number (the onion method).

        Args:
            sample_shape: how many draws. Default: Size(), for one
        """
        with no_grad():
            y = self._beta.sample(sample_shape).unsqueeze(-1)
            u = randn(self._extended_shape(sample_shape), dtype=y.dtype, device=y.device).tril(-1)
            u = u / u.norm(dim=-1, keepdim=True)
            u[..., 0, :].fill_(0.0)
            w = y.sqrt() * u
            rest = (1 - (w ** 2).sum(dim=-1)).clamp(min=finfo(w.dtype).tiny).sqrt()
            return w + diag_embed(rest)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        order = arange(2, self.dim + 1, device=self.concentration.device)
        order = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - order
        n = self.dim - 1
        alpha = self.concentration + 0.5 * n
        by = 0.5 * n * math.log(math.pi) + mvlgamma(alpha - 0.5, n) - lgamma(alpha) * n
        return (order * diagonal.log()).sum(dim=-1) - by


class LowRankMultivariateNormal(Distribution):
    """A normal vector of size n with the covariance W W^T + diag(d), where W has few columns.

    The density is MultivariateNormal's. Computing with an n x m matrix W takes O(n m^2) time instead of O(n^3).

    Args:
        loc: the mean, of shape (..., n).
        cov_factor: the factor W, of shape (..., n, m).
        cov_diag: the diagonal d, of shape (..., n), positive.
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> w, d = torch.tensor([[1.], [2.]]), torch.ones(2)
        >>> torch.distributions.LowRankMultivariateNormal(torch.zeros(2), w, d).covariance_matrix
        tensor([[2., 2.],
                [2., 5.]])
    """
    arg_constraints = {"loc": constraints.real_vector, "cov_factor": constraints.independent(constraints.real, 2),
                       "cov_diag": constraints.independent(constraints.positive, 1)}
    support, has_rsample = constraints.real_vector, True

    def __init__(self, loc, cov_factor, cov_diag, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        event = loc.shape[-1:]
        if cov_factor.dim() < 2:
            raise ValueError("cov_factor must be at least two-dimensional, with optional leading batch dimensions")
        if cov_factor.shape[-2:-1] != event:
            raise ValueError(f"cov_factor must be a batch of matrices with shape {event[0]} x m")
        if cov_diag.shape[-1:] != event:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {event}")
        loc, diagonal = broadcast_tensors(loc.unsqueeze(-1), cov_diag.unsqueeze(-1))[:2]
        batch = broadcast_tensors(loc, cov_factor[..., :1])[0].shape[:-2]
        self.loc, self.cov_diag = loc[..., 0].expand(batch + event), diagonal[..., 0].expand(batch + event)
        self.cov_factor = cov_factor.expand(batch + cov_factor.shape[-2:])
        self._factor, self._diagonal = cov_factor, cov_diag
        self._capacitance_tril  # factorize now, so that invalid parameters fail here, as in PyTorch
        super().__init__(batch, event, validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        shape = Size(batch_shape)
        new = LowRankMultivariateNormal(
            self.loc.expand(shape + self.event_shape), self.cov_factor.expand(shape + self.cov_factor.shape[-2:]),
            self.cov_diag.expand(shape + self.event_shape), validate_args=False)
        return self._like(new, _instance)

    @lazy_property
    def _capacitance_tril(self):
        """The Cholesky factor of I + W^T W / d."""
        product = matmul(self._factor.mT / self._diagonal.unsqueeze(-2), self._factor)
        return linalg.cholesky(product + eye(product.shape[-1], dtype=product.dtype, device=product.device))

    mean = mode = property(lambda self: self.loc)

    @lazy_property
    def variance(self):
        return (self._factor.pow(2).sum(-1) + self._diagonal).expand(self._batch_shape + self._event_shape)

    @lazy_property
    def covariance_matrix(self):
        """The covariance matrix, of shape (..., n, n)."""
        found = matmul(self._factor, self._factor.mT) + diag_embed(self._diagonal)
        return found.expand(self._batch_shape + self._event_shape * 2)

    @lazy_property
    def scale_tril(self):
        """The Cholesky factor of the covariance matrix."""
        return linalg.cholesky(self.covariance_matrix)

    @lazy_property
    def precision_matrix(self):
        """The inverse of the covariance matrix."""
        transposed = self._factor.mT / self._diagonal.unsqueeze(-2)
        part = linalg.solve_triangular(self._capacitance_tril, transposed, upper=False)
        return (diag_embed(self._diagonal.reciprocal()) - matmul(part.mT, part)).expand(self._batch_shape + self._event_shape * 2)

    def rsample(self, sample_shape=Size()):
        shape = self._extended_shape(sample_shape)
        few = standard_normal(shape[:-1] + self.cov_factor.shape[-1:], self.loc)
        each = standard_normal(shape, self.loc)
        return self.loc + _times(self._factor, few) + self._diagonal.sqrt() * each

    def _log_det(self):
        return 2 * _log_diagonal(self._capacitance_tril) + self._diagonal.log().sum(-1)

    def _distance(self, x):
        transposed = self._factor.mT / self._diagonal.unsqueeze(-2)
        part = matmul(transposed, x.unsqueeze(-1))
        less = linalg.solve_triangular(self._capacitance_tril, part, upper=False).squeeze(-1).pow(2).sum(-1)
        return (x.pow(2) / self._diagonal).sum(-1) - less

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + self._log_det() + self._distance(value - self.loc))

    def entropy(self):
        found = 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._log_det())
        return found.expand(self._batch_shape) if self._batch_shape else found


class Wishart(ExponentialFamily):
    """The Wishart distribution of n x n matrices: sums of x x^T over df normal vectors x with mean 0 and covariance V.

    Density: det(X)^((df - n - 1) / 2) exp(-trace(V^-1 X) / 2) / (2^(df n / 2) det(V)^(df / 2) Gamma_n(df / 2)), for
    positive definite X. Mean df V.

    Args:
        df: the degrees of freedom, greater than n - 1; they need not be an integer.
        covariance_matrix: V, of shape (..., n, n), positive definite. Give exactly one of the three. Default: None
        precision_matrix: the inverse of V. Default: None
        scale_tril: the Cholesky factor of V. Default: None
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> torch.distributions.Wishart(torch.tensor(3.), torch.eye(2)).mean
        tensor([[3., 0.],
                [0., 3.]])
    """
    support, has_rsample = constraints.positive_definite, True

    @property
    def arg_constraints(self):
        return {"covariance_matrix": constraints.positive_definite, "precision_matrix": constraints.positive_definite,
                "scale_tril": constraints.lower_cholesky, "df": constraints.greater_than(self._event_shape[-1] - 1)}

    def __init__(self, df, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        given = {"covariance_matrix": covariance_matrix, "precision_matrix": precision_matrix, "scale_tril": scale_tril}
        given = {name: value for name, value in given.items() if value is not None}
        if len(given) != 1:
            raise AssertionError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        name, matrix = next(iter(given.items()))
        if matrix.dim() < 2:
            raise ValueError("scale_tril must be at least two-dimensional, with optional leading batch dimensions")
        event = matrix.shape[-2:]
        df = df if isinstance(df, _C.Tensor) else _C.tensor(df, dtype=matrix.dtype, device=matrix.device)
        batch = broadcast_tensors(df, matrix[..., 0, 0])[0].shape
        self.df = df.expand(batch)
        setattr(self, name, matrix.expand(batch + event))
        if bool((df <= event[-1] - 1).any()):
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {event[-1] - 1}.")
        super().__init__(batch, event, validate_args=validate_args)  # validates before a factorization can fail
        self._unbroadcasted_scale_tril = (scale_tril if scale_tril is not None else linalg.cholesky(covariance_matrix)
                                          if covariance_matrix is not None else _precision_to_scale_tril(precision_matrix))
        self._dist_chi2 = Chi2(self.df.unsqueeze(-1) - arange(event[-1], dtype=matrix.dtype, device=matrix.device).expand(
            batch + event[-1:]))

    _params = ("df", "covariance_matrix", "precision_matrix", "scale_tril")

    def expand(self, batch_shape, _instance=None):
        new = super().expand(batch_shape, _instance)
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril
        # One distribution per diagonal element: one dim more than the batch.
        new._dist_chi2 = self._dist_chi2.expand(Size(batch_shape) + self._event_shape[-1:])
        return new

    @lazy_property
    def scale_tril(self):
        """The Cholesky factor of V."""
        return self._unbroadcasted_scale_tril.expand(self._batch_shape + self._event_shape)

    @lazy_property
    def covariance_matrix(self):
        """The matrix V."""
        factor = self._unbroadcasted_scale_tril
        return matmul(factor, factor.mT).expand(self._batch_shape + self._event_shape)

    @lazy_property
    def precision_matrix(self):
        """The inverse of V."""
        return self._unbroadcasted_scale_tril.cholesky_inverse().expand(self._batch_shape + self._event_shape)

    mean = property(lambda self: self.df.view(self._batch_shape + (1, 1)) * self.covariance_matrix)

    @property
    def mode(self):
        factor = self.df - self.covariance_matrix.shape[-1] - 1
        factor = factor.masked_fill(factor <= 0, math.nan)
        return factor.view(self._batch_shape + (1, 1)) * self.covariance_matrix

    @property
    def variance(self):
        v = self.covariance_matrix
        diagonal = v.diagonal(dim1=-2, dim2=-1)
        return self.df.view(self._batch_shape + (1, 1)) * (v.pow(2) + diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2))

    def rsample(self, sample_shape=Size(), max_try_correction=None):
        """Draw samples, differentiable by the parameters.

        Rounding can make a sample singular. To use the same random numbers as PyTorch, this redraws in the same way: first
        the samples that passed the check, and then only those that failed.

        Args:
            sample_shape: how many draws. Default: Size(), for one
            max_try_correction: how often to redraw. Default: None, for 3 if n > 3, else 10
        """
        tries = max_try_correction if max_try_correction is not None else 3 if self._event_shape[-1] > 3 else 10
        sample = self._drawn(sample_shape)
        again = self._anywhere(self.support.check(sample))
        for _ in range(tries):
            if not bool(again.any()):
                break
            new = self._drawn(again[again].shape)
            sample[again] = new
            again[again.clone()] = self._anywhere(~self.support.check(new))
        return sample

    def _anywhere(self, seen):
        return seen.amax([-1 - d for d in range(len(self._batch_shape))]) if self._batch_shape else seen

    def _drawn(self, sample_shape):
        """Draw by Bartlett's decomposition: roots of chi-squared numbers on the diagonal, normal numbers below."""
        p = self._event_shape[-1]
        noise = diag_embed(self._dist_chi2.rsample(sample_shape).sqrt(), dim1=-2, dim2=-1)
        i, j = tril_indices(p, p, offset=-1)
        below = randn(Size(sample_shape) + self._batch_shape + (p * (p - 1) // 2,), dtype=noise.dtype, device=noise.device)
        lower = zeros(noise.shape, dtype=noise.dtype, device=noise.device)
        lower[..., i, j] = below
        factor = matmul(self._unbroadcasted_scale_tril, noise + lower)
        return matmul(factor, factor.mT)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        nu, p = self.df, self._event_shape[-1]
        trace = _C.cholesky_solve(value, self._unbroadcasted_scale_tril).diagonal(dim1=-2, dim2=-1).sum(dim=-1)
        return (-nu * (p * math.log(2) / 2 + _log_diagonal(self._unbroadcasted_scale_tril)) - mvlgamma(nu / 2, p)
                + (nu - p - 1) / 2 * linalg.slogdet(value).logabsdet - trace / 2)

    def entropy(self):
        nu, p = self.df, self._event_shape[-1]
        places = (nu.unsqueeze(-1) - arange(p, dtype=nu.dtype, device=nu.device)) / 2
        return ((p + 1) * (p * math.log(2) / 2 + _log_diagonal(self._unbroadcasted_scale_tril)) + mvlgamma(nu / 2, p)
                - (nu - p - 1) / 2 * places.digamma().sum(-1) + nu * p / 2)

    _mean_carrier_measure = 0

    @property
    def _natural_params(self):
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, x, y):
        p = self._event_shape[-1]
        half = y + (p + 1) / 2
        return half * (math.log(2) * p - linalg.slogdet(-2 * x).logabsdet) + mvlgamma(half, p)
