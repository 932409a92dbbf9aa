# SPDX-License-Identifier: BSD-3-Clause
"""Padding: four ways to fill the margin, each for one to three dims."""
from .. import functional as F
from ._stateless import Stateless
from .utils import _ntuple

__all__ = ["CircularPad1d", "CircularPad2d", "CircularPad3d", "ConstantPad1d", "ConstantPad2d", "ConstantPad3d",
           "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d",
           "ZeroPad1d", "ZeroPad2d", "ZeroPad3d"]


class _Pad(Stateless):
    """A margin before and after each of the last `_spatial` dims; `_mode` says what it is filled with."""

    def __init__(self, padding, **arguments):
        super().__init__(padding=_ntuple(2 * self._spatial)(padding), **arguments)

    def extra_repr(self):
        return str(self.padding)


class _CircularPadNd(_Pad):
    def __init__(self, padding):
        super().__init__(padding)

    def _check_input_dim(self, input):
        n = self._spatial
        if input.dim() not in (n + 1, n + 2):
            raise ValueError(f"expected {n + 1}D or {n + 2}D input (got {input.dim()}D input)")

    def forward(self, input):
        self._check_input_dim(input)
        return F.pad(input, self.padding, "circular")


class CircularPad1d(_CircularPadNd):
    """Goes on at the other end.

        >>> nn.CircularPad1d(2)(torch.randn(2, 2, 4)).shape
        torch.Size([2, 2, 8])
    """

    _spatial = 1


class CircularPad2d(_CircularPadNd):
    """Goes on at the other end.

        >>> nn.CircularPad2d((1, 2, 0, 1))(torch.randn(1, 2, 3, 3)).shape
        torch.Size([1, 2, 4, 6])
    """

    _spatial = 2


class CircularPad3d(_CircularPadNd):
    """Goes on at the other end.

        >>> nn.CircularPad3d(1)(torch.randn(1, 1, 2, 3, 2)).shape
        torch.Size([1, 1, 4, 5, 4])
    """

    _spatial = 3


class _ConstantPadNd(_Pad):
    def __init__(self, padding, value):
        super().__init__(padding, value=value)

    def forward(self, input):
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPadNd):
    """One value.

        >>> nn.ConstantPad1d(2, 3.5)(torch.randn(2, 3)).shape
        torch.Size([2, 7])
    """

    _spatial = 1


class ConstantPad2d(_ConstantPadNd):
    """One value.

        >>> nn.ConstantPad2d((1, 0, 2, 1), -1.)(torch.randn(1, 2, 3, 3)).shape
        torch.Size([1, 2, 6, 4])
    """

    _spatial = 2


class ConstantPad3d(_ConstantPadNd):
    """One value.

        >>> nn.ConstantPad3d(1, 0.5)(torch.randn(1, 1, 2, 2, 2)).shape
        torch.Size([1, 1, 4, 4, 4])
    """

    _spatial = 3


class _ReflectionPadNd(_Pad):
    def __init__(self, padding):
        super().__init__(padding)

    def forward(self, input):
        return F.pad(input, self.padding, "reflect")


class ReflectionPad1d(_ReflectionPadNd):
    """Mirrors the input at its border.

        >>> nn.ReflectionPad1d(2)(torch.randn(2, 2, 4)).shape
        torch.Size([2, 2, 8])
    """

    _spatial = 1


class ReflectionPad2d(_ReflectionPadNd):
    """Mirrors the input at its border.

        >>> nn.ReflectionPad2d((1, 2, 0, 1))(torch.randn(1, 2, 3, 3)).shape
        torch.Size([1, 2, 4, 6])
    """

    _spatial = 2


class ReflectionPad3d(_ReflectionPadNd):
    """Mirrors the input at its border.

        >>> nn.ReflectionPad3d(1)(torch.randn(1, 1, 2, 3, 2)).shape
        torch.Size([1, 1, 4, 5, 4])
    """

    _spatial = 3


class _ReplicationPadNd(_Pad):
    def __init__(self, padding):
        super().__init__(padding)

    def forward(self, input):
        return F.pad(input, self.padding, "replicate")


class ReplicationPad1d(_ReplicationPadNd):
    """Repeats the border.

        >>> nn.ReplicationPad1d((1, 2))(torch.randn(2, 2, 4)).shape
        torch.Size([2, 2, 7])
    """

    _spatial = 1


class ReplicationPad2d(_ReplicationPadNd):
    """Repeats the border.

        >>> nn.ReplicationPad2d(1)(torch.randn(1, 2, 3, 3)).shape
        torch.Size([1, 2, 5, 5])
    """

    _spatial = 2


class ReplicationPad3d(_ReplicationPadNd):
    """Repeats the border.

        >>> nn.ReplicationPad3d(1)(torch.randn(1, 1, 2, 3, 2)).shape
        torch.Size([1, 1, 4, 5, 4])
    """

    _spatial = 3


class _ZeroPad:
    def __init__(self, padding):
        super().__init__(padding, 0.0)

    def extra_repr(self):
        return str(self.padding)


class ZeroPad1d(_ZeroPad, ConstantPad1d):
    """Zeros.

        >>> nn.ZeroPad1d((1, 2))(torch.randn(2, 3)).shape
        torch.Size([2, 6])
    """


class ZeroPad2d(_ZeroPad, ConstantPad2d):
    """Zeros.

        >>> nn.ZeroPad2d(1)(torch.randn(1, 2, 3, 3)).shape
        torch.Size([1, 2, 5, 5])
    """


class ZeroPad3d(_ZeroPad, ConstantPad3d):
    """Zeros.

        >>> nn.ZeroPad3d(1)(torch.randn(1, 1, 2, 2, 2)).shape
        torch.Size([1, 1, 4, 4, 4])
    """
