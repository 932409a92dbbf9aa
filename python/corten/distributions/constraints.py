# SPDX-License-Identifier: BSD-3-Clause
"""Sets of values that parameters and samples of distributions lie in."""
from .. import bool as truth, tril

__all__ = ["Constraint", "boolean", "dependent", "dependent_property", "greater_than", "greater_than_eq", "half_open_interval",
           "independent", "integer_interval", "interval", "is_dependent", "less_than", "lower_cholesky", "lower_triangular", "MixtureSameFamilyConstraint", "cat", "corr_cholesky", "multinomial",
           "nonnegative", "nonnegative_integer", "one_hot", "positive", "positive_definite", "positive_integer", "positive_semidefinite", "real", "real_vector",
           "simplex", "symmetric", "square", "stack", "unit_interval"]


class Constraint:
    """check(value): where a value is in the set; event_dim: how many dims one value has."""
    is_discrete, event_dim = False, 0

    def check(self, value):
        raise NotImplementedError

    def __repr__(self):
        return type(self).__name__[1:] + "()"


class _Dependent(Constraint):
    """A set that depends on other parameters."""

    def __init__(self, *, is_discrete=False, event_dim=0):
        self.is_discrete, self.event_dim = is_discrete, event_dim

    def __call__(self, *, is_discrete=None, event_dim=None):
        return _Dependent(is_discrete=self.is_discrete if is_discrete is None else is_discrete,
                          event_dim=self.event_dim if event_dim is None else event_dim)

    def check(self, x):
        raise ValueError("Cannot determine validity of dependent constraint")


class _DependentProperty(property, _Dependent):
    """A property of a distribution that is such a set."""

    def __init__(self, fn=None, *, is_discrete=False, event_dim=0):
        super().__init__(fn)
        self.is_discrete, self.event_dim = is_discrete, event_dim

    def __call__(self, fn):
        return _DependentProperty(fn, is_discrete=self.is_discrete, event_dim=self.event_dim)


def is_dependent(constraint):
    return isinstance(constraint, _Dependent)


class _Test(Constraint):
    """A set told by a function of a value."""

    def __init__(self, name, test, is_discrete=False, event_dim=0):
        self._name, self._test, self.is_discrete, self.event_dim = name, test, is_discrete, event_dim

    def check(self, value):
        return self._test(value)

    def __repr__(self):
        return self._name


class _Independent(Constraint):
    """A set whose values have more dims, of which each must be in the base."""

    def __init__(self, base_constraint, reinterpreted_batch_ndims):
        self.base_constraint, self.reinterpreted_batch_ndims = base_constraint, reinterpreted_batch_ndims
        self.is_discrete, self.event_dim = base_constraint.is_discrete, base_constraint.event_dim + reinterpreted_batch_ndims

    def check(self, value):
        good = self.base_constraint.check(value)
        if good.dim() < self.reinterpreted_batch_ndims:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        return good.reshape(good.shape[:good.dim() - self.reinterpreted_batch_ndims] + (-1,)).all(-1)

    def __repr__(self):
        return f"Independent({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


class _Bounded(Constraint):
    """Numbers between bounds, which may be tensors."""

    def __init__(self, name, test, is_discrete=False, **bounds):
        self._title, self._test, self._bounds, self.is_discrete = name, test, bounds, is_discrete
        self.__dict__.update(bounds)

    def check(self, value):
        return self._test(value, **self._bounds)

    def __repr__(self):
        return f"{self._title}({', '.join(f'{k}={v}' for k, v in self._bounds.items())})"


def integer_interval(lower_bound, upper_bound):
    return _Bounded("IntegerInterval", lambda v, lower_bound, upper_bound: (v % 1 == 0) & (lower_bound <= v) & (v <= upper_bound), True,
                    lower_bound=lower_bound, upper_bound=upper_bound)


def interval(lower_bound, upper_bound):
    return _Bounded("Interval", lambda v, lower_bound, upper_bound: (lower_bound <= v) & (v <= upper_bound), lower_bound=lower_bound,
                    upper_bound=upper_bound)


def half_open_interval(lower_bound, upper_bound):
    return _Bounded("HalfOpenInterval", lambda v, lower_bound, upper_bound: (lower_bound <= v) & (v < upper_bound), lower_bound=lower_bound,
                    upper_bound=upper_bound)


def greater_than(lower_bound):
    return _Bounded("GreaterThan", lambda v, lower_bound: lower_bound < v, lower_bound=lower_bound)


def greater_than_eq(lower_bound):
    return _Bounded("GreaterThanEq", lambda v, lower_bound: lower_bound <= v, lower_bound=lower_bound)


def less_than(upper_bound):
    return _Bounded("LessThan", lambda v, upper_bound: v < upper_bound, upper_bound=upper_bound)


def multinomial(upper_bound):
    return _Multinomial(upper_bound)


class _Multinomial(Constraint):
    """Counts that sum up to a number."""
    is_discrete, event_dim = True, 1

    def __init__(self, upper_bound):
        self.upper_bound = upper_bound

    def check(self, x):
        return (x >= 0).all(dim=-1) & (x.sum(dim=-1) <= self.upper_bound)


class _Cat(Constraint):
    """Parts of given lengths along a dim, each in its set."""

    def __init__(self, cseq, dim=0, lengths=None):
        self.cseq, self.dim = list(cseq), dim
        self.lengths = list(lengths or [1] * len(self.cseq))
        self.is_discrete, self.event_dim = any(c.is_discrete for c in self.cseq), max(c.event_dim for c in self.cseq)

    def check(self, value):
        from .. import cat as joined
        return joined([c.check(part) for c, part in zip(self.cseq, value.split(self.lengths, self.dim))], self.dim)


class _Stack(Constraint):
    """Slices along a dim, each in its set."""

    def __init__(self, cseq, dim=0):
        self.cseq, self.dim = list(cseq), dim
        dim = max(c.event_dim for c in self.cseq)
        self.is_discrete, self.event_dim = any(c.is_discrete for c in self.cseq), dim + 1 if self.dim + dim < 0 else dim

    def check(self, value):
        from .. import stack as stacked
        return stacked([c.check(part) for c, part in zip(self.cseq, value.unbind(self.dim))], self.dim)


class MixtureSameFamilyConstraint(Constraint):
    """Values that each component of a mixture may have."""

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


def _is_corr_cholesky(value):
    from .. import finfo
    tolerance = finfo(value.dtype).eps * value.size(-1) * 10
    return ((value.norm(dim=-1) - 1).abs() < tolerance).all(dim=-1) & lower_cholesky.check(value)


def _is_positive_semidefinite(value):
    from ..linalg import eigvalsh
    good = _is_symmetric(value)
    return good if not bool(good.all()) else eigvalsh(value).ge(0).all(-1)


def _is_positive_definite(value):
    from ..linalg import cholesky_ex
    return _is_symmetric(value) & cholesky_ex(value)[1].eq(0)


def _is_symmetric(value):
    from .. import isclose
    if value.dim() < 2 or value.shape[-1] != value.shape[-2]:
        from .. import full
        return full(value.shape[:-2], False, dtype=truth)
    return isclose(value, value.mT, atol=1e-6).all(-2).all(-1)


dependent, dependent_property, independent = _Dependent(), _DependentProperty, _Independent
boolean = _Test("Boolean()", lambda v: (v == 0) | (v == 1), True)
one_hot = _Test("OneHot()", lambda v: ((v == 0) | (v == 1)).all(-1) & v.sum(-1).eq(1), True, 1)
nonnegative_integer = _Bounded("IntegerGreaterThan", lambda v, lower_bound: (v % 1 == 0) & (v >= lower_bound), True, lower_bound=0)
positive_integer = _Bounded("IntegerGreaterThan", lambda v, lower_bound: (v % 1 == 0) & (v >= lower_bound), True, lower_bound=1)
real = _Test("Real()", lambda v: v == v)
real_vector = independent(real, 1)
positive, nonnegative, unit_interval = greater_than(0.0), greater_than_eq(0.0), interval(0.0, 1.0)
simplex = _Test("Simplex()", lambda v: (v >= 0).all(-1) & ((v.sum(-1) - 1).abs() < 1e-6), event_dim=1)
lower_triangular = _Test("LowerTriangular()", lambda v: (tril(v) == v).flatten(-2).all(-1), event_dim=2)
lower_cholesky = _Test("LowerCholesky()", lambda v: (tril(v) == v).flatten(-2).all(-1) & (v.diagonal(dim1=-2, dim2=-1) > 0).all(-1), event_dim=2)
cat, stack = _Cat, _Stack
corr_cholesky = _Test("CorrCholesky()", _is_corr_cholesky, event_dim=2)
positive_semidefinite = _Test("PositiveSemidefinite()", _is_positive_semidefinite, event_dim=2)
symmetric = _Test("Symmetric()", _is_symmetric, event_dim=2)
positive_definite = _Test("PositiveDefinite()", _is_positive_definite, event_dim=2)
square = _Test("Square()", lambda v: (v.new_full(v.shape[:-2], v.shape[-1] == v.shape[-2], dtype=truth)), event_dim=2)
