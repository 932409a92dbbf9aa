# SPDX-License-Identifier: BSD-3-Clause
"""The normalising functions of nn.functional: PyTorch's order of arguments, and batches of one."""
from .. import _C

_rows = _C._submodules["nn.functional"]
__all__ = ["batch_norm", "group_norm", "instance_norm", "layer_norm", "normalize", "rms_norm"]


def _several(size):
    count = 1
    for n in size:
        count *= n
    return count != 1


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """Each channel less its mean, divided by its deviation.

        >>> x = torch.tensor([[1., 2.], [3., 6.]])
        >>> torch.nn.functional.batch_norm(x, None, None, training=True)
        tensor([[-1.0000, -1.0000],
                [ 1.0000,  1.0000]])
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
    """Each channel of each element of the batch less its mean, divided by its deviation.

        >>> torch.nn.functional.instance_norm(torch.tensor([[[1., 3.], [2., 6.]]]))
        tensor([[[-1.0000,  1.0000],
                 [-1.0000,  1.0000]]])
    """
    if use_input_stats and not _several(input.size()[2:]):
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.size()}")
    return _C.instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, False)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """The last dims less their mean, divided by their deviation.

        >>> nn.functional.layer_norm(torch.zeros(1, 2, 2), (2, 2)).shape
        torch.Size([1, 2, 2])
    """
    return _C.layer_norm(input, normalized_shape, weight, bias, eps)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """Groups of channels less their mean, divided by their deviation.

        >>> nn.functional.group_norm(torch.arange(6.).view(1, 6), 2)
        tensor([[-1.2247,  0.0000,  1.2247, -1.2247,  0.0000,  1.2247]])
    """
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.dim()}")
    size = input.size()
    if not _several((size[0] * size[1] // num_groups, *size[2:])):
        size = [size[0] * size[1] // num_groups, num_groups, *size[2:]]
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")
    return _C.group_norm(input, num_groups, weight, bias, eps)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    """The last dims divided by the root of their mean square.

        >>> nn.functional.rms_norm(torch.zeros(1, 2, 2), (2, 2)).shape
        torch.Size([1, 2, 2])
    """
    return _C.rms_norm(input, normalized_shape, weight, eps)


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """Divided by the p-norm along `dim` (one dim, several, or None for all), which is no less than `eps`.

        >>> nn.functional.normalize(torch.arange(6.).view(1, 6), 2)
        tensor([[0.0000, 0.1348, 0.2697, 0.4045, 0.5394, 0.6742]])
    """
    result = _rows.normalize(input, p, dim, eps)
    return result if out is None else _C.div(result, 1, out=out)
