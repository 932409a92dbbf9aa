# SPDX-License-Identifier: BSD-3-Clause
"""Constraints: the sets of values that parameters and samples of distributions belong to."""
from .. import bool as truth, tril

__all__ = ["Constraint", "boolean", "dependent", "dependent_property", "greater_than", "greater_than_eq", "half_open_interval",
           "independent", "integer_interval", "interval", "is_dependent", "less_than", "lower_cholesky", "lower_triangular", "MixtureSameFamilyConstraint", "cat", "corr_cholesky", "multinomial",
           "nonnegative", "nonnegative_integer", "one_hot", "positive", "positive_definite", "positive_integer", "positive_semidefinite", "real", "real_vector",
           "simplex", "symmetric", "square", "stack", "unit_interval"]


class Constraint:
    """Base class of constraints.

    Attributes:
        is_discrete: whether the values are discrete.
        event_dim: the number of dims that one value has: 0 for numbers, 1 for vectors, 2 for matrices.

        >>> constraints = torch.distributions.constraints
        >>> constraints.positive.check(torch.tensor([-1., 2.]))
        tensor([False,  True])
        >>> constraints.simplex.check(torch.tensor([0.25, 0.75]))
        tensor(True)
    """
    is_discrete, event_dim = False, 0

    def check(self, value):
        """Return whether values satisfy the constraint: a bool tensor with the shape of value without its last event_dim dims.

        Args:
            value: the values.
        """
        raise NotImplementedError

    def __repr__(self):
        return type(self).__name__[1:] + "()"


class _Dependent(Constraint):
    """A constraint that depends on other parameters and is known for an instance only; is_discrete and event_dim may be, too."""

    def __init__(self, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        self._is_discrete, self._event_dim = is_discrete, event_dim
        super().__init__()

    @property
    def is_discrete(self):
        if self._is_discrete is NotImplemented:
            raise NotImplementedError(".is_discrete cannot be determined statically")
        return self._is_discrete

    @property
    def event_dim(self):
        if self._event_dim is NotImplemented:
            raise NotImplementedError(".event_dim cannot be determined statically")
        return self._event_dim

    def __call__(self, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        return _Dependent(is_discrete=self._is_discrete if is_discrete is NotImplemented else is_discrete,
                          event_dim=self._event_dim if event_dim is NotImplemented else event_dim)

    def check(self, x):
        raise ValueError("Cannot determine validity of dependent constraint")


class _DependentProperty(property, _Dependent):
    """A property of a distribution that returns a constraint."""

    def __init__(self, fn=None, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        super().__init__(fn)
        self._is_discrete, self._event_dim = is_discrete, event_dim

    def __call__(self, fn):
        return _DependentProperty(fn, is_discrete=self._is_discrete, event_dim=self._event_dim)


def is_dependent(constraint):
    """Return whether a constraint is known for an instance only.

    Args:
        constraint: the constraint.
    """
    return isinstance(constraint, _Dependent)


class _IndependentConstraint(Constraint):
    """A constraint on a value with additional dims: each element must satisfy a base constraint."""

    def __init__(self, base_constraint, reinterpreted_batch_ndims):
        self.base_constraint, self.reinterpreted_batch_ndims = base_constraint, reinterpreted_batch_ndims
        self.is_discrete, self.event_dim = base_constraint.is_discrete, base_constraint.event_dim + reinterpreted_batch_ndims

    def check(self, value):
        good = self.base_constraint.check(value)
        if good.dim() < self.reinterpreted_batch_ndims:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        return good.reshape(good.shape[:good.dim() - self.reinterpreted_batch_ndims] + (-1,)).all(-1)

    def __repr__(self):
        return f"{type(self).__name__[1:]}({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


class _Bounded(Constraint):
    """Numbers between bounds, which may be tensors; `_bounds` names the attributes."""
    _bounds = ("lower_bound", "upper_bound")

    def __init__(self, lower_bound, upper_bound):
        self.lower_bound, self.upper_bound = lower_bound, upper_bound

    def __repr__(self):
        return f"{super().__repr__()[:-2]}({', '.join(f'{name}={getattr(self, name)}' for name in self._bounds)})"


class _Below(_Bounded):
    _bounds = ("upper_bound",)

    def __init__(self, upper_bound):
        self.upper_bound = upper_bound


class _Above(_Bounded):
    _bounds = ("lower_bound",)

    def __init__(self, lower_bound):
        self.lower_bound = lower_bound


class _Interval(_Bounded):
    """Values from lower_bound to upper_bound, both included."""

    def check(self, value):
        return (self.lower_bound <= value) & (value <= self.upper_bound)


class _HalfOpenInterval(_Bounded):
    """Values from lower_bound to upper_bound, which is not included."""

    def check(self, value):
        return (self.lower_bound <= value) & (value < self.upper_bound)


class _IntegerInterval(_Bounded):
    """Integers from lower_bound to upper_bound, both included."""

    is_discrete = True

    def check(self, value):
        return (value % 1 == 0) & (self.lower_bound <= value) & (value <= self.upper_bound)


class _IntegerLessThan(_Below):
    is_discrete = True

    def check(self, value):
        return (value % 1 == 0) & (value <= self.upper_bound)


class _IntegerGreaterThan(_Above):
    is_discrete = True

    def check(self, value):
        return (value % 1 == 0) & (value >= self.lower_bound)


class _GreaterThan(_Above):
    """Values greater than lower_bound."""

    def check(self, value):
        return self.lower_bound < value


class _GreaterThanEq(_Above):
    """Values of at least lower_bound."""

    def check(self, value):
        return self.lower_bound <= value


class _LessThan(_Below):
    """Values less than upper_bound."""

    def check(self, value):
        return value < self.upper_bound


class _Multinomial(Constraint):
    """Counts along the last dim whose sum is at most a number."""
    is_discrete, event_dim = True, 1

    def __init__(self, upper_bound):
        self.upper_bound = upper_bound

    def check(self, x):
        return (x >= 0).all(dim=-1) & (x.sum(dim=-1) <= self.upper_bound)


def _has_dim(value, dim):
    if not -value.dim() <= dim < value.dim():
        raise AssertionError(f"dim {dim} out of range for value with {value.dim()} dimensions")


class _Cat(Constraint):
    """Parts of given lengths along a dim, each with its constraint."""

    def __init__(self, cseq, dim=0, lengths=None):
        self.cseq, self.dim = list(cseq), dim
        self.lengths = list(lengths or [1] * len(self.cseq))
        self.is_discrete, self.event_dim = any(c.is_discrete for c in self.cseq), max(c.event_dim for c in self.cseq)

    def check(self, value):
        from .. import cat as joined
        _has_dim(value, self.dim)
        starts = [sum(self.lengths[:i]) for i in range(len(self.lengths))]
        return joined([c.check(value.narrow(self.dim, start, length))
                       for c, start, length in zip(self.cseq, starts, self.lengths)], self.dim)


class _Stack(Constraint):
    """Slices along a dim, each with its constraint."""

    def __init__(self, cseq, dim=0):
        self.cseq, self.dim = list(cseq), dim
        dim = max(c.event_dim for c in self.cseq)
        self.is_discrete, self.event_dim = any(c.is_discrete for c in self.cseq), dim + 1 if self.dim + dim < 0 else dim

    def check(self, value):
        from .. import stack as stacked
        _has_dim(value, self.dim)
        return stacked([c.check(part) for c, part in zip(self.cseq, value.unbind(self.dim))], self.dim)


class MixtureSameFamilyConstraint(Constraint):
    """Values that every component of a mixture can have.

    Args:
        base_constraint: the support of the components.
    """

    def __init__(self, base_constraint):
        self.base_constraint = base_constraint
        self.is_discrete, self.event_dim = base_constraint.is_discrete, base_constraint.event_dim

    def check(self, value):
        good = self.base_constraint.check(value.unsqueeze(-1 - self.event_dim))
        if value.dim() < self.event_dim:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        return good.reshape(value.shape[:value.dim() - self.event_dim] + (-1,)).all(-1)

    def __repr__(self):
        return f"MixtureSameFamilyConstraint({self.base_constraint!r})"


# ---- sets without parameters ----

class _Boolean(Constraint):
    is_discrete = True

    def check(self, value):
        return (value == 0) | (value == 1)


class _OneHot(Constraint):
    is_discrete, event_dim = True, 1

    def check(self, value):
        return ((value == 0) | (value == 1)).all(-1) & value.sum(-1).eq(1)


class _Real(Constraint):
    def check(self, value):
        return value == value  # not NaN


class _Simplex(Constraint):
    event_dim = 1

    def check(self, value):
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


class _LowerTriangular(Constraint):
    event_dim = 2

    def check(self, value):
        return (tril(value) == value).flatten(-2).all(-1)


class _LowerCholesky(_LowerTriangular):
    def check(self, value):
        return super().check(value) & (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


class _CorrCholesky(_LowerCholesky):
    """Cholesky factors whose rows have length 1."""

    def check(self, value):
        from .. import finfo
        tolerance = finfo(value.dtype).eps * value.size(-1) * 10
        return ((value.norm(dim=-1) - 1).abs() < tolerance).all(dim=-1) & super().check(value)


class _Square(Constraint):
    event_dim = 2

    def check(self, value):
        return value.new_full(value.shape[:-2], value.dim() >= 2 and value.shape[-1] == value.shape[-2], dtype=truth)


class _Symmetric(_Square):
    def check(self, value):
        from .. import isclose
        square = super().check(value)
        return square if not square.all() else isclose(value, value.mT, atol=1e-6).all(-2).all(-1)


class _PositiveSemidefinite(_Symmetric):
    def check(self, value):
        from ..linalg import eigvalsh
        symmetric = super().check(value)
        return symmetric if not symmetric.all() else eigvalsh(value).ge(0).all(-1)


class _PositiveDefinite(_Symmetric):
    def check(self, value):
        from ..linalg import cholesky_ex
        symmetric = super().check(value)
        return symmetric if not symmetric.all() else cholesky_ex(value).info.eq(0)


dependent, dependent_property, independent, cat, stack = _Dependent(), _DependentProperty, _IndependentConstraint, _Cat, _Stack
integer_interval, interval, half_open_interval = _IntegerInterval, _Interval, _HalfOpenInterval
greater_than, greater_than_eq, less_than, multinomial = _GreaterThan, _GreaterThanEq, _LessThan, _Multinomial
boolean, one_hot, real, simplex = _Boolean(), _OneHot(), _Real(), _Simplex()
nonnegative_integer, positive_integer = _IntegerGreaterThan(0), _IntegerGreaterThan(1)
real_vector = independent(real, 1)
positive, nonnegative, unit_interval = greater_than(0.0), greater_than_eq(0.0), interval(0.0, 1.0)
lower_triangular, lower_cholesky, corr_cholesky = _LowerTriangular(), _LowerCholesky(), _CorrCholesky()
square, symmetric = _Square(), _Symmetric()
positive_semidefinite, positive_definite = _PositiveSemidefinite(), _PositiveDefinite()
