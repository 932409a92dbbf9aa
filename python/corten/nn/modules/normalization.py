# SPDX-License-Identifier: BSD-3-Clause
"""Normalisation over the last dims, over groups of channels, and over neighbouring channels."""
from numbers import Integral

from ... import empty
from .. import functional as F
from .. import init
from ..parameter import Parameter
from ._stateless import Stateless
from .module import Module

__all__ = ["CrossMapLRN2d", "GroupNorm", "LayerNorm", "LocalResponseNorm", "RMSNorm"]


class _ResponseNorm(Stateless):
    def extra_repr(self):
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


class LocalResponseNorm(_ResponseNorm):
    """Divides by the squares of neighbouring channels.

        >>> nn.LocalResponseNorm(2)(torch.randn(2, 5, 3, 3)).shape
        torch.Size([2, 5, 3, 3])
    """

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1.0):
        super().__init__(size=size, alpha=alpha, beta=beta, k=k)

    def forward(self, input):
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)


class CrossMapLRN2d(_ResponseNorm):
    """The older form of LocalResponseNorm: as many channels on either side, and images alone.

    As in PyTorch, whose running sum never takes it away again, the first channel counts for all that follow.

        >>> nn.CrossMapLRN2d(3, alpha=0.1)(torch.randn(2, 5, 3, 3)).shape
        torch.Size([2, 5, 3, 3])
    """

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1):
        super().__init__(size=size, alpha=alpha, beta=beta, k=k)

    def forward(self, input):
        if input.dim() != 4:
            raise ValueError(f"CrossMapLRN2d: Expected input to be 4D, got {input.dim()}D instead.")
        side, squares = int((self.size - 1) / 2), input * input
        later = max(input.size(1) - side - 1, 0)
        first = F.pad(squares[:, :1].expand(-1, later, -1, -1), (0, 0, 0, 0, input.size(1) - later, 0))
        squares = F.pad(squares, (0, 0, 0, 0, side, side)).unfold(1, 2 * side + 1, 1).sum(-1) + first
        return input * (squares * (self.alpha / self.size) + self.k) ** -self.beta


class _Scaled(Module):
    """A scale and a shift for each of some elements, ones and zeros at first."""

    def _make_parameters(self, shape, wanted, bias, device, dtype):
        self.register_parameter("weight", Parameter(empty(shape, device=device, dtype=dtype)) if wanted else None)
        self.register_parameter("bias", Parameter(empty(shape, device=device, dtype=dtype)) if wanted and bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        if self.weight is not None:
            init.ones_(self.weight)
            if self.bias is not None:
                init.zeros_(self.bias)


class LayerNorm(_Scaled):
    """Normalises the last dims to mean 0 and variance 1.

        >>> nn.LayerNorm(4)(torch.randn(3, 4)).shape
        torch.Size([3, 4])
    """

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, Integral) else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self._make_parameters(self.normalized_shape, elementwise_affine, bias, device, dtype)

    def forward(self, input):
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return (f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
                f"bias={self.bias is not None}")


class GroupNorm(_Scaled):
    """Normalises groups of channels of each example.

        >>> nn.GroupNorm(2, 4)(torch.randn(3, 4, 5)).shape
        torch.Size([3, 4, 5])
    """

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None, *, bias=True):
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        self._make_parameters(num_channels, affine, bias, device, dtype)

    def forward(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, bias={self.bias is not None}"


class RMSNorm(Module):
    """Divides the last dims by their root mean square.

        >>> nn.RMSNorm(4)(torch.randn(3, 4)).shape
        torch.Size([3, 4])
    """

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, Integral) else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        weight = Parameter(empty(self.normalized_shape, device=device, dtype=dtype)) if elementwise_affine else None
        self.register_parameter("weight", weight)
        self.reset_parameters()

    def reset_parameters(self):
        if self.elementwise_affine:
            init.ones_(self.weight)

    def forward(self, x):
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self):
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
