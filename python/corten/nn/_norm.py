# SPDX-License-Identifier: BSD-3-Clause
"""The normalising functions of nn.functional, with PyTorch's argument order, and its errors for inputs that have no variance."""
from .. import _C

_rows = _C._submodules["nn.functional"]
__all__ = ["batch_norm", "group_norm", "instance_norm", "layer_norm", "normalize", "rms_norm"]


def _several(size):
    """Return whether a tensor of this size has more or fewer than one element."""
    count = 1
    for n in size:
        count *= n
    return count != 1


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """Normalise each channel over the batch and all spatial dimensions.

        y = (x - mean) / sqrt(var + eps) * weight + bias

    With training=True mean and variance are those of the batch, and running averages given are
    updated in place: running = (1 - momentum) * running + momentum * batch, with the unbiased
    variance. Otherwise the running averages are used. The layers are nn.BatchNorm1d, 2d and 3d.

    Args:
        input: (N, C, ...).
        running_mean, running_var: (C,), the running averages: updated in place while training, used
            otherwise. May be None while training.
        weight, bias: (C,), scale and shift. Default: None.
        training: whether to use the statistics of the batch. More than one value per channel is
            needed, otherwise ValueError. Default: False.
        momentum: weight of this batch in the running averages. Default: 0.1.
        eps: added to the variance. Default: 1e-5.

    Example:
        >>> x = torch.tensor([[1., 2.], [3., 6.]])
        >>> y = nn.functional.batch_norm(x, None, None, training=True)
        >>> y.round(decimals=3)
        tensor([[-1., -1.],
                [ 1.,  1.]])
        >>> mean, var = torch.tensor([1., 2.]), torch.tensor([4., 4.])
        >>> nn.functional.batch_norm(x, mean, var, eps=0.)
        tensor([[0., 0.],
                [1., 2.]])
    """
    if eps < 0 or (training and eps == 0):
        rule = "positive during training" if training else "non-negative"
        raise ValueError(f"batch_norm eps must be {rule}, but got {eps}")
    if training:
        size = input.size()
        if not _several((size[0], *size[2:])):
            raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")
    return _C.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, False)


def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True,
                  momentum=0.1, eps=1e-5):
    """Normalise each channel of each example over its spatial dimensions.

        y = (x - mean) / sqrt(var + eps) * weight + bias

    The layers are nn.InstanceNorm1d, 2d and 3d.

    Args:
        input: (N, C, ...), with at least one spatial dimension.
        running_mean, running_var: (C,), the running averages: updated in place while training, used
            otherwise. Default: None.
        weight, bias: (C,), scale and shift. Default: None.
        use_input_stats: whether to use the statistics of the input; otherwise the running averages.
            Default: True.
        momentum: weight of this batch in the running averages. Default: 0.1.
        eps: added to the variance. Default: 1e-5.

    Example:
        >>> x = torch.tensor([[[1., 3.], [10., 30.]]])
        >>> nn.functional.instance_norm(x).round(decimals=3)
        tensor([[[-1.,  1.],
                 [-1.,  1.]]])
    """
    if use_input_stats and not _several(input.size()[2:]):
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.size()}")
    return _C.instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, False)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """Normalise over the last dimensions.

        y = (x - mean) / sqrt(var + eps) * weight + bias

    Mean and variance are those of the dimensions in `normalized_shape`, for each position of the
    others. The layer is nn.LayerNorm.

    Args:
        input: (*, normalized_shape).
        normalized_shape: sizes of the last dimensions.
        weight, bias: normalized_shape, scale and shift. Default: None.
        eps: added to the variance. Default: 1e-5.

    Example:
        >>> x = torch.tensor([[1., 2., 3.], [10., 20., 30.]])
        >>> nn.functional.layer_norm(x, (3,)).round(decimals=3)
        tensor([[-1.2250,  0.0000,  1.2250],
                [-1.2250,  0.0000,  1.2250]])
    """
    return _C.layer_norm(input, normalized_shape, weight, bias, eps)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """Normalise groups of channels of each example.

        y = (x - mean) / sqrt(var + eps) * weight + bias

    Mean and variance are those of the channels of a group and all spatial dimensions. The layer is
    nn.GroupNorm.

    Args:
        input: (N, C, ...).
        num_groups: number of groups; it must divide C.
        weight, bias: (C,), scale and shift. Default: None.
        eps: added to the variance. Default: 1e-5.

    Example:
        >>> x = torch.tensor([[1., 3., 10., 30.]])
        >>> nn.functional.group_norm(x, 2).round(decimals=3)
        tensor([[-1.,  1., -1.,  1.]])
    """
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.dim()}")
    size = input.size()
    if not _several((size[0] * size[1] // num_groups, *size[2:])):
        size = [size[0] * size[1] // num_groups, num_groups, *size[2:]]
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")
    return _C.group_norm(input, num_groups, weight, bias, eps)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    """Divide by the root mean square over the last dimensions.

        y = x / sqrt(mean(x^2) + eps) * weight

    The layer is nn.RMSNorm.

    Args:
        input: (*, normalized_shape).
        normalized_shape: sizes of the last dimensions.
        weight: normalized_shape, the scale. Default: None.
        eps: added to the mean square. Default: None, the epsilon of the input's type.

    Example:
        >>> nn.functional.rms_norm(torch.tensor([3., 4.]), (2,)).round(decimals=3)  # divided by sqrt(12.5)
        tensor([0.8490, 1.1310])
    """
    return _C.rms_norm(input, normalized_shape, weight, eps)


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """Divide by the p-norm along a dimension, so that vectors get length 1.

        y = x / max(norm(x, p), eps)

    Zero vectors stay zero.

    Args:
        input: a tensor of any shape.
        p: exponent of the norm. Default: 2.
        dim: the dimension of the vectors, several of them, or None for all. Default: 1.
        eps: lower limit of the divisor. Default: 1e-12.
        out: a tensor for the result. Default: None.

    Example:
        >>> nn.functional.normalize(torch.tensor([[3., 4.], [0., 0.]]))
        tensor([[0.6000, 0.8000],
                [0.0000, 0.0000]])
    """
    result = _rows.normalize(input, p, dim, eps)
    return result if out is None else _C.div(result, 1, out=out)
