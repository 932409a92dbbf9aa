# SPDX-License-Identifier: BSD-3-Clause
"""Invertible functions with the logarithm of their derivative."""
import math
import weakref

from .. import atanh, broadcast_shapes, finfo, zeros_like
from ..nn.functional import softplus
from . import constraints

__all__ = ["AbsTransform", "AffineTransform", "ComposeTransform", "ExpTransform", "IndependentTransform", "PowerTransform",
           "SigmoidTransform", "SoftplusTransform", "TanhTransform", "Transform", "identity_transform"]


def _sum_last(value, dims):
    return value.reshape(value.shape[:value.dim() - dims] + (-1,)).sum(-1) if dims else value


class Transform:
    """An invertible function with the logarithm of its derivative: y = transform(x), x = transform.inv(y).

    A subclass defines `_call`, `_inverse` and `log_abs_det_jacobian`, and sets domain, codomain and bijective.

    Args:
        cache_size: 1 remembers the last pair (x, y), so that inv(y) of the y that was computed last returns the same x exactly,
            and without computing. Default: 0

        >>> exp = torch.distributions.ExpTransform()
        >>> y = exp(torch.tensor(0.))
        >>> y, exp.inv(y), exp.log_abs_det_jacobian(torch.tensor(0.), y)
        (tensor(1.), tensor(0.), tensor(0.))
    """
    bijective = False
    domain = codomain = constraints.real

    def __init__(self, cache_size=0):
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        self._cache_size, self._cached_x_y, self._inv = cache_size, (None, None), None
        super().__init__()  # for classes that are also nn.Module

    def __getstate__(self):
        """Return the state without the weak reference to the inverse, which cannot be pickled."""
        return {**self.__dict__, "_inv": None}

    @property
    def event_dim(self):
        """The number of last dims that make up one value, if it is the same for x and y."""
        if self.domain.event_dim == self.codomain.event_dim:
            return self.domain.event_dim
        raise ValueError("Please use either .domain.event_dim or .codomain.event_dim")

    @property
    def sign(self):
        """1 if the transform increases, -1 if it decreases."""
        raise NotImplementedError

    @property
    def inv(self):
        """The inverse transform; its inverse is this object."""
        inv = None if self._inv is None else self._inv()
        if inv is None:
            inv = self._make_inverse()
            self._inv = weakref.ref(inv)
        return inv

    def _make_inverse(self):
        return _InverseTransform(self)

    def with_cache(self, cache_size=1):
        """Return an equal transform with another cache_size.

        Args:
            cache_size: 0 or 1. Default: 1
        """
        if self._cache_size == cache_size:
            return self
        if type(self).__init__ is Transform.__init__:
            return type(self)(cache_size=cache_size)
        raise NotImplementedError(f"{type(self)}.with_cache is not implemented")

    def __eq__(self, other):
        return self is other

    __hash__ = object.__hash__

    def __call__(self, x):
        if not self._cache_size:
            return self._call(x)
        old, y = self._cached_x_y
        if x is not old:
            y = self._call(x)
            self._cached_x_y = x, y
        return y

    def _inv_call(self, y):
        if not self._cache_size:
            return self._inverse(y)
        x, old = self._cached_x_y
        if y is not old:
            x = self._inverse(y)
            self._cached_x_y = x, y
        return x

    def _call(self, x):
        raise NotImplementedError

    def _inverse(self, y):
        raise NotImplementedError

    def log_abs_det_jacobian(self, x, y):
        """Return log |dy / dx|, or log |det(dy / dx)| for vectors.

        Args:
            x, y: a pair with y = transform(x).
        """
        raise NotImplementedError

    def forward_shape(self, shape):
        """Return the shape of y for an x of a shape.

        Args:
            shape: the shape of x.
        """
        return shape

    def inverse_shape(self, shape):
        """Return the shape of x for a y of a shape.

        Args:
            shape: the shape of y.
        """
        return shape

    def __repr__(self):
        return type(self).__name__ + "()"


def _clipped_sigmoid(x):
    """Return 1 / (1 + exp(-x)), kept away from 0 and 1, whose logarithms are infinite."""
    limits = finfo(x.dtype)
    return x.sigmoid().clamp(min=limits.tiny, max=1 - limits.eps)


class _InverseTransform(Transform):
    """The inverse of a transform. It refers to the transform, which refers back only weakly."""

    def __init__(self, transform):
        super().__init__(transform._cache_size)
        self._inv = transform

    __getstate__ = object.__getstate__ if hasattr(object, "__getstate__") else lambda self: self.__dict__
    domain = property(lambda self: self._inv.codomain)
    codomain = property(lambda self: self._inv.domain)
    bijective = property(lambda self: self._inv.bijective)
    sign = property(lambda self: self._inv.sign)
    inv = property(lambda self: self._inv)

    def with_cache(self, cache_size=1):
        return self._inv.with_cache(cache_size).inv

    def __eq__(self, other):
        return isinstance(other, _InverseTransform) and self._inv == other._inv

    __hash__ = object.__hash__

    def __repr__(self):
        return f"{type(self).__name__}({self._inv!r})"

    def __call__(self, x):
        return self._inv._inv_call(x)

    def _inv_call(self, y):
        return self._inv(y)

    def forward_shape(self, shape):
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape):
        return self._inv.forward_shape(shape)

    def log_abs_det_jacobian(self, x, y):
        return -self._inv.log_abs_det_jacobian(y, x)


def _with_event_dims(constraint, event_dim):
    """Return the constraint with `event_dim` dims per value, at least those it has."""
    more = event_dim - constraint.event_dim
    return constraints.independent(constraint, more) if more else constraint


class ComposeTransform(Transform):
    """Several transforms, applied in order.

    A value has as many dims as the part with the largest event_dim needs: an affine part before stick breaking acts on
    vectors, although alone it acts on numbers.

    Args:
        parts: a list of transforms.
        cache_size: 0 or 1; see Transform. Default: 0
    """

    def __init__(self, parts, cache_size=0):
        if cache_size:
            parts = [part.with_cache(cache_size) for part in parts]
        super().__init__(cache_size)
        self.parts = list(parts)

    @constraints.dependent_property(is_discrete=False)
    def domain(self):
        """The set of values that the transform takes, as a constraint."""
        if not self.parts:
            return constraints.real
        event_dim = self.parts[-1].codomain.event_dim
        for part in reversed(self.parts):
            event_dim = max(event_dim + part.domain.event_dim - part.codomain.event_dim, part.domain.event_dim)
        return _with_event_dims(self.parts[0].domain, event_dim)

    @constraints.dependent_property(is_discrete=False)
    def codomain(self):
        """The set of values that the transform returns, as a constraint."""
        if not self.parts:
            return constraints.real
        event_dim = self.parts[0].domain.event_dim
        for part in self.parts:
            event_dim = max(event_dim + part.codomain.event_dim - part.domain.event_dim, part.codomain.event_dim)
        return _with_event_dims(self.parts[-1].codomain, event_dim)

    bijective = property(lambda self: all(p.bijective for p in self.parts))

    @property
    def sign(self):
        return math.prod(p.sign for p in self.parts)

    def _make_inverse(self):
        inv = ComposeTransform([p.inv for p in reversed(self.parts)])
        inv._inv = weakref.ref(self)
        return inv

    def with_cache(self, cache_size=1):
        return self if self._cache_size == cache_size else ComposeTransform(self.parts, cache_size=cache_size)

    def __eq__(self, other):
        return isinstance(other, ComposeTransform) and self.parts == other.parts

    __hash__ = object.__hash__

    def __call__(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def _inv_call(self, y):
        for part in reversed(self.parts):
            y = part._inv_call(y)
        return y

    def forward_shape(self, shape):
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape):
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape

    def log_abs_det_jacobian(self, x, y):
        if not self.parts:
            return zeros_like(x)
        total, events, last = 0, self.domain.event_dim, len(self.parts) - 1
        for i, part in enumerate(self.parts):
            step = y if i == last else part(x)
            total = total + _sum_last(part.log_abs_det_jacobian(x, step), events - part.domain.event_dim)
            events += part.codomain.event_dim - part.domain.event_dim
            x = step
        return total

    def __repr__(self):
        return "ComposeTransform(\n    " + ",\n    ".join(map(repr, self.parts)) + "\n)"


identity_transform = ComposeTransform([])


class IndependentTransform(Transform):
    """A transform whose last dims count as one value, so that the log-derivative is summed over them.

    Args:
        base_transform: the transform.
        reinterpreted_batch_ndims: the number of dims to add to a value.
        cache_size: 0 or 1; see Transform. Default: 0
    """

    def __init__(self, base_transform, reinterpreted_batch_ndims, cache_size=0):
        super().__init__(cache_size)
        self.base_transform = base_transform.with_cache(cache_size)
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    @constraints.dependent_property(is_discrete=False)
    def domain(self):
        """The set of values that the transform takes, as a constraint."""
        return constraints.independent(self.base_transform.domain, self.reinterpreted_batch_ndims)

    @constraints.dependent_property(is_discrete=False)
    def codomain(self):
        """The set of values that the transform returns, as a constraint."""
        return constraints.independent(self.base_transform.codomain, self.reinterpreted_batch_ndims)

    bijective = property(lambda self: self.base_transform.bijective)
    sign = property(lambda self: self.base_transform.sign)

    def with_cache(self, cache_size=1):
        if self._cache_size == cache_size:
            return self
        return IndependentTransform(self.base_transform, self.reinterpreted_batch_ndims, cache_size=cache_size)

    def _call(self, x):
        _enough_dims(x, self.domain)
        return self.base_transform(x)

    def _inverse(self, y):
        _enough_dims(y, self.codomain)
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x, y):
        return _sum_last(self.base_transform.log_abs_det_jacobian(x, y), self.reinterpreted_batch_ndims)

    def __repr__(self):
        return f"IndependentTransform({self.base_transform!r}, {self.reinterpreted_batch_ndims})"

    def forward_shape(self, shape):
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape):
        return self.base_transform.inverse_shape(shape)


def _enough_dims(value, constraint):
    if value.dim() < constraint.event_dim:
        raise ValueError("Too few dimensions on input")


class _Simple(Transform):
    """A transform without parameters; all instances of a class are equal."""

    def __eq__(self, other):
        kinds = type(self).__mro__
        return isinstance(other, kinds[kinds.index(_Simple) - 1])

    __hash__ = object.__hash__


class ExpTransform(_Simple):
    """y = exp(x), from the reals to the positive numbers.

    Args:
        cache_size: 0 or 1; see Transform. Default: 0
    """
    bijective, sign, codomain = True, 1, constraints.positive

    def _call(self, x):
        return x.exp()

    def _inverse(self, y):
        return y.log()

    def log_abs_det_jacobian(self, x, y):
        return x


class SigmoidTransform(_Simple):
    """y = 1 / (1 + exp(-x)), from the reals to (0, 1).

    Args:
        cache_size: 0 or 1; see Transform. Default: 0
    """
    bijective, sign, codomain = True, 1, constraints.unit_interval

    def _call(self, x):
        from .. import finfo
        limits = finfo(x.dtype)
        return x.sigmoid().clamp(min=limits.tiny, max=1.0 - limits.eps)

    def _inverse(self, y):
        from .. import finfo
        limits = finfo(y.dtype)
        y = y.clamp(min=limits.tiny, max=1.0 - limits.eps)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x, y):
        return -softplus(-x) - softplus(x)


class SoftplusTransform(_Simple):
    """y = log(1 + exp(x)), from the reals to the positive numbers.

    Args:
        cache_size: 0 or 1; see Transform. Default: 0
    """
    bijective, sign, codomain = True, 1, constraints.positive

    def _call(self, x):
        return softplus(x)

    def _inverse(self, y):
        return (-y).expm1().neg().log() + y

    def log_abs_det_jacobian(self, x, y):
        return -softplus(-x)


class TanhTransform(_Simple):
    """y = tanh(x), from the reals to (-1, 1). More accurate than composing sigmoid and affine transforms.

    Args:
        cache_size: 0 or 1; see Transform. Default: 0
    """
    bijective, sign, codomain = True, 1, constraints.interval(-1.0, 1.0)

    def _call(self, x):
        return x.tanh()

    def _inverse(self, y):
        return atanh(y)

    def log_abs_det_jacobian(self, x, y):
        return 2.0 * (math.log(2.0) - x - softplus(-2.0 * x))


class AbsTransform(_Simple):
    """y = |x|. It is not invertible: inv returns its argument, which is one of the two preimages.

    Args:
        cache_size: 0 or 1; see Transform. Default: 0
    """
    codomain = constraints.positive

    def _call(self, x):
        return x.abs()

    def _inverse(self, y):
        return y


class PowerTransform(Transform):
    """y = x^exponent, from positive to positive numbers.

    Args:
        exponent: a number or tensor.
        cache_size: 0 or 1; see Transform. Default: 0
    """
    bijective, domain, codomain = True, constraints.positive, constraints.positive

    def __init__(self, exponent, cache_size=0):
        super().__init__(cache_size)
        from .distribution import broadcast_all
        (self.exponent,) = broadcast_all(exponent)

    sign = property(lambda self: self.exponent.sign())

    def with_cache(self, cache_size=1):
        return self if self._cache_size == cache_size else PowerTransform(self.exponent, cache_size=cache_size)

    def __eq__(self, other):
        return isinstance(other, PowerTransform) and bool(self.exponent.eq(other.exponent).all())

    __hash__ = object.__hash__

    def _call(self, x):
        return x.pow(self.exponent)

    def _inverse(self, y):
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x, y):
        return (self.exponent * y / x).abs().log()

    def forward_shape(self, shape):
        return broadcast_shapes(shape, self.exponent.shape)

    inverse_shape = forward_shape


class AffineTransform(Transform):
    """y = loc + scale * x.

    Args:
        loc, scale: numbers or tensors.
        event_dim: 0 if x is a number, 1 for a vector, 2 for a matrix. Default: 0
        cache_size: 0 or 1; see Transform. Default: 0
    """
    bijective = True

    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        super().__init__(cache_size)
        self.loc, self.scale, self._event_dim = loc, scale, event_dim

    event_dim = property(lambda self: self._event_dim)

    @constraints.dependent_property(is_discrete=False)
    def domain(self):
        """The set of inputs and outputs of the transform, as a constraint."""
        return _with_event_dims(constraints.real, self._event_dim)

    codomain = domain

    @property
    def sign(self):
        if isinstance(self.scale, (int, float)):
            return (self.scale > 0) - (self.scale < 0)
        return self.scale.sign()

    def with_cache(self, cache_size=1):
        if self._cache_size == cache_size:
            return self
        return AffineTransform(self.loc, self.scale, self._event_dim, cache_size=cache_size)

    def __eq__(self, other):
        return (isinstance(other, AffineTransform) and _same(self.loc, other.loc)
                and _same(self.scale, other.scale))

    __hash__ = object.__hash__

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        from .. import full_like
        if isinstance(self.scale, (int, float)):
            slope = full_like(x, math.log(abs(self.scale)))
        else:
            slope = self.scale.abs().log()
        # Expand before the sum, so that a scale of one element counts for each element of the event.
        return _sum_last(slope.expand(x.shape), self._event_dim)

    def forward_shape(self, shape):
        return broadcast_shapes(shape, getattr(self.loc, "shape", ()), getattr(self.scale, "shape", ()))

    inverse_shape = forward_shape


def _same(a, b):
    """Return whether numbers or tensors are equal in every element."""
    equal = a == b
    return equal if isinstance(equal, bool) else bool(equal.all())
