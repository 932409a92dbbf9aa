# SPDX-License-Identifier: BSD-3-Clause
"""First values of parameters. All functions fill a tensor in place, unrecorded, and return it.

The order and the number of random draws are PyTorch's: the same seed gives the same values.
"""
import math
import warnings
from functools import wraps

from .. import diag, empty_like, eye as _eye, float64, no_grad, randperm, where

__all__ = ["calculate_gain", "constant", "constant_", "dirac", "dirac_", "eye", "eye_", "kaiming_normal", "kaiming_normal_",
           "kaiming_uniform", "kaiming_uniform_", "normal", "normal_", "ones_", "orthogonal", "orthogonal_", "sparse", "sparse_",
           "trunc_normal_", "uniform", "uniform_", "xavier_normal", "xavier_normal_", "xavier_uniform", "xavier_uniform_",
           "zeros_"]

_GAINS = {**dict.fromkeys(("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d",
                           "sigmoid"), 1),
          "tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}


def calculate_gain(nonlinearity, param=None):
    """By how much values grow so that they keep their variance through a nonlinearity."""
    if nonlinearity in _GAINS:
        return _GAINS[nonlinearity]
    if nonlinearity != "leaky_relu":
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    slope = 0.01 if param is None else param
    if isinstance(slope, bool) or not isinstance(slope, (int, float)):
        raise ValueError(f"negative_slope {param} not a valid number")
    return math.sqrt(2.0 / (1 + slope**2))


def _calculate_fan_in_and_fan_out(tensor):
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(tensor.shape[2:])
    return tensor.size(1) * field, tensor.size(0) * field


def _calculate_correct_fan(tensor, mode):
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return _calculate_fan_in_and_fan_out(tensor)[mode == "fan_out"]


def _unrecorded(function):
    @wraps(function)
    def unrecorded(*args, **kwargs):
        with no_grad():
            return function(*args, **kwargs)

    return unrecorded


# ---- one distribution ----

@_unrecorded
def uniform_(tensor, a=0.0, b=1.0, generator=None):
    """Uniform between a and b.

        >>> _ = torch.manual_seed(0)
        >>> torch.nn.init.uniform_(torch.empty(2, 2))
        tensor([[0.4963, 0.7682],
                [0.0885, 0.1320]])
    """
    return tensor.uniform_(a, b, generator=generator)


def _no_grad_uniform_(tensor, a, b, generator=None):
    """uniform_ by the name that libraries know."""
    return uniform_(tensor, a, b, generator)


@_unrecorded
def normal_(tensor, mean=0.0, std=1.0, generator=None):
    """Normal.

        >>> _ = torch.manual_seed(0)
        >>> torch.nn.init.normal_(torch.empty(2, 2))
        tensor([[ 1.5410, -0.2934],
                [-2.1788,  0.5684]])
    """
    return tensor.normal_(mean, std, generator=generator)


@_unrecorded
def constant_(tensor, val):
    """One value everywhere.

        >>> torch.nn.init.constant_(torch.empty(2, 2), 2.)
        tensor([[2., 2.],
                [2., 2.]])
    """
    return tensor.fill_(val)


@_unrecorded
def ones_(tensor):
    """Ones.

        >>> torch.nn.init.ones_(torch.empty(2, 2))
        tensor([[1., 1.],
                [1., 1.]])
    """
    return tensor.fill_(1.0)


@_unrecorded
def zeros_(tensor):
    """Zeros.

        >>> torch.nn.init.zeros_(torch.empty(2, 2))
        tensor([[0., 0.],
                [0., 0.]])
    """
    return tensor.zero_()


@_unrecorded
def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """Normal, drawn again where it falls outside of [a, b].

        >>> _ = torch.manual_seed(0)
        >>> torch.nn.init.trunc_normal_(torch.empty(2, 2))
        tensor([[ 1.5410, -0.2934],
                [ 0.4033,  0.5684]])
    """
    if tensor.is_meta:
        return tensor
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn("mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be "
                      "incorrect.", stacklevel=3)
    below = [(1.0 + math.erf((x - mean) / std / math.sqrt(2.0))) / 2.0 for x in (a, b)]
    slope = max(a - mean, mean - b, 0) / std**2  # of the density's logarithm at the end that is next to the mean
    draw = (_draw_inside if below[1] - below[0] > 0.3 else
            _draw_at_end if 1e3 < slope * (b - a) < math.inf else _draw_accepted)
    return draw(tensor, mean, std, a, b, generator)


def _draw_inside(tensor, mean, std, a, b, generator):
    """Where most of the normal distribution lies in [a, b]: until every element does."""
    low, high = (tensor.new_tensor(x, device="cpu").item() for x in (a, b))
    values = tensor.normal_(mean, std, generator=generator)
    while True:
        outside = (values < low) | (values > high)
        if not outside.any():
            break
        values = where(outside, empty_like(values).normal_(mean, std, generator=generator), values)
    return tensor if values is tensor else tensor.copy_(values)


def _draw_accepted(tensor, mean, std, a, b, generator):
    """Where little of it does: uniform candidates, accepted by the density relative to its greatest value in [a, b]."""
    peak = -0.5 * ((max(a, min(mean, b)) - mean) / std)**2
    density, chance = empty_like(tensor), empty_like(tensor)

    def refused(candidates):
        if density is not candidates:
            density.copy_(candidates)
        density.sub_(mean).div_(std).pow_(2).mul_(-0.5).sub_(peak)
        return chance.uniform_(generator=generator).log_().gt(density)

    values = tensor.uniform_(a, b, generator=generator)
    left = refused(values)
    while left.any():
        density.uniform_(a, b, generator=generator)
        values = where(left, density, values)
        left = where(left, refused(density), left)
    return tensor if values is tensor else tensor.copy_(values)


def _draw_at_end(tensor, mean, std, a, b, generator):
    """Where the mean is so far away that of uniform candidates hardly one would be accepted: the distance from the next end is
    exponential but for a factor of nearly 1, by which it is accepted."""
    wide = empty_like(tensor, dtype=float64)
    slope = (a - mean if mean < a else mean - b) / std**2
    distance = wide.clone().exponential_(slope, generator=generator)
    while True:
        outside = (distance > b - a) | (wide.uniform_(generator=generator).log_() > distance.square() / (-2 * std**2))
        if not outside.any():
            break
        distance = where(outside, wide.exponential_(slope, generator=generator), distance)
    return tensor.copy_(a + distance if mean < a else b - distance)


# ---- by the numbers of inputs and outputs ----

def xavier_uniform_(tensor, gain=1.0, generator=None):
    """Uniform, scaled by inputs and outputs together (Glorot and Bengio).

        >>> _ = torch.manual_seed(0)
        >>> torch.nn.init.xavier_uniform_(torch.empty(2, 2))
        tensor([[-0.0092,  0.6570],
                [-1.0080, -0.9013]])
    """
    std = gain * math.sqrt(2.0 / float(sum(_calculate_fan_in_and_fan_out(tensor))))
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    """Normal, scaled by inputs and outputs together.

        >>> _ = torch.manual_seed(0)
        >>> torch.nn.init.xavier_normal_(torch.empty(2, 2))
        tensor([[ 1.0896, -0.2075],
                [-1.5406,  0.4019]])
    """
    std = gain * math.sqrt(2.0 / float(sum(_calculate_fan_in_and_fan_out(tensor))))
    return normal_(tensor, 0.0, std, generator)


def _kaiming_std(tensor, a, mode, nonlinearity):
    """None: there is nothing to fill."""
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
        return None
    fan = _calculate_correct_fan(tensor, mode)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Uniform, scaled by the inputs or the outputs and the nonlinearity (He et al.).

        >>> _ = torch.manual_seed(0)
        >>> torch.nn.init.kaiming_uniform_(torch.empty(2, 2))
        tensor([[-0.0130,  0.9291],
                [-1.4256, -1.2747]])
    """
    std = _kaiming_std(tensor, a, mode, nonlinearity)
    if std is None:
        return tensor
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Normal, scaled by the inputs or the outputs and the nonlinearity.

        >>> _ = torch.manual_seed(0)
        >>> torch.nn.init.kaiming_normal_(torch.empty(2, 2))
        tensor([[ 1.5410, -0.2934],
                [-2.1788,  0.5684]])
    """
    std = _kaiming_std(tensor, a, mode, nonlinearity)
    return tensor if std is None else normal_(tensor, 0, std, generator)


# ---- matrices ----

@_unrecorded
def eye_(tensor):
    """The identity matrix.

        >>> torch.nn.init.eye_(torch.empty(2, 2))
        tensor([[1., 0.],
                [0., 1.]])
    """
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    return tensor.copy_(_eye(*tensor.shape, dtype=tensor.dtype, device=tensor.device))


@_unrecorded
def dirac_(tensor, groups=1):
    """The kernel of a convolution that hands its input through.

        >>> torch.nn.init.dirac_(torch.empty(1, 1, 3))
        tensor([[[0., 1., 0.]]])
    """
    if tensor.ndimension() not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.size(0) % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    if tensor.is_meta:
        return tensor
    channels = tensor.size(0) // groups
    middle = tuple(size // 2 for size in tensor.shape[2:])
    tensor.zero_()
    for group in range(groups):
        for i in range(min(channels, tensor.size(1))):
            tensor[(group * channels + i, i, *middle)] = 1
    return tensor


@_unrecorded
def orthogonal_(tensor, gain=1, generator=None):
    """A matrix with orthonormal rows or columns; more dims are flattened.

        >>> _ = torch.manual_seed(0)
        >>> torch.nn.init.orthogonal_(torch.empty(2, 2))
        tensor([[ 0.5774,  0.8164],
                [-0.8164,  0.5774]])
    """
    if tensor.ndimension() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0 or tensor.is_meta:
        return tensor
    rows = tensor.size(0)
    columns = tensor.numel() // rows
    values = tensor.new_empty((rows, columns)).normal_(0, 1, generator=generator)
    from ..linalg import qr
    q, r = qr(values.t_() if rows < columns else values)
    q *= diag(r, 0).sign()  # makes Q unique, and uniform
    tensor.view_as(q.t_() if rows < columns else q).copy_(q)
    return tensor.mul_(gain)


@_unrecorded
def sparse_(tensor, sparsity, std=0.01, generator=None):
    """Normal, with a share of each column set to 0.

        >>> _ = torch.manual_seed(0)
        >>> torch.nn.init.sparse_(torch.empty(2, 2), 0.5)
        tensor([[ 0.0154, -0.0029],
                [ 0.0000,  0.0000]])
    """
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    if tensor.is_meta:
        return tensor
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    tensor.normal_(0, std, generator=generator)
    for column in range(columns):
        tensor[randperm(rows)[:zeros], column] = 0
    return tensor


# ---- old names ----

def _old(function):
    name = function.__name__[:-1]

    def deprecated(*args, **kwargs):
        warnings.warn(f"`nn.init.{name}` is now deprecated in favor of `nn.init.{name}_`.", FutureWarning, stacklevel=2)
        return function(*args, **kwargs)

    deprecated.__name__ = deprecated.__qualname__ = name
    deprecated.__doc__ = f"The old name of {name}_."
    return deprecated


globals().update({f.__name__[:-1]: _old(f) for f in (uniform_, normal_, constant_, eye_, dirac_, xavier_uniform_, xavier_normal_,
                                                     kaiming_uniform_, kaiming_normal_, orthogonal_, sparse_)})
