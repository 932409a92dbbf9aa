# SPDX-License-Identifier: BSD-3-Clause
"""Older functions of torch's main namespace: nuclear norm, and the steps of synchronized batch norm.

A batch that is spread over processes is normalized in steps: each process computes `batch_norm_stats`, gathers the statistics
of all (`batch_norm_gather_stats_with_counts`) and applies them (`batch_norm_elemt`). Backward has two steps likewise.
"""
import warnings

from . import _C

__all__ = ["batch_norm_backward_elemt", "batch_norm_backward_reduce", "batch_norm_elemt", "batch_norm_gather_stats",
           "batch_norm_gather_stats_with_counts", "batch_norm_stats", "batch_norm_update_stats", "native_channel_shuffle",
           "nuclear_norm"]


def nuclear_norm(input, dim=None, keepdim=False, *, out=None):
    """Return the sum of the singular values of matrices. Deprecated: use linalg.matrix_norm(input, "nuc").

    Args:
        input: matrices, of shape (..., m, n).
        dim: the two dims of the matrices; None: the last two. Default: None
        keepdim: whether reduced dims stay, with size 1. Default: False
        out: a tensor to write the result into. Default: None

        >>> torch.linalg.matrix_norm(torch.diag(torch.tensor([1., 2.])), "nuc")
        tensor(3.)
    """
    warnings.warn("at::nuclear_norm is deprecated and it is just left for JIT compatibility. It will be removed in a future PyTorch "
                  "release. Please use `linalg.matrix_norm(A, 'nuc', dim, keepdim)` instead", stacklevel=2)
    if isinstance(dim, bool):  # called as nuclear_norm(x, True)
        dim, keepdim = None, dim
    dim = (-2, -1) if dim is None else tuple(dim) if not isinstance(dim, int) else (dim, dim)
    return _C._submodules["linalg"].matrix_norm(input, "nuc", dim, keepdim, out=out)


def native_channel_shuffle(input, groups):
    """Divide the channels into groups and interleave them; the same as channel_shuffle.

    Args:
        input: the input, of shape (N, C, ...).
        groups: the number of groups, which must divide C.

        >>> torch.native_channel_shuffle(torch.arange(4.).view(1, 4, 1), 2).flatten()
        tensor([0., 2., 1., 3.])
    """
    return _C.channel_shuffle(input, groups)


def _dims(input):
    return [d for d in range(input.dim()) if d != 1]


def _wide(input):
    """Converts half types to float32."""
    return input.float() if input.dtype in (_C.float16, _C.bfloat16) else input


def _by_channel(numbers, input):
    return numbers.reshape([-1 if d == 1 else 1 for d in range(input.dim())])


def _follow(running, found, momentum):
    if running is not None:
        with _C.no_grad():
            running.lerp_(found.to(running.dtype), momentum)


def batch_norm_update_stats(input, running_mean, running_var, momentum):
    """Return the mean and the variance of each channel of a batch, and update the running statistics with them.

        >>> torch.batch_norm_update_stats(torch.tensor([[1.], [3.]]), None, None, 0.1)
        (tensor([2.]), tensor([1.]))
    """
    var, mean = _C.var_mean(input, _dims(input), correction=0)
    count = input.numel() // max(input.shape[1], 1)
    _follow(running_mean, mean, momentum)
    _follow(running_var, var * (count / max(count - 1, 1)), momentum)
    return mean, var


def batch_norm_stats(input, eps):
    """Return the mean of each channel, and 1 / sqrt(variance + eps).

        >>> torch.batch_norm_stats(torch.tensor([[1.], [5.]]), 0)
        (tensor([3.]), tensor([0.5000]))
    """
    var, mean = _C.var_mean(_wide(input), _dims(input), correction=0)
    return mean, _C.rsqrt(var + eps)


def batch_norm_gather_stats_with_counts(input, mean, invstd, running_mean, running_var, momentum, eps, counts):
    """Combines the statistics of several parts of a batch, and updates the running statistics.

    Args:
        input: a tensor of the batch; only its device and dtype matter.
        mean, invstd: (parts, channels), as batch_norm_stats returns them.
        counts: the number of values per channel in each part.
    """
    if mean.device != input.device:
        raise RuntimeError(f"Expected the statistics on {input.device}, where the input is, but got {mean.device}")
    mean, invstd = _wide(mean), _wide(invstd)
    share = counts.to(mean.dtype).reshape(-1, 1)
    count = share.sum()
    joined = (mean * share).sum(0) / count
    var = ((invstd ** -2 - eps + (mean - joined) ** 2) * share).sum(0) / count
    _follow(running_mean, joined, momentum)
    _follow(running_var, var * (count / (count - 1).clamp(min=1)), momentum)
    return joined, _C.rsqrt(var + eps)


def batch_norm_gather_stats(input, mean, invstd, running_mean, running_var, momentum, eps, count):
    """Combine the statistics of parts of a batch that have the same size; see batch_norm_gather_stats_with_counts."""
    counts = _C.full((mean.shape[0],), count, dtype=_C.float32, device=mean.device)
    return batch_norm_gather_stats_with_counts(input, mean, invstd, running_mean, running_var, momentum, eps, counts)


def batch_norm_elemt(input, weight, bias, mean, invstd, eps):
    """Normalize each channel: (input - mean) * invstd * weight + bias; invstd is 1 / sqrt(variance + eps)."""
    result = (_wide(input) - _by_channel(mean, input)) * _by_channel(invstd, input)
    if weight is not None:
        result = result * _by_channel(weight, input)
    if bias is not None:
        result = result + _by_channel(bias, input)
    return result.to(input.dtype)


def batch_norm_backward_reduce(grad_out, input, mean, invstd, weight, input_g, weight_g, bias_g):
    """First step of backward: sums over this part of the batch.

    Returns sum(dy), sum(dy * (x - mean)), and the gradients of weight and bias; those not requested are None.
    """
    dims, grad = _dims(input), _wide(grad_out)
    sum_dy = grad.sum(dims)
    sum_dy_xmu = (grad * (_wide(input) - _by_channel(mean, input))).sum(dims)
    kind = mean.dtype if weight is None else weight.dtype
    sums = (sum_dy, sum_dy_xmu) if input_g else (None, None)
    return (*sums, (sum_dy_xmu * invstd).to(kind) if weight_g else None, sum_dy.to(kind) if bias_g else None)


def batch_norm_backward_elemt(grad_out, input, mean, invstd, weight, sum_dy, sum_dy_xmu, count):
    """Return the gradient of the input, given the sums over the whole batch. count: the size of a channel in each part."""
    total = count.sum()
    shift = _by_channel(sum_dy / total, input)
    slope = _by_channel(invstd ** 2 * sum_dy_xmu / total, input)
    scale = _by_channel(invstd if weight is None else invstd * weight, input)
    return ((_wide(grad_out) - shift - (_wide(input) - _by_channel(mean, input)) * slope) * scale).to(input.dtype)
