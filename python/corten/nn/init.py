# SPDX-License-Identifier: BSD-3-Clause
"""Initial values of parameters. Every function fills a tensor in place, without recording gradients, and returns it.

The order and number of random draws are PyTorch's: the same seed gives the same values.
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
    """Return the gain of a nonlinearity: the factor for the weights that compensates for the variance it removes.

        linear, convolutions, sigmoid: 1     tanh: 5/3     relu: sqrt(2)     leaky_relu: sqrt(2 / (1
        + slope^2))     selu: 3/4

    Args:
        nonlinearity: name of the function in nn.functional; unknown ones raise ValueError.
        param: the negative slope of leaky_relu. Default: None, 0.01.

    Example:
        >>> nn.init.calculate_gain("leaky_relu", 0.2)
        1.3867504905630728
    """
    if nonlinearity in _GAINS:
        return _GAINS[nonlinearity]
    if nonlinearity != "leaky_relu":
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    slope = 0.01 if param is None else param
    if isinstance(slope, bool) or not isinstance(slope, (int, float)):
        raise ValueError(f"negative_slope {param} not a valid number")
    return math.sqrt(2.0 / (1 + slope**2))


def _calculate_fan_in_and_fan_out(tensor):
    """Return (fan_in, fan_out): the sizes of dims 1 and 0, each times the size of the filter."""
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
    """Fill a tensor with random numbers, uniform in [a, b).

    Args:
        tensor: the tensor to fill.
        a: lower bound. Default: 0.
        b: upper bound. Default: 1.
        generator: source of random numbers. Default: None, the global one.

    Example:
        >>> w = nn.init.uniform_(torch.empty(1000), -0.1, 0.1)
        >>> bool(w.min() >= -0.1), bool(w.max() <= 0.1), bool(w.mean().abs() < 0.01)
        (True, True, True)
    """
    return tensor.uniform_(a, b, generator=generator)


def _no_grad_uniform_(tensor, a, b, generator=None):
    """`uniform_` under a name that libraries use."""
    return uniform_(tensor, a, b, generator)


@_unrecorded
def normal_(tensor, mean=0.0, std=1.0, generator=None):
    """Fill a tensor with random numbers from a normal distribution.

    Args:
        tensor: the tensor to fill.
        mean: its mean. Default: 0.
        std: its standard deviation. Default: 1.
        generator: source of random numbers. Default: None, the global one.

    Example:
        >>> w = nn.init.normal_(torch.empty(10000), std=0.02)
        >>> round(w.std().item(), 3)
        0.02
    """
    return tensor.normal_(mean, std, generator=generator)


@_unrecorded
def constant_(tensor, val):
    """Fill a tensor with one value.

    Args:
        tensor: the tensor to fill.
        val: the value.

    Example:
        >>> nn.init.constant_(torch.empty(2, 2), 0.3)
        tensor([[0.3000, 0.3000],
                [0.3000, 0.3000]])
    """
    return tensor.fill_(val)


@_unrecorded
def ones_(tensor):
    """Fill a tensor with ones.

    Args:
        tensor: the tensor to fill.

    Example:
        >>> nn.init.ones_(torch.empty(2, 2))
        tensor([[1., 1.],
                [1., 1.]])
    """
    return tensor.fill_(1.0)


@_unrecorded
def zeros_(tensor):
    """Fill a tensor with zeros.

    Args:
        tensor: the tensor to fill.

    Example:
        >>> nn.init.zeros_(torch.empty(2, 2))
        tensor([[0., 0.],
                [0., 0.]])
    """
    return tensor.zero_()


@_unrecorded
def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """Fill a tensor with random numbers from a normal distribution cut off at both ends.

    Values outside of [a, b] are drawn again, so the distribution inside keeps its shape. If the
    mean is more than 2 standard deviations outside of [a, b] it warns. Note that a and b are
    bounds of the values themselves, not numbers of standard deviations.

    Args:
        tensor: the tensor to fill.
        mean: mean of the normal distribution. Default: 0.
        std: its standard deviation. Default: 1.
        a: smallest value. Default: -2.
        b: greatest value. Default: 2.
        generator: source of random numbers. Default: None, the global one.

    Example:
        >>> w = nn.init.trunc_normal_(torch.empty(10000), std=0.02, a=-0.04, b=0.04)
        >>> bool(w.abs().max() <= 0.04), round(w.std().item(), 3)  # a little less than 0.02
        (True, 0.017)
    """
    if tensor.is_meta:
        return tensor
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn("mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be "
                      "incorrect.", stacklevel=3)
    below = [(1.0 + math.erf((x - mean) / std / math.sqrt(2.0))) / 2.0 for x in (a, b)]
    slope = max(a - mean, mean - b, 0) / std**2  # of log density at the end nearer to the mean
    draw = (_draw_inside if below[1] - below[0] > 0.3 else
            _draw_at_end if 1e3 < slope * (b - a) < math.inf else _draw_accepted)
    return draw(tensor, mean, std, a, b, generator)


def _draw_inside(tensor, mean, std, a, b, generator):
    """Draw all elements, then redraw those outside [a, b]; for intervals that contain most of the distribution."""
    low, high = (tensor.new_tensor(x, device="cpu").item() for x in (a, b))
    values = tensor.normal_(mean, std, generator=generator)
    while True:
        outside = (values < low) | (values > high)
        if not outside.any():
            break
        values = where(outside, empty_like(values).normal_(mean, std, generator=generator), values)
    return tensor if values is tensor else tensor.copy_(values)


def _draw_accepted(tensor, mean, std, a, b, generator):
    """Draw uniform candidates and accept each with its relative density; for intervals with little of the distribution."""
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
    """Draw the distance from the nearer bound, for a mean so far away that uniform candidates would rarely be accepted.

    There the distance is nearly exponential: draw it from that distribution, and accept it with the remaining factor.
    """
    wide = empty_like(tensor, dtype=float64)
    slope = (a - mean if mean < a else mean - b) / std**2
    distance = wide.clone().exponential_(slope, generator=generator)
    while True:
        outside = (distance > b - a) | (wide.uniform_(generator=generator).log_() > distance.square() / (-2 * std**2))
        if not outside.any():
            break
        distance = where(outside, wide.exponential_(slope, generator=generator), distance)
    return tensor.copy_(a + distance if mean < a else b - distance)


# ---- scaled by fan-in and fan-out ----

def xavier_uniform_(tensor, gain=1.0, generator=None):
    """Fill a weight with uniform numbers that keep the variance through layers (Glorot and Bengio, 2010).
uniform between -b and b, with b = gain * sqrt(6 / (fan_in + fan_out))
        Uniform between -b and b, with b = gain * sqrt(6 / (fan_in + fan_out)).

    The width is a compromise between forward (fan_in) and backward (fan_out). fan_in and fan_out
    are the sizes of dims 1 and 0, times the size of the filter for convolutions; fewer than 2
    dimensions raise ValueError. Suits tanh and sigmoid.

    Args:
        tensor: the tensor to fill.
        gain: factor for the nonlinearity, see `calculate_gain`. Default: 1.
        generator: source of random numbers. Default: None, the global one.

    Example:
        >>> w = nn.init.xavier_uniform_(torch.empty(200, 100))
        >>> round(w.max().item(), 3)  # sqrt(6 / 300) = 0.1414...
        0.141
    """
    std = gain * math.sqrt(2.0 / float(sum(_calculate_fan_in_and_fan_out(tensor))))
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    """Fill a weight with normal numbers that keep the variance through layers (Glorot and Bengio, 2010).

        normal with mean 0 and std = gain * sqrt(2 / (fan_in + fan_out))

    The width is a compromise between forward (fan_in) and backward (fan_out). fan_in and fan_out
    are the sizes of dims 1 and 0, times the size of the filter for convolutions; fewer than 2
    dimensions raise ValueError. Suits tanh and sigmoid.

    Args:
        tensor: the tensor to fill.
        gain: factor for the nonlinearity, see `calculate_gain`. Default: 1.
        generator: source of random numbers. Default: None, the global one.

    Example:
        >>> w = nn.init.xavier_normal_(torch.empty(200, 100))
        >>> round(w.std().item(), 2)  # sqrt(2 / 300) = 0.0816...
        0.08
    """
    std = gain * math.sqrt(2.0 / float(sum(_calculate_fan_in_and_fan_out(tensor))))
    return normal_(tensor, 0.0, std, generator)


def _kaiming_std(tensor, a, mode, nonlinearity):
    """Return the standard deviation, or None, with a warning, if the tensor is empty."""
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
        return None
    fan = _calculate_correct_fan(tensor, mode)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Fill a weight with uniform numbers that keep the variance through layers with ReLU (He et al., 2015).

        uniform between -b and b, with b = gain * sqrt(3 / fan)

    fan_in and fan_out are the sizes of dims 1 and 0, times the size of the filter for convolutions;
    fewer than 2 dimensions raise ValueError. A tensor without elements is left alone, with a
    warning.

    Args:
        tensor: the tensor to fill.
        a: negative slope of leaky_relu. Default: 0, that is relu.
        mode: "fan_in" keeps the variance of activations, "fan_out" that of gradients. Default:
            "fan_in".
        nonlinearity: name for `calculate_gain`. Default: "leaky_relu".
        generator: source of random numbers. Default: None, the global one.

    Example:
        >>> w = nn.init.kaiming_uniform_(torch.empty(200, 100), nonlinearity="relu")
        >>> round(w.max().item(), 3)  # sqrt(2) * sqrt(3 / 100) = 0.2449...
        0.245
    """
    std = _kaiming_std(tensor, a, mode, nonlinearity)
    if std is None:
        return tensor
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Fill a weight with normal numbers that keep the variance through layers with ReLU (He et al., 2015).

        normal with mean 0 and std = gain / sqrt(fan)

    fan_in and fan_out are the sizes of dims 1 and 0, times the size of the filter for convolutions;
    fewer than 2 dimensions raise ValueError. A tensor without elements is left alone, with a
    warning.

    Args:
        tensor: the tensor to fill.
        a: negative slope of leaky_relu. Default: 0, that is relu.
        mode: "fan_in" keeps the variance of activations, "fan_out" that of gradients. Default:
            "fan_in".
        nonlinearity: name for `calculate_gain`. Default: "leaky_relu".
        generator: source of random numbers. Default: None, the global one.

    Example:
        >>> w = nn.init.kaiming_normal_(torch.empty(200, 100), mode="fan_out", nonlinearity="relu")
        >>> round(w.std().item(), 2)  # sqrt(2) / sqrt(200) = 0.1
        0.1
    """
    std = _kaiming_std(tensor, a, mode, nonlinearity)
    return tensor if std is None else normal_(tensor, 0, std, generator)


# ---- matrices ----

@_unrecorded
def eye_(tensor):
    """Fill a matrix with the identity: ones on the diagonal, zeros elsewhere.

    A linear layer then passes on as many inputs as possible.

    Args:
        tensor: a matrix; other numbers of dimensions raise ValueError.

    Example:
        >>> nn.init.eye_(torch.empty(2, 3))
        tensor([[1., 0., 0.],
                [0., 1., 0.]])
    """
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    return tensor.copy_(_eye(*tensor.shape, dtype=tensor.dtype, device=tensor.device))


@_unrecorded
def dirac_(tensor, groups=1):
    """Fill the weight of a convolution so that it passes its input channels through.

    The centre of filter i is 1 for input channel i, everything else 0.

    Args:
        tensor: a weight of 3, 4 or 5 dimensions, (out_channels, in_channels, ...).
        groups: number of groups of the convolution, each of which passes on its channels. Default:
            1.

    Example:
        >>> nn.init.dirac_(torch.empty(2, 2, 3))
        tensor([[[0., 1., 0.],
                 [0., 0., 0.]],
        <BLANKLINE>
                [[0., 0., 0.],
                 [0., 1., 0.]]])
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
    """Fill a tensor with a random orthogonal matrix (Saxe et al., 2013).

    Rows are orthonormal if there are no more rows than columns, otherwise columns. Dimensions after
    the first are flattened for it.

    Args:
        tensor: at least 2 dimensions, otherwise ValueError.
        gain: factor for the result. Default: 1.
        generator: source of random numbers. Default: None, the global one.

    Example:
        >>> w = nn.init.orthogonal_(torch.empty(2, 5))
        >>> torch.allclose(w @ w.T, torch.eye(2), atol=1e-6)
        True
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
    q *= diag(r, 0).sign()  # makes Q unique, and uniformly distributed
    tensor.view_as(q.t_() if rows < columns else q).copy_(q)
    return tensor.mul_(gain)


@_unrecorded
def sparse_(tensor, sparsity, std=0.01, generator=None):
    """Fill a matrix with normal numbers and set a fraction of each column to zero (Martens, 2010).

    Args:
        tensor: a matrix; other numbers of dimensions raise ValueError.
        sparsity: fraction of each column that becomes zero, rounded up.
        std: standard deviation of the others. Default: 0.01.
        generator: source of the normal numbers; which elements become zero is always drawn from the
            global one. Default: None, the global one.

    Example:
        >>> w = nn.init.sparse_(torch.empty(10, 4), sparsity=0.3)
        >>> (w == 0).sum(0)
        tensor([3, 3, 3, 3])
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


# ---- deprecated names ----

def _old(function):
    """Return the deprecated form of an initialiser, whose name has no underscore; it warns."""
    name = function.__name__[:-1]

    def deprecated(*args, **kwargs):
        warnings.warn(f"`nn.init.{name}` is now deprecated in favor of `nn.init.{name}_`.", FutureWarning, stacklevel=2)
        return function(*args, **kwargs)

    deprecated.__name__ = deprecated.__qualname__ = name
    deprecated.__doc__ = f"Deprecated name of {name}_; calling it warns."
    return deprecated


globals().update({f.__name__[:-1]: _old(f) for f in (uniform_, normal_, constant_, eye_, dirac_, xavier_uniform_, xavier_normal_,
                                                     kaiming_uniform_, kaiming_normal_, orthogonal_, sparse_)})
