# SPDX-License-Identifier: BSD-3-Clause
"""Normalisation over the last dimensions, over groups of channels, and over neighbouring channels."""
from numbers import Integral

from ... import empty
from .. import functional as F
from .. import init
from ..parameter import Parameter
from ._stateless import Stateless
from .module import Module

__all__ = ["CrossMapLRN2d", "GroupNorm", "LayerNorm", "LocalResponseNorm", "RMSNorm"]


class _ResponseNorm(Stateless):
    """Base of the two response normalisations; prints their arguments."""

    def extra_repr(self):
        """The arguments as printed."""
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


class LocalResponseNorm(_ResponseNorm):
    """Divide each element by a power of the squares of neighbouring channels (Krizhevsky et al., 2012).

        y[c] = x[c] / (k + alpha / size * (sum of x[i]^2 over the `size` channels i around c))^beta

    Channels outside of the input count as zeros. Strong responses damp their neighbours; networks
    since AlexNet rarely use this layer.

    Args:
        size: number of channels in the sum.
        alpha: weight of the squares. Default: 0.0001.
        beta: the exponent. Default: 0.75.
        k: constant that keeps the divisor away from 0. Default: 1.

    Shape:
        - Input: (N, C, ...), at least 3 dimensions.
        - Output: the same shape.

    Example:
        >>> x = torch.full((1, 4, 1), 2.)
        >>> nn.LocalResponseNorm(2, alpha=2., beta=1.)(x).flatten()  # the first channel has one neighbour less
        tensor([0.4000, 0.2222, 0.2222, 0.2222])
    """

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1.0):
        super().__init__(size=size, alpha=alpha, beta=beta, k=k)

    def forward(self, input):
        """Normalise the input."""
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)


class CrossMapLRN2d(_ResponseNorm):
    """The response normalisation of old Torch models, for images.

        y[c] = x[c] * (k + alpha / size * (sum of x[i]^2 over the channels i around c))^-beta

    As in PyTorch, the running sum over channels never removes the first channel, so it counts for all later
    ones. Prefer LocalResponseNorm.

    Args:
        size: number of channels in the sum; (size - 1) / 2 on either side, rounded down.
        alpha: weight of the squares. Default: 0.0001.
        beta: the exponent. Default: 0.75.
        k: constant that keeps the base away from 0. Default: 1.

    Shape:
        - Input: (N, C, H, W); other numbers of dimensions raise ValueError.
        - Output: the same shape.

    Example:
        >>> nn.CrossMapLRN2d(3, alpha=3., beta=1.)(torch.ones(1, 4, 1, 1)).flatten()
        tensor([0.3333, 0.2500, 0.2000, 0.2500])
    """

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1):
        super().__init__(size=size, alpha=alpha, beta=beta, k=k)

    def forward(self, input):
        """Normalise the input."""
        if input.dim() != 4:
            raise ValueError(f"CrossMapLRN2d: Expected input to be 4D, got {input.dim()}D instead.")
        side, squares = int((self.size - 1) / 2), input * input
        later = max(input.size(1) - side - 1, 0)
        first = F.pad(squares[:, :1].expand(-1, later, -1, -1), (0, 0, 0, 0, input.size(1) - later, 0))
        squares = F.pad(squares, (0, 0, 0, 0, side, side)).unfold(1, 2 * side + 1, 1).sum(-1) + first
        return input * (squares * (self.alpha / self.size) + self.k) ** -self.beta


class _Scaled(Module):
    """Base of layers with a learned scale (initially 1) and shift (initially 0) per element."""

    def _make_parameters(self, shape, wanted, bias, device, dtype):
        self.register_parameter("weight", Parameter(empty(shape, device=device, dtype=dtype)) if wanted else None)
        self.register_parameter("bias", Parameter(empty(shape, device=device, dtype=dtype)) if wanted and bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        """Reset the scale to 1 and the shift to 0."""
        if self.weight is not None:
            init.ones_(self.weight)
            if self.bias is not None:
                init.zeros_(self.bias)


class LayerNorm(_Scaled):
    """Normalise each example over its last dimensions, then scale and shift it.

        y = (x - mean) / sqrt(var + eps) * weight + bias

    Mean and variance (divided by the number of elements) are taken over the dimensions of
    `normalized_shape`, separately for every position of the leading ones. Training and evaluation
    are the same, and examples do not influence each other; transformers use it for that. (Ba et
    al., 2016.)

    Args:
        normalized_shape: sizes of the last dimensions, or one int for the last alone. The input
            must end with them.
        eps: added to the variance, so that constant examples do not divide by zero. Default: 1e-5.
        elementwise_affine: whether to learn a scale and a shift for each element. Default: True.
        bias: with elementwise_affine=True, whether there is a shift. Default: True.
        device, dtype: the device and dtype of parameters and buffers. Default: the
            current defaults.

    Shape:
        - Input: (*, normalized_shape).
        - Output: the same shape.

    Attributes:
        weight, bias: normalized_shape, at first 1 and 0; None if not learned.

    Example:
        >>> layer = nn.LayerNorm(3, elementwise_affine=False)
        >>> layer(torch.tensor([[1., 2., 3.], [10., 20., 30.]])).round(decimals=3)
        tensor([[-1.2250,  0.0000,  1.2250],
                [-1.2250,  0.0000,  1.2250]])
        >>> nn.LayerNorm((4, 5)).weight.shape
        torch.Size([4, 5])
    """

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, Integral) else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self._make_parameters(self.normalized_shape, elementwise_affine, bias, device, dtype)

    def forward(self, input):
        """Normalise the input."""
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self):
        """The arguments as printed."""
        return (f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
                f"bias={self.bias is not None}")


class GroupNorm(_Scaled):
    """Normalise groups of channels of each example, then scale and shift each channel.

        y = (x - mean) / sqrt(var + eps) * weight + bias

    Mean and variance are taken over the channels of a group and all spatial dimensions of one
    example. With one group it resembles LayerNorm, with as many groups as channels InstanceNorm. It
    does not depend on the batch, so it suits batches too small for BatchNorm. (Wu and He, 2018.)

    Args:
        num_groups: number of groups; it must divide `num_channels`, otherwise ValueError.
        num_channels: number of channels, C.
        eps: added to the variance, so that constant groups do not divide by zero. Default: 1e-5.
        affine: whether to learn a scale and a shift for each channel. Default: True.
        device, dtype: the device and dtype of parameters and buffers. Default: the
            current defaults.
        bias: with affine=True, whether there is a shift. Default: True.

    Shape:
        - Input: (N, C, ...).
        - Output: the same shape.

    Attributes:
        weight, bias: (num_channels,), at first 1 and 0; None if not learned.

    Example:
        >>> x = torch.tensor([[1., 3., 10., 30.]])  # one example of four channels
        >>> nn.GroupNorm(2, 4)(x).detach().round(decimals=3)
        tensor([[-1.,  1., -1.,  1.]])
    """

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None, *, bias=True):
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        self._make_parameters(num_channels, affine, bias, device, dtype)

    def forward(self, input):
        """Normalise the input."""
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        """The arguments as printed."""
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, bias={self.bias is not None}"


class RMSNorm(Module):
    """Divide each example by its root mean square over the last dimensions, then scale it.

        y = x / sqrt(mean(x^2) + eps) * weight

    A LayerNorm without centring and shift: cheaper, and equally good in large language models. (Zhang
    and Sennrich, 2019.)

    Args:
        normalized_shape: sizes of the last dimensions, or one int for the last alone. The input
            must end with them.
        eps: added to the mean square. Default: None, the epsilon of the input's type
            (torch.finfo(dtype).eps).
        elementwise_affine: whether to learn a scale for each element. Default: True.
        device, dtype: the device and dtype of parameters and buffers. Default: the
            current defaults.

    Shape:
        - Input: (*, normalized_shape).
        - Output: the same shape.

    Attributes:
        weight: normalized_shape, at first 1; None if not learned.

    Example:
        >>> nn.RMSNorm(2)(torch.tensor([3., 4.])).detach().round(decimals=3)  # divided by sqrt(12.5)
        tensor([0.8490, 1.1310])
    """

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, Integral) else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        weight = Parameter(empty(self.normalized_shape, device=device, dtype=dtype)) if elementwise_affine else None
        self.register_parameter("weight", weight)
        self.reset_parameters()

    def reset_parameters(self):
        """Reset the scale to 1."""
        if self.elementwise_affine:
            init.ones_(self.weight)

    def forward(self, x):
        """Normalise the input."""
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self):
        """The arguments as printed."""
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
