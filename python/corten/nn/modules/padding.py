# SPDX-License-Identifier: BSD-3-Clause
"""Padding layers: circular, constant, reflecting and replicating, each for one to three dimensions."""
from .. import functional as F
from ._stateless import Stateless
from .utils import _ntuple

__all__ = ["CircularPad1d", "CircularPad2d", "CircularPad3d", "ConstantPad1d", "ConstantPad2d", "ConstantPad3d",
           "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d",
           "ZeroPad1d", "ZeroPad2d", "ZeroPad3d"]


class _Pad(Stateless):
    """Base of the padding layers: adds elements at both ends of each of the last `_spatial` dimensions."""

    def __init__(self, padding, **arguments):
        super().__init__(padding=_ntuple(2 * self._spatial)(padding), **arguments)

    def extra_repr(self):
        """The arguments as printed."""
        return str(self.padding)


class _CircularPadNd(_Pad):
    """Base of the circular paddings."""

    def __init__(self, padding):
        super().__init__(padding)

    def _check_input_dim(self, input):
        """Raise ValueError if the input has neither a batch nor a channel dimension."""
        n = self._spatial
        if input.dim() not in (n + 1, n + 2):
            raise ValueError(f"expected {n + 1}D or {n + 2}D input (got {input.dim()}D input)")

    def forward(self, input):
        """Pad the last dimensions of the input."""
        self._check_input_dim(input)
        return F.pad(input, self.padding, "circular")


class CircularPad1d(_CircularPadNd):
    """Pad a sequence with its opposite end, as if it repeated forever.

    Padding must not exceed the size of its dimension. Negative numbers crop.

    Args:
        padding: an int for all sides, or a tuple (left, right): the last dimension comes first.

    Shape:
        - Input: (N, C, L) or (C, L).
        - Output: the same with spatial sizes (L + left + right).

    Example:
        >>> nn.CircularPad1d((2, 1))(torch.tensor([[[1., 2., 3., 4.]]]))
        tensor([[[3., 4., 1., 2., 3., 4., 1.]]])
    """

    _spatial = 1


class CircularPad2d(_CircularPadNd):
    """Pad an image with its opposite end, as if it repeated forever.

    Padding must not exceed the size of its dimension. Negative numbers crop.

    Args:
        padding: an int for all sides, or a tuple (left, right, top, bottom): the last dimension
            comes first.

    Shape:
        - Input: (N, C, H, W) or (C, H, W).
        - Output: the same with spatial sizes (H + top + bottom, W + left + right).

    Example:
        >>> nn.CircularPad2d((1, 1, 0, 1))(torch.tensor([[[1., 2.], [3., 4.]]]))
        tensor([[[2., 1., 2., 1.],
                 [4., 3., 4., 3.],
                 [2., 1., 2., 1.]]])
    """

    _spatial = 2


class CircularPad3d(_CircularPadNd):
    """Pad a volume with its opposite end, as if it repeated forever.

    Padding must not exceed the size of its dimension. Negative numbers crop.

    Args:
        padding: an int for all sides, or a tuple (left, right, top, bottom, front, back): the last
            dimension comes first.

    Shape:
        - Input: (N, C, D, H, W) or (C, D, H, W).
        - Output: the same with spatial sizes (D + front + back, H + top + bottom, W + left +
          right).

    Example:
        >>> nn.CircularPad3d((1, 1, 0, 0, 0, 1))(torch.ones(1, 1, 2, 2, 3)).shape
        torch.Size([1, 1, 3, 2, 5])
    """

    _spatial = 3


class _ConstantPadNd(_Pad):
    """Base of the constant paddings; stores the value."""

    def __init__(self, padding, value):
        super().__init__(padding, value=value)

    def forward(self, input):
        """Pad the last dimensions of the input."""
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        """The arguments as printed."""
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPadNd):
    """Pad a sequence with a constant value.

    Negative numbers crop.

    Args:
        padding: an int for all sides, or a tuple (left, right): the last dimension comes first.
        value: the number to fill with.

    Shape:
        - Input: (*, L).
        - Output: (*, L + left + right).

    Example:
        >>> nn.ConstantPad1d((2, 1), 9.)(torch.tensor([[[1., 2., 3., 4.]]]))
        tensor([[[9., 9., 1., 2., 3., 4., 9.]]])
    """

    _spatial = 1


class ConstantPad2d(_ConstantPadNd):
    """Pad an image with a constant value.

    Negative numbers crop.

    Args:
        padding: an int for all sides, or a tuple (left, right, top, bottom): the last dimension
            comes first.
        value: the number to fill with.

    Shape:
        - Input: (*, H, W).
        - Output: (*, H + top + bottom, W + left + right).

    Example:
        >>> nn.ConstantPad2d((1, 1, 0, 1), 9.)(torch.tensor([[[1., 2.], [3., 4.]]]))
        tensor([[[9., 1., 2., 9.],
                 [9., 3., 4., 9.],
                 [9., 9., 9., 9.]]])
    """

    _spatial = 2


class ConstantPad3d(_ConstantPadNd):
    """Pad a volume with a constant value.

    Negative numbers crop.

    Args:
        padding: an int for all sides, or a tuple (left, right, top, bottom, front, back): the last
            dimension comes first.
        value: the number to fill with.

    Shape:
        - Input: (*, D, H, W).
        - Output: (*, D + front + back, H + top + bottom, W + left + right).

    Example:
        >>> nn.ConstantPad3d((1, 1, 0, 0, 0, 1), 9.)(torch.ones(1, 1, 2, 2, 3)).shape
        torch.Size([1, 1, 3, 2, 5])
    """

    _spatial = 3


class _ReflectionPadNd(_Pad):
    """Base of the reflecting paddings."""

    def __init__(self, padding):
        super().__init__(padding)

    def forward(self, input):
        """Pad the last dimensions of the input."""
        return F.pad(input, self.padding, "reflect")


class ReflectionPad1d(_ReflectionPadNd):
    """Pad a sequence with its mirror image; the edge itself is not repeated.

    Padding must be less than the size of its dimension, otherwise RuntimeError. Negative numbers
    crop.

    Args:
        padding: an int for all sides, or a tuple (left, right): the last dimension comes first.

    Shape:
        - Input: (N, C, L) or (C, L).
        - Output: the same with spatial sizes (L + left + right).

    Example:
        >>> nn.ReflectionPad1d((2, 1))(torch.tensor([[[1., 2., 3., 4.]]]))
        tensor([[[3., 2., 1., 2., 3., 4., 3.]]])
    """

    _spatial = 1


class ReflectionPad2d(_ReflectionPadNd):
    """Pad an image with its mirror image; the edge itself is not repeated.

    Padding must be less than the size of its dimension, otherwise RuntimeError. Negative numbers
    crop.

    Args:
        padding: an int for all sides, or a tuple (left, right, top, bottom): the last dimension
            comes first.

    Shape:
        - Input: (N, C, H, W) or (C, H, W).
        - Output: the same with spatial sizes (H + top + bottom, W + left + right).

    Example:
        >>> nn.ReflectionPad2d((1, 1, 0, 1))(torch.tensor([[[1., 2.], [3., 4.]]]))
        tensor([[[2., 1., 2., 1.],
                 [4., 3., 4., 3.],
                 [2., 1., 2., 1.]]])
    """

    _spatial = 2


class ReflectionPad3d(_ReflectionPadNd):
    """Pad a volume with its mirror image; the edge itself is not repeated.

    Padding must be less than the size of its dimension, otherwise RuntimeError. Negative numbers
    crop.

    Args:
        padding: an int for all sides, or a tuple (left, right, top, bottom, front, back): the last
            dimension comes first.

    Shape:
        - Input: (N, C, D, H, W) or (C, D, H, W).
        - Output: the same with spatial sizes (D + front + back, H + top + bottom, W + left +
          right).

    Example:
        >>> nn.ReflectionPad3d((1, 1, 0, 0, 0, 1))(torch.ones(1, 1, 2, 2, 3)).shape
        torch.Size([1, 1, 3, 2, 5])
    """

    _spatial = 3


class _ReplicationPadNd(_Pad):
    """Base of the replicating paddings."""

    def __init__(self, padding):
        super().__init__(padding)

    def forward(self, input):
        """Pad the last dimensions of the input."""
        return F.pad(input, self.padding, "replicate")


class ReplicationPad1d(_ReplicationPadNd):
    """Pad a sequence with copies of its edge.

    Negative numbers crop.

    Args:
        padding: an int for all sides, or a tuple (left, right): the last dimension comes first.

    Shape:
        - Input: (N, C, L) or (C, L).
        - Output: the same with spatial sizes (L + left + right).

    Example:
        >>> nn.ReplicationPad1d((2, 1))(torch.tensor([[[1., 2., 3., 4.]]]))
        tensor([[[1., 1., 1., 2., 3., 4., 4.]]])
    """

    _spatial = 1


class ReplicationPad2d(_ReplicationPadNd):
    """Pad an image with copies of its edge.

    Negative numbers crop.

    Args:
        padding: an int for all sides, or a tuple (left, right, top, bottom): the last dimension
            comes first.

    Shape:
        - Input: (N, C, H, W) or (C, H, W).
        - Output: the same with spatial sizes (H + top + bottom, W + left + right).

    Example:
        >>> nn.ReplicationPad2d((1, 1, 0, 1))(torch.tensor([[[1., 2.], [3., 4.]]]))
        tensor([[[1., 1., 2., 2.],
                 [3., 3., 4., 4.],
                 [3., 3., 4., 4.]]])
    """

    _spatial = 2


class ReplicationPad3d(_ReplicationPadNd):
    """Pad a volume with copies of its edge.

    Negative numbers crop.

    Args:
        padding: an int for all sides, or a tuple (left, right, top, bottom, front, back): the last
            dimension comes first.

    Shape:
        - Input: (N, C, D, H, W) or (C, D, H, W).
        - Output: the same with spatial sizes (D + front + back, H + top + bottom, W + left +
          right).

    Example:
        >>> nn.ReplicationPad3d((1, 1, 0, 0, 0, 1))(torch.ones(1, 1, 2, 2, 3)).shape
        torch.Size([1, 1, 3, 2, 5])
    """

    _spatial = 3


class _ZeroPad:
    """Mixin that makes a constant padding pad with zeros."""

    def __init__(self, padding):
        super().__init__(padding, 0.0)

    def extra_repr(self):
        """The arguments as printed."""
        return str(self.padding)


class ZeroPad1d(_ZeroPad, ConstantPad1d):
    """Pad a sequence with zeros.

    Negative numbers crop.

    Args:
        padding: an int for all sides, or a tuple (left, right): the last dimension comes first.

    Shape:
        - Input: (*, L).
        - Output: (*, L + left + right).

    Example:
        >>> nn.ZeroPad1d((2, 1))(torch.tensor([[[1., 2., 3., 4.]]]))
        tensor([[[0., 0., 1., 2., 3., 4., 0.]]])
    """


class ZeroPad2d(_ZeroPad, ConstantPad2d):
    """Pad an image with zeros.

    Negative numbers crop.

    Args:
        padding: an int for all sides, or a tuple (left, right, top, bottom): the last dimension
            comes first.

    Shape:
        - Input: (*, H, W).
        - Output: (*, H + top + bottom, W + left + right).

    Example:
        >>> nn.ZeroPad2d((1, 1, 0, 1))(torch.tensor([[[1., 2.], [3., 4.]]]))
        tensor([[[0., 1., 2., 0.],
                 [0., 3., 4., 0.],
                 [0., 0., 0., 0.]]])
    """


class ZeroPad3d(_ZeroPad, ConstantPad3d):
    """Pad a volume with zeros.

    Negative numbers crop.

    Args:
        padding: an int for all sides, or a tuple (left, right, top, bottom, front, back): the last
            dimension comes first.

    Shape:
        - Input: (*, D, H, W).
        - Output: (*, D + front + back, H + top + bottom, W + left + right).

    Example:
        >>> nn.ZeroPad3d((1, 1, 0, 0, 0, 1))(torch.ones(1, 1, 2, 2, 3)).shape
        torch.Size([1, 1, 3, 2, 5])
    """
