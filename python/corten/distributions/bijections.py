# SPDX-License-Identifier: BSD-3-Clause
"""Transforms of vectors and matrices, and the registries that map constraints to transforms: `biject_to`, `transform_to`."""
import math

from .. import _C, cat, cumprod, diag_embed, linalg, stack
from ..nn.functional import pad, softplus
from . import constraints
from .transforms import (AffineTransform, ComposeTransform, ExpTransform, IndependentTransform, SigmoidTransform, Transform,
                         _Simple, _sum_last, identity_transform)

__all__ = ["CatTransform", "CorrCholeskyTransform", "CumulativeDistributionTransform", "LowerCholeskyTransform",
           "PositiveDefiniteTransform", "ReshapeTransform", "SoftmaxTransform", "StackTransform", "StickBreakingTransform",
           "biject_to", "transform_to"]


class ReshapeTransform(Transform):
    """Reshape the last dims.

    Args:
        in_shape, out_shape: the shapes of the last dims of x and of y, with equally many elements.
        cache_size: 0 or 1; see Transform. Default: 0
    """
    bijective = True

    def __init__(self, in_shape, out_shape, cache_size=0):
        self.in_shape, self.out_shape = _C.Size(in_shape), _C.Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise ValueError("in_shape, out_shape have different numbers of elements")
        super().__init__(cache_size)

    @constraints.dependent_property(is_discrete=False)
    def domain(self):
        """The set of inputs of the transform, as a constraint."""
        return constraints.independent(constraints.real, len(self.in_shape))

    @constraints.dependent_property(is_discrete=False)
    def codomain(self):
        """The set of outputs of the transform, as a constraint."""
        return constraints.independent(constraints.real, len(self.out_shape))

    def with_cache(self, cache_size=1):
        return self if self._cache_size == cache_size else ReshapeTransform(self.in_shape, self.out_shape, cache_size=cache_size)

    def _call(self, x):
        return x.reshape(x.shape[:x.dim() - len(self.in_shape)] + self.out_shape)

    def _inverse(self, y):
        return y.reshape(y.shape[:y.dim() - len(self.out_shape)] + self.in_shape)

    def log_abs_det_jacobian(self, x, y):
        return x.new_zeros(x.shape[:x.dim() - len(self.in_shape)])

    def forward_shape(self, shape):
        return self._swapped(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape):
        return self._swapped(shape, self.out_shape, self.in_shape)

    @staticmethod
    def _swapped(shape, old, new):
        if len(shape) < len(old):
            raise ValueError("Too few dimensions on input")
        cut = len(shape) - len(old)
        if tuple(shape[cut:]) != tuple(old):
            raise ValueError(f"Shape mismatch: expected {tuple(shape[cut:])} but got {old}")
        return shape[:cut] + new


class CumulativeDistributionTransform(Transform):
    """y = cdf(x) of a distribution, from its support to (0, 1).

    Args:
        distribution: a distribution with cdf and icdf.
        cache_size: 0 or 1; see Transform. Default: 0
    """
    bijective, sign, codomain = True, 1, constraints.unit_interval

    def __init__(self, distribution, cache_size=0):
        super().__init__(cache_size)
        self.distribution = distribution

    domain = property(lambda self: self.distribution.support, doc="The support of the distribution.")

    def with_cache(self, cache_size=1):
        return self if self._cache_size == cache_size else CumulativeDistributionTransform(self.distribution, cache_size=cache_size)

    def _call(self, x):
        return self.distribution.cdf(x)

    def _inverse(self, y):
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x, y):
        return self.distribution.log_prob(x)


class SoftmaxTransform(_Simple):
    """y = softmax(x) along the last dim. It is not bijective: a constant added to x changes nothing, and inv returns log(y).

    Args:
        cache_size: 0 or 1; see Transform. Default: 0
    """
    domain, codomain = constraints.real_vector, constraints.simplex

    def _call(self, x):
        shares = (x - x.max(-1, True)[0]).exp()
        return shares / shares.sum(-1, True)

    def _inverse(self, y):
        return y.log()

    def forward_shape(self, shape):
        if len(shape) < 1:
            raise ValueError("Too few dimensions on input")
        return shape

    inverse_shape = forward_shape


class StickBreakingTransform(_Simple):
    """Map real vectors of size n to n + 1 positive numbers that sum to 1 (stick breaking).

    y[i] = s[i] (1 - s[0]) ... (1 - s[i - 1]) with s[i] = sigmoid(x[i] - log(n - i)): each element takes a share of
    the remainder of a stick of length 1, and the last one takes the rest. x = 0 gives equal shares.

    Args:
        cache_size: 0 or 1; see Transform. Default: 0

        >>> torch.distributions.StickBreakingTransform()(torch.zeros(3))
        tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """
    bijective, domain, codomain = True, constraints.real_vector, constraints.simplex

    def _offset(self, n, like):
        return (n + 1 - like.new_ones(n).cumsum(-1)).log()

    def _call(self, x):
        part = (x - self._offset(x.shape[-1], x)).sigmoid()
        return pad(part, [0, 1], value=1) * pad(cumprod(1 - part, -1), [1, 0], value=1)

    def _inverse(self, y):
        cropped = y[..., :-1]
        left = (1 - cropped.cumsum(-1)).clamp(min=_C.finfo(y.dtype).tiny)
        return cropped.log() - left.log() + self._offset(cropped.shape[-1], y)

    def log_abs_det_jacobian(self, x, y):
        x = x - self._offset(x.shape[-1], x)
        return (y[..., :-1].log() - softplus(x)).sum(-1)

    def forward_shape(self, shape):
        if len(shape) < 1:
            raise ValueError("Too few dimensions on input")
        return shape[:-1] + (shape[-1] + 1,)

    def inverse_shape(self, shape):
        if len(shape) < 1:
            raise ValueError("Too few dimensions on input")
        return shape[:-1] + (shape[-1] - 1,)


class LowerCholeskyTransform(_Simple):
    """Map square matrices to lower triangular ones with a positive diagonal: exp of the diagonal, and zeros above it.

    Args:
        cache_size: 0 or 1; see Transform. Default: 0
    """
    domain, codomain = constraints.independent(constraints.real, 2), constraints.lower_cholesky

    def _call(self, x):
        return x.tril(-1) + diag_embed(x.diagonal(dim1=-2, dim2=-1).exp())

    def _inverse(self, y):
        return y.tril(-1) + diag_embed(y.diagonal(dim1=-2, dim2=-1).log())


class PositiveDefiniteTransform(_Simple):
    """Map square matrices to positive definite ones: y = L L^T with L from LowerCholeskyTransform.

    Args:
        cache_size: 0 or 1; see Transform. Default: 0
    """
    domain, codomain = constraints.independent(constraints.real, 2), constraints.positive_definite

    def _call(self, x):
        x = LowerCholeskyTransform()(x)
        return x @ x.mT

    def _inverse(self, y):
        return LowerCholeskyTransform()._inverse(linalg.cholesky(y))


class CorrCholeskyTransform(_Simple):
    """Map vectors of size n (n - 1) / 2 to Cholesky factors of n x n correlation matrices, row by row.

    Args:
        cache_size: 0 or 1; see Transform. Default: 0
    """
    bijective, domain, codomain = True, constraints.real_vector, constraints.corr_cholesky

    def _call(self, x):
        eps = _C.finfo(x.dtype).eps
        r = _lower(x.tanh().clamp(min=-1 + eps, max=1 - eps))
        left = (1 - r ** 2).sqrt().cumprod(-1)
        r = r + diag_embed(r.new_ones(r.shape[:-1]))
        return r * pad(left[..., :-1], [1, 0], value=1)

    def _inverse(self, y):
        left = 1 - (y * y).cumsum(-1)
        x = _below(y) / _below(pad(left[..., :-1], [1, 0], value=1)).sqrt()
        return (x.log1p() - (-x).log1p()) / 2

    def log_abs_det_jacobian(self, x, y, intermediates=None):
        left = 1 - (y * y).cumsum(-1)
        stick = 0.5 * _below(left, -2).log().sum(-1)
        return stick - 2 * (x + softplus(-2 * x) - math.log(2.0)).sum(-1)

    def forward_shape(self, shape):
        if len(shape) < 1:
            raise ValueError("Too few dimensions on input")
        n = round((0.25 + 2 * shape[-1]) ** 0.5 + 0.5)
        if n * (n - 1) // 2 != shape[-1]:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return shape[:-1] + (n, n)

    def inverse_shape(self, shape):
        if len(shape) < 2:
            raise ValueError("Too few dimensions on input")
        if shape[-2] != shape[-1]:
            raise ValueError("Input is not square")
        return shape[:-2] + (shape[-1] * (shape[-1] - 1) // 2,)


def _lower(values):
    """Return strictly lower triangular matrices whose elements are listed row by row in a vector."""
    from .utils import vec_to_tril_matrix
    return vec_to_tril_matrix(values, diag=-1)


def _below(matrix, diagonal=-1):
    from .utils import tril_matrix_to_vec
    return tril_matrix_to_vec(matrix, diag=diagonal)


def _fits(name, x, dim, expected, what):
    """Check that `x` (the message calls it `name`) has the size `expected` along a dim."""
    if not -x.dim() <= dim < x.dim():
        raise AssertionError(f"dim {dim} out of range for tensor with {x.dim()} dimensions")
    if x.size(dim) != expected:
        raise AssertionError(f"{name}.size({dim}) = {x.size(dim)} must equal {what} {expected}")


class _Several(Transform):
    """Transforms of the parts of a tensor along a dim."""

    def __init__(self, tseq, dim, cache_size):
        if not all(isinstance(t, Transform) for t in tseq):
            raise AssertionError("All elements of tseq must be Transform instances")
        super().__init__(cache_size)
        self.transforms = [t.with_cache(cache_size) for t in tseq] if cache_size else list(tseq)
        self.dim = dim

    bijective = property(lambda self: all(t.bijective for t in self.transforms))

    @constraints.dependent_property
    def domain(self):
        return self._set([t.domain for t in self.transforms])

    @constraints.dependent_property
    def codomain(self):
        return self._set([t.codomain for t in self.transforms])

    def _call(self, x):
        return self._join([t(part) for t, part in zip(self.transforms, self._parts("x", x))])

    def _inverse(self, y):
        return self._join([t.inv(part) for t, part in zip(self.transforms, self._parts("y", y))])


class CatTransform(_Several):
    """Apply a transform to each of several parts of a tensor along a dim.

    Args:
        tseq: the transforms.
        dim: the dim. Default: 0
        lengths: the size of each part. Default: None, for 1 each
        cache_size: 0 or 1; see Transform. Default: 0
    """

    def __init__(self, tseq, dim=0, lengths=None, cache_size=0):
        super().__init__(tseq, dim, cache_size)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise AssertionError(f"lengths ({len(self.lengths)}) must match transforms ({len(self.transforms)})")

    event_dim = property(lambda self: max(t.event_dim for t in self.transforms))
    length = property(lambda self: sum(self.lengths), doc="The size of the dim that the parts share.")

    def with_cache(self, cache_size=1):
        if self._cache_size == cache_size:
            return self
        return CatTransform(self.transforms, self.dim, self.lengths, cache_size)

    def _set(self, sets):
        return constraints.cat(sets, self.dim, self.lengths)

    def _parts(self, name, x):
        _fits(name, x, self.dim, self.length, "length")
        return x.split(self.lengths, self.dim)

    def _join(self, parts):
        return cat(parts, dim=self.dim)

    def log_abs_det_jacobian(self, x, y):
        found = []
        for t, a, b in zip(self.transforms, self._parts("x", x), self._parts("y", y)):
            found.append(_sum_last(t.log_abs_det_jacobian(a, b), self.event_dim - t.event_dim))
        dim = self.dim - x.dim() if self.dim >= 0 else self.dim
        dim += self.event_dim
        return cat(found, dim=dim) if dim < 0 else sum(found)


class StackTransform(_Several):
    """Apply a transform to each slice of a tensor along a dim.

    Args:
        tseq: a transform for each slice.
        dim: the dim. Default: 0
        cache_size: 0 or 1; see Transform. Default: 0
    """

    def __init__(self, tseq, dim=0, cache_size=0):
        super().__init__(tseq, dim, cache_size)

    def with_cache(self, cache_size=1):
        return self if self._cache_size == cache_size else StackTransform(self.transforms, self.dim, cache_size)

    def _set(self, sets):
        return constraints.stack(sets, self.dim)

    def _parts(self, name, x):
        _fits(name, x, self.dim, len(self.transforms), "len(transforms)")
        return x.unbind(self.dim)

    def _join(self, parts):
        return stack(parts, dim=self.dim)

    def log_abs_det_jacobian(self, x, y):
        parts = zip(self.transforms, self._parts("x", x), self._parts("y", y))
        return stack([t.log_abs_det_jacobian(a, b) for t, a, b in parts], dim=self.dim)


# ---- the transform for each constraint ----

class ConstraintRegistry:
    """A map from constraints to transforms of all real numbers onto their values.

    biject_to(constraint) returns a bijective transform, for example to compute densities. The transform from
    transform_to(constraint) need not be bijective; it is chosen to be cheap and well-behaved in optimization.

        >>> positive = torch.distributions.constraints.positive
        >>> torch.distributions.transform_to(positive)(torch.tensor([-1., 0., 1.]))
        tensor([0.3679, 1.0000, 2.7183])
    """

    def __init__(self):
        self._registry = {}

    def register(self, constraint, factory=None):
        """Register a transform for a class of constraints.

        Args:
            constraint: a class of constraints, or an instance of it.
            factory: a function from a constraint to a transform. Default: None, to be used as a decorator
        """
        if factory is None:
            return lambda function: self.register(constraint, function)
        kind = type(constraint) if isinstance(constraint, constraints.Constraint) else constraint
        if not isinstance(kind, type) or not issubclass(kind, constraints.Constraint):
            raise TypeError(f"Expected constraint to be either a Constraint subclass or instance, but got {constraint}")
        self._registry[kind] = factory
        return factory

    def __call__(self, constraint):
        factory = self._registry.get(type(constraint))
        if factory is None:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return factory(constraint)


biject_to, transform_to = ConstraintRegistry(), ConstraintRegistry()


def _onto_interval(constraint):
    low, high = constraint.lower_bound, constraint.upper_bound
    if isinstance(low, (int, float)) and isinstance(high, (int, float)) and low == 0 and high == 1:
        return SigmoidTransform()
    return ComposeTransform([SigmoidTransform(), AffineTransform(low, high - low)])


def _onto_greater(constraint):
    return ComposeTransform([ExpTransform(), AffineTransform(constraint.lower_bound, 1)])


for _registry in (biject_to, transform_to):
    _registry.register(constraints.real, lambda constraint: identity_transform)
    _registry.register(constraints.greater_than, _onto_greater)
    _registry.register(constraints.greater_than_eq, _onto_greater)
    _registry.register(constraints.less_than, lambda c: ComposeTransform([ExpTransform(), AffineTransform(c.upper_bound, -1)]))
    _registry.register(constraints.interval, _onto_interval)
    _registry.register(constraints.half_open_interval, _onto_interval)
    _registry.register(constraints.corr_cholesky, lambda constraint: CorrCholeskyTransform())
transform_to.register(constraints.lower_cholesky, lambda constraint: LowerCholeskyTransform())
transform_to.register(constraints.positive_definite, lambda constraint: PositiveDefiniteTransform())
transform_to.register(constraints.positive_semidefinite, lambda constraint: PositiveDefiniteTransform())
biject_to.register(constraints.simplex, lambda constraint: StickBreakingTransform())
transform_to.register(constraints.simplex, lambda constraint: SoftmaxTransform())


def _nested(registry):
    def independent(constraint):
        return IndependentTransform(registry(constraint.base_constraint), constraint.reinterpreted_batch_ndims)

    def joined(constraint):
        return CatTransform([registry(c) for c in constraint.cseq], constraint.dim, constraint.lengths)

    def stacked(constraint):
        return StackTransform([registry(c) for c in constraint.cseq], constraint.dim)
    registry.register(constraints.independent, independent)
    registry.register(constraints.cat, joined)
    registry.register(constraints.stack, stacked)


_nested(biject_to)
_nested(transform_to)
