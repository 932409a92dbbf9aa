# SPDX-License-Identifier: BSD-3-Clause
"""The base of all distributions: shapes, validation of parameters and samples, and defaults that build on a few methods."""
import warnings

from .. import Size, Tensor, broadcast_tensors, get_default_dtype, no_grad, tensor
from . import constraints

__all__ = ["Distribution", "ExponentialFamily", "broadcast_all", "lazy_property"]


def broadcast_all(*values):
    """Convert numbers and tensors to tensors of one shape.

    Args:
        values: numbers and tensors. Numbers take the dtype and device of the first tensor.
    """
    if not all(isinstance(v, (Tensor, int, float)) for v in values):
        raise ValueError("Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__.")
    tensors = [v for v in values if isinstance(v, Tensor)]
    options = {"dtype": tensors[0].dtype, "device": tensors[0].device} if tensors else {"dtype": get_default_dtype()}
    return broadcast_tensors(*(v if isinstance(v, Tensor) else tensor(v, **options) for v in values))


class lazy_property:
    """A property that is computed at the first access, and then stored."""

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
    """Base class of distributions over tensors.

    A sample has three groups of dims. One draw has event_shape: () for a number, (n,) for a vector. batch_shape is the
    shape of independent distributions with separate parameters. sample(sample_shape) returns sample_shape + batch_shape +
    event_shape, and log_prob of that has the shape sample_shape + batch_shape.

    Args:
        batch_shape: the shape of the parameters. Default: Size()
        event_shape: the shape of one draw. Default: Size()
        validate_args: whether to check parameters and the arguments of log_prob. Default: None, for the setting of the
            class, which is True

        >>> normals = torch.distributions.Normal(torch.tensor([0., 10.]), 1.)  # two normal distributions
        >>> normals.batch_shape, normals.event_shape, normals.sample((3,)).shape
        (torch.Size([2]), torch.Size([]), torch.Size([3, 2]))
        >>> normals.log_prob(torch.tensor([0., 10.]))
        tensor([-0.9189, -0.9189])
    """

    has_rsample = False
    has_enumerate_support = False
    _validate_args = __debug__
    _params = ()  # the parameters that `expand` expands

    @staticmethod
    def set_default_validate_args(value):
        """Set whether distributions check parameters and samples, unless their constructor says otherwise.

        Args:
            value: True or False.
        """
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
        """Return the same distribution with parameters broadcast to a larger batch_shape; no memory is copied.

        Args:
            batch_shape: the new shape.
        """
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
        """Return an uninitialized distribution, for the `expand` of classes that programs define."""
        if _instance is None and type(self).__init__ != cls.__init__:
            raise NotImplementedError(f"Subclass {type(self).__name__} of {cls.__name__} that defines a custom __init__ method must also "
                                      "define a custom .expand() method.")
        return type(self).__new__(type(self)) if _instance is None else _instance

    def _like(self, other, _instance=None):
        """Return a distribution of this class with the contents of `other`; this class may have another constructor."""
        new = type(self).__new__(type(self)) if _instance is None else _instance
        new.__dict__.update(other.__dict__)
        new._validate_args = self._validate_args
        return new

    def _event_dims_of(self, name):
        return self.arg_constraints[name].event_dim if name in self.arg_constraints else 0

    batch_shape = property(lambda self: self._batch_shape, doc="The shape of the batch of distributions.")
    event_shape = property(lambda self: self._event_shape, doc="The shape of one sample of one distribution.")

    @property
    def arg_constraints(self):
        """{parameter: the constraint it must satisfy}."""
        raise NotImplementedError

    @property
    def support(self):
        """The constraint that samples satisfy."""
        raise NotImplementedError

    @property
    def mean(self):
        """The mean, of shape batch_shape + event_shape."""
        raise NotImplementedError

    @property
    def mode(self):
        """The value of highest probability or density, of shape batch_shape + event_shape."""
        raise NotImplementedError(f"{type(self)} does not implement mode")

    @property
    def variance(self):
        """The variance, of shape batch_shape + event_shape."""
        raise NotImplementedError

    @property
    def stddev(self):
        """The standard deviation, of shape batch_shape + event_shape."""
        return self.variance.sqrt()

    def sample(self, sample_shape=Size()):
        """Draw samples, without gradients.

        Args:
            sample_shape: how many draws. Default: Size(), for one

        Returns a tensor of shape sample_shape + batch_shape + event_shape.
        """
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=Size()):
        """Draw samples as a differentiable function of the parameters (the reparameterization trick).

        Only distributions with has_rsample do this; others raise NotImplementedError.

        Args:
            sample_shape: how many draws. Default: Size(), for one

            >>> scale = torch.tensor(2., requires_grad=True)
            >>> x = torch.distributions.Normal(0., scale).rsample()  # scale times a standard normal number
            >>> x.backward()
            >>> torch.allclose(scale.grad, x.detach() / 2)
            True
        """
        raise NotImplementedError

    def sample_n(self, n):
        """Draw n samples: sample((n,)).

        Args:
            n: the number of draws.
        """
        return self.sample(Size((n,)))

    def log_prob(self, value):
        """Return the logarithm of the density, or of the probability if values are discrete.

        Args:
            value: values in the support, of a shape that broadcasts with batch_shape + event_shape. Others raise ValueError
                if validation is on.

        Returns a tensor of shape sample_shape + batch_shape.
        """
        raise NotImplementedError

    def cdf(self, value):
        """Return the cumulative distribution function: the probability of a draw that is at most value.

        Args:
            value: values in the support.
        """
        raise NotImplementedError

    def icdf(self, value):
        """Return the quantile function, the inverse of cdf.

        Args:
            value: probabilities, from 0 to 1.
        """
        raise NotImplementedError

    def enumerate_support(self, expand=True):
        """Return all values of a discrete distribution with finitely many, along a new first dim.

        Args:
            expand: True gives the shape (number of values,) + batch_shape + event_shape; False keeps sizes of 1 for the batch.
                Default: True
        """
        raise NotImplementedError

    def entropy(self):
        """Return the entropy -E[log_prob(x)] in nats, of shape batch_shape."""
        raise NotImplementedError

    def perplexity(self):
        """Return exp(entropy), of shape batch_shape."""
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
    """Base class of distributions with a density h(x) exp(theta . t(x) - F(theta)).

    theta are the natural parameters and F is the log-normalizer. From them the base class computes the entropy, and KL
    divergences of two distributions of the same class. Subclasses define _natural_params, _log_normalizer(*params) and
    _mean_carrier_measure = E[log h(x)].
    """

    @property
    def _natural_params(self):
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self):
        raise NotImplementedError

    def _log_normalizer(self, *natural_params):
        raise NotImplementedError

    def entropy(self):
        """Return the entropy F - theta . grad F - E[log h(x)], of shape batch_shape; the gradient comes from autograd."""
        from ..autograd import grad
        params = [p.detach().requires_grad_() for p in self._natural_params]
        normalizer = self._log_normalizer(*params)
        found = -self._mean_carrier_measure + normalizer
        for param, slope in zip(params, grad(normalizer.sum(), params, create_graph=True)):
            part = param * slope
            found = found - part.reshape(self._batch_shape + (-1,)).sum(-1)
        return found
