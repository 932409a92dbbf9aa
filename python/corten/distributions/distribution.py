# SPDX-License-Identifier: BSD-3-Clause
"""The base of all distributions: shapes, checks of parameters and samples, and what follows from a few methods."""
import warnings

from .. import Size, Tensor, broadcast_tensors, get_default_dtype, no_grad, tensor
from . import constraints

__all__ = ["Distribution", "ExponentialFamily", "broadcast_all", "lazy_property"]


def broadcast_all(*values):
    """Numbers and tensors as tensors of one shape."""
    if not all(isinstance(v, (Tensor, int, float)) for v in values):
        raise ValueError("Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__.")
    tensors = [v for v in values if isinstance(v, Tensor)]
    options = {"dtype": tensors[0].dtype, "device": tensors[0].device} if tensors else {"dtype": get_default_dtype()}
    return broadcast_tensors(*(v if isinstance(v, Tensor) else tensor(v, **options) for v in values))


class lazy_property:
    """A property that is computed once."""

    def __init__(self, wrapped):
        self.wrapped, self.__doc__ = wrapped, wrapped.__doc__

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        value = self.wrapped(instance)
        setattr(instance, self.name, value)
        return value


def _whole(good):
    return bool(good.all())


class Distribution:
    """A distribution of values of `event_shape`, for each place of `batch_shape`."""

    has_rsample = False
    has_enumerate_support = False
    _validate_args = __debug__
    _params = ()  # what `expand` expands

    @staticmethod
    def set_default_validate_args(value):
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init__(self, batch_shape=Size(), event_shape=Size(), validate_args=None):
        self._batch_shape, self._event_shape = Size(batch_shape), Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._check_parameters()
        super().__init__()

    def _check_parameters(self):
        try:
            arg_constraints = self.arg_constraints
        except NotImplementedError:
            warnings.warn(f"{type(self)} does not define `arg_constraints`. Please set `arg_constraints = {{}}` or initialize the "
                          "distribution with `validate_args=False` to turn off validation.", stacklevel=3)
            return
        for name, constraint in arg_constraints.items():
            if constraints.is_dependent(constraint):
                continue
            if name not in self.__dict__ and isinstance(getattr(type(self), name), lazy_property):
                continue
            value = getattr(self, name)
            if not _whole(constraint.check(value)):
                raise ValueError(f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of distribution {self!r} "
                                 f"to satisfy the constraint {constraint!r}, but found invalid values:\n{value}")

    def expand(self, batch_shape, _instance=None):
        """The same distribution for a greater batch."""
        new = type(self).__new__(type(self)) if _instance is None else _instance
        shape = Size(batch_shape)
        for name in self._params:
            if name in self.__dict__:
                value, mine = getattr(self, name), self._event_dims_of(name)
                setattr(new, name, value.expand(shape + value.shape[value.dim() - mine:]))
        Distribution.__init__(new, shape, self._event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    def _get_checked_instance(self, cls, _instance=None):
        """For the `expand` of programs' own classes: an empty distribution of this one."""
        if _instance is None and type(self).__init__ != cls.__init__:
            raise NotImplementedError(f"Subclass {type(self).__name__} of {cls.__name__} that defines a custom __init__ method must also "
                                      "define a custom .expand() method.")
        return type(self).__new__(type(self)) if _instance is None else _instance

    def _like(self, other, _instance=None):
        """What `other` is, as a distribution of this class, whose constructor may be another."""
        new = type(self).__new__(type(self)) if _instance is None else _instance
        new.__dict__.update(other.__dict__)
        new._validate_args = self._validate_args
        return new

    def _event_dims_of(self, name):
        return self.arg_constraints[name].event_dim if name in self.arg_constraints else 0

    batch_shape = property(lambda self: self._batch_shape)
    event_shape = property(lambda self: self._event_shape)

    @property
    def arg_constraints(self):
        raise NotImplementedError

    @property
    def support(self):
        raise NotImplementedError

    @property
    def mean(self):
        raise NotImplementedError

    @property
    def mode(self):
        raise NotImplementedError(f"{type(self)} does not implement mode")

    @property
    def variance(self):
        raise NotImplementedError

    @property
    def stddev(self):
        return self.variance.sqrt()

    def sample(self, sample_shape=Size()):
        """Values, without a derivative."""
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=Size()):
        """Values as a function of the parameters."""
        raise NotImplementedError

    def sample_n(self, n):
        return self.sample(Size((n,)))

    def log_prob(self, value):
        raise NotImplementedError

    def cdf(self, value):
        raise NotImplementedError

    def icdf(self, value):
        raise NotImplementedError

    def enumerate_support(self, expand=True):
        raise NotImplementedError

    def entropy(self):
        raise NotImplementedError

    def perplexity(self):
        return self.entropy().exp()

    def _extended_shape(self, sample_shape=Size()):
        return Size(sample_shape) + self._batch_shape + self._event_shape

    def _validate_sample(self, value):
        if not self._validate_args:
            return
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        if value.dim() < len(self._event_shape) or (self._event_shape and value.shape[value.dim() - len(self._event_shape):] != self._event_shape):
            raise ValueError("The right-most size of value must match event_shape: "
                             f"{value.size()} vs {self._event_shape}.")
        for i, j in zip(reversed(value.size()), reversed(self._batch_shape + self._event_shape)):
            if i != 1 and j != 1 and i != j:
                raise ValueError("Value is not broadcastable with batch_shape+event_shape: "
                                 f"{value.size()} vs {self._batch_shape + self._event_shape}.")
        try:
            support = self.support
        except NotImplementedError:
            return
        if not _whole(support.check(value)):
            raise ValueError(f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be within the support "
                             f"({support!r}) of the distribution {self!r}, but found invalid values:\n{value}")

    def __repr__(self):
        names = [n for n in self.arg_constraints if n in self.__dict__]
        parts = [f"{n}: {getattr(self, n) if getattr(self, n).numel() == 1 else getattr(self, n).size()}" for n in names]
        return type(self).__name__ + "(" + ", ".join(parts) + ")"


class ExponentialFamily(Distribution):
    """One whose logarithm is linear in functions of a value: its entropy follows from the logarithm of its normaliser."""

    @property
    def _natural_params(self):
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self):
        raise NotImplementedError

    def _log_normalizer(self, *natural_params):
        raise NotImplementedError

    def entropy(self):
        """By the derivative of the normaliser."""
        from ..autograd import grad
        params = [p.detach().requires_grad_() for p in self._natural_params]
        normalizer = self._log_normalizer(*params)
        found = -self._mean_carrier_measure + normalizer
        for param, slope in zip(params, grad(normalizer.sum(), params, create_graph=True)):
            part = param * slope
            found = found - part.reshape(self._batch_shape + (-1,)).sum(-1)
        return found
