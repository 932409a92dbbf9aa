# SPDX-License-Identifier: BSD-3-Clause
"""Pooling layers: maxima, means and p-norms of windows, and the inverse of max pooling."""
from .. import functional as F
from ._stateless import Stateless
from .utils import _pair, _single, _triple

__all__ = ["AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d",
           "AdaptiveMaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "FractionalMaxPool2d", "FractionalMaxPool3d", "LPPool1d",
           "LPPool2d", "LPPool3d", "MaxPool1d", "MaxPool2d", "MaxPool3d", "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d"]


class _MaxPoolNd(Stateless):
    """Base of the max pooling layers; stores their arguments."""

    _shown = ("kernel_size", "stride", "padding", "dilation", "ceil_mode")

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__(kernel_size=kernel_size, stride=kernel_size if stride is None else stride, padding=padding,
                         dilation=dilation, return_indices=return_indices, ceil_mode=ceil_mode)


class MaxPool1d(_MaxPoolNd):
    """Take the maximum of each window of a sequence.

        out[n, c, i] = max over k of input[n, c, i * stride - padding + k * dilation]

    The padding counts as -inf, so it never wins. NaN is the maximum of every window that contains
    it. Of equal maxima the first gets the index and the gradient.

    Args:
        kernel_size: size of the window, an int or a tuple of one int.
        stride: step between neighbouring windows. Default: None, the kernel size (windows side by
            side).
        padding: elements of -inf added at both ends; at most half of the kernel size. Default: 0.
        dilation: distance between neighbouring elements of a window. Default: 1.
        return_indices: also return where the maxima are, as flat positions in the spatial
            dimensions of the input; MaxUnpool1d needs them. Default: False.
        ceil_mode: round the output size up instead of down, so that a last window that reaches over
            the end counts, too (if it starts inside the input or its left padding). Default: False.

    Shape:
        - Input: (N, C, L) or (C, L).
        - Output: (N, C, L_out) or (C, L_out), where each spatial size becomes floor((size + 2 *
          padding - dilation * (kernel_size - 1) - 1) / stride) + 1.

    Example:
        >>> nn.MaxPool1d(2)(torch.tensor([[1., 5., 2., 4., 9.]]))  # the 9 has no full window
        tensor([[5., 4.]])
        >>> nn.MaxPool1d(2, ceil_mode=True)(torch.tensor([[1., 5., 2., 4., 9.]]))
        tensor([[5., 4., 9.]])
    """

    def forward(self, input):
        """Pool the input; return (maxima, indices) if return_indices is True."""
        return F.max_pool1d(input, self.kernel_size, self.stride, self.padding, self.dilation, ceil_mode=self.ceil_mode,
                            return_indices=self.return_indices)


class MaxPool2d(_MaxPoolNd):
    """Take the maximum of each window of an image.

        out[n, c, i, j] = max over k, l of
            input[n, c, i * stride - padding + k * dilation, j * stride - padding + l * dilation]

    The padding counts as -inf, so it never wins. NaN is the maximum of every window that contains
    it. Of equal maxima the first gets the index and the gradient.

    Args:
        kernel_size: size of the window, an int or a pair (height, width).
        stride: step between neighbouring windows. Default: None, the kernel size (windows side by
            side).
        padding: elements of -inf added at both ends; at most half of the kernel size. Default: 0.
        dilation: distance between neighbouring elements of a window. Default: 1.
        return_indices: also return where the maxima are, as flat positions in the spatial
            dimensions of the input; MaxUnpool2d needs them. Default: False.
        ceil_mode: round the output size up instead of down, so that a last window that reaches over
            the end counts, too (if it starts inside the input or its left padding). Default: False.

    Shape:
        - Input: (N, C, H, W) or (C, H, W).
        - Output: (N, C, H_out, W_out) or (C, H_out, W_out), where each spatial size becomes
          floor((size + 2 * padding - dilation * (kernel_size - 1) - 1) / stride) + 1.

    Example:
        >>> x = torch.arange(16.).view(1, 4, 4)
        >>> nn.MaxPool2d(2)(x)
        tensor([[[ 5.,  7.],
                 [13., 15.]]])
        >>> nn.MaxPool2d(3, stride=2, padding=1)(x).shape
        torch.Size([1, 2, 2])
    """

    def forward(self, input):
        """Pool the input; a pair (maxima, indices) with return_indices=True."""
        return F.max_pool2d(input, self.kernel_size, self.stride, self.padding, self.dilation, ceil_mode=self.ceil_mode,
                            return_indices=self.return_indices)


class MaxPool3d(_MaxPoolNd):
    """Take the maximum of each window of a volume.

    The padding counts as -inf, so it never wins. NaN is the maximum of every window that contains
    it. Of equal maxima the first gets the index and the gradient.

    Args:
        kernel_size: size of the window, an int or a triple (depth, height, width).
        stride: step between neighbouring windows. Default: None, the kernel size (windows side by
            side).
        padding: elements of -inf added at both ends; at most half of the kernel size. Default: 0.
        dilation: distance between neighbouring elements of a window. Default: 1.
        return_indices: also return where the maxima are, as flat positions in the spatial
            dimensions of the input; MaxUnpool3d needs them. Default: False.
        ceil_mode: round the output size up instead of down, so that a last window that reaches over
            the end counts, too (if it starts inside the input or its left padding). Default: False.

    Shape:
        - Input: (N, C, D, H, W) or (C, D, H, W).
        - Output: (N, C, D_out, H_out, W_out) or (C, D_out, H_out, W_out), where each spatial size
          becomes floor((size + 2 * padding - dilation * (kernel_size - 1) - 1) / stride) + 1.

    Example:
        >>> nn.MaxPool3d(2)(torch.arange(8.).view(1, 2, 2, 2))
        tensor([[[[7.]]]])
        >>> nn.MaxPool3d((1, 2, 2))(torch.zeros(20, 16, 50, 44, 31)).shape
        torch.Size([20, 16, 50, 22, 15])
    """

    def forward(self, input):
        """Pool the input; a pair (maxima, indices) with return_indices=True."""
        return F.max_pool3d(input, self.kernel_size, self.stride, self.padding, self.dilation, ceil_mode=self.ceil_mode,
                            return_indices=self.return_indices)


class _MaxUnpoolNd(Stateless):
    """Base of the unpooling layers; stores their arguments as tuples."""

    _shown = ("kernel_size", "stride", "padding")

    def __init__(self, kernel_size, stride=None, padding=0):
        n = self._tuple
        super().__init__(kernel_size=n(kernel_size), stride=n(kernel_size if stride is None else stride), padding=n(padding))


class MaxUnpool1d(_MaxUnpoolNd):
    """Put the maxima that MaxPool1d found back where they were, among zeros.

    It is the partial inverse of max pooling: all values except the maxima are lost, and become 0. If indices
    repeat, one of the values is stored. An index outside of the output raises
    RuntimeError.

    Args:
        kernel_size: size of the windows, an int or a tuple of one int.
        stride: step between the windows. Default: None, the kernel size.
        padding: padding of the pooling. Default: 0.

    Shape:
        - Input, indices: (N, C, L) or (C, L).
        - Output: each spatial size becomes (size - 1) * stride - 2 * padding + kernel_size, unless
          the call gives `output_size`.

    Example:
        >>> pool, unpool = nn.MaxPool1d(2, return_indices=True), nn.MaxUnpool1d(2)
        >>> maxima, indices = pool(torch.tensor([[[1., 5., 4., 2.]]]))
        >>> unpool(maxima, indices)
        tensor([[[0., 5., 4., 0.]]])
    """

    _tuple = staticmethod(_single)

    def forward(self, input, indices, output_size=None):
        """Write the maxima to their positions.

        Args:
            input: the maxima.
            indices: their positions, as the pooling returned them.
            output_size: the size of the pooling's input, for sizes that the stride does not divide.
                Default: None, computed.
        """
        return F.max_unpool1d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool2d(_MaxUnpoolNd):
    """Put the maxima that MaxPool2d found back where they were, among zeros.

    It is the partial inverse of max pooling: what was not the maximum is lost. Elements that no
    index names are 0; of equal indices one wins. An index outside of the output raises
    RuntimeError.

    Args:
        kernel_size: size of the windows, an int or a pair (height, width).
        stride: step between the windows. Default: None, the kernel size.
        padding: padding of the pooling. Default: 0.

    Shape:
        - Input, indices: (N, C, H, W) or (C, H, W).
        - Output: each spatial size becomes (size - 1) * stride - 2 * padding + kernel_size, unless
          the call gives `output_size`.

    Example:
        >>> pool, unpool = nn.MaxPool2d(2, return_indices=True), nn.MaxUnpool2d(2)
        >>> maxima, indices = pool(torch.tensor([[[[1., 2., 6., 3.], [4., 3., 5., 1.]]]]))
        >>> unpool(maxima, indices)
        tensor([[[[0., 0., 6., 0.],
                  [4., 0., 0., 0.]]]])
    """

    _tuple = staticmethod(_pair)

    def forward(self, input, indices, output_size=None):
        """Place the maxima.

        Args:
            input: the maxima.
            indices: their positions, as the pooling returned them.
            output_size: the size of the pooling's input, for sizes that the stride does not divide.
                Default: None, computed.
        """
        return F.max_unpool2d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool3d(_MaxUnpoolNd):
    """Put the maxima that MaxPool3d found back where they were, among zeros.

    It is the partial inverse of max pooling: what was not the maximum is lost. Elements that no
    index names are 0; of equal indices one wins. An index outside of the output raises
    RuntimeError.

    Args:
        kernel_size: size of the windows, an int or a triple (depth, height, width).
        stride: step between the windows. Default: None, the kernel size.
        padding: padding of the pooling. Default: 0.

    Shape:
        - Input, indices: (N, C, D, H, W) or (C, D, H, W).
        - Output: each spatial size becomes (size - 1) * stride - 2 * padding + kernel_size, unless
          the call gives `output_size`.

    Example:
        >>> pool, unpool = nn.MaxPool3d(2, return_indices=True), nn.MaxUnpool3d(2)
        >>> maxima, indices = pool(torch.arange(8.).view(1, 1, 2, 2, 2))
        >>> unpool(maxima, indices).flatten()
        tensor([0., 0., 0., 0., 0., 0., 0., 7.])
    """

    _tuple = staticmethod(_triple)

    def forward(self, input, indices, output_size=None):
        """Place the maxima.

        Args:
            input: the maxima.
            indices: their positions, as the pooling returned them.
            output_size: the size of the pooling's input, for sizes that the stride does not divide.
                Default: None, computed.
        """
        return F.max_unpool3d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class _AvgPoolNd(Stateless):
    """Base of the average pooling layers; prints their arguments."""

    _shown = ("kernel_size", "stride", "padding")


class AvgPool1d(_AvgPoolNd):
    """Take the mean of each window of a sequence.

        out[n, c, i] = (sum over k of input[n, c, i * stride - padding + k]) / kernel_size

    Args:
        kernel_size: size of the window, an int or a tuple of one int.
        stride: step between neighbouring windows. Default: None, the kernel size.
        padding: zeros added at both ends; at most half of the kernel size. Default: 0.
        ceil_mode: round the output size up instead of down, so that a last window that reaches over
            the end counts, too (if it starts inside the input or its left padding). Default: False.
        count_include_pad: whether padded zeros count as elements in the division. Default: True.

    Shape:
        - Input: (N, C, L) or (C, L).
        - Output: (N, C, L_out) or (C, L_out), where each spatial size becomes floor((size + 2 *
          padding - kernel_size) / stride) + 1.

    Example:
        >>> x = torch.tensor([[1., 2., 3., 4.]])
        >>> nn.AvgPool1d(2)(x)
        tensor([[1.5000, 3.5000]])
        >>> nn.AvgPool1d(2, padding=1)(x)  # the ends are averaged with a zero
        tensor([[0.5000, 2.5000, 2.0000]])
        >>> nn.AvgPool1d(2, padding=1, count_include_pad=False)(x)
        tensor([[1.0000, 2.5000, 4.0000]])
    """

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__(kernel_size=_single(kernel_size), stride=_single(kernel_size if stride is None else stride),
                         padding=_single(padding), ceil_mode=ceil_mode, count_include_pad=count_include_pad)

    def forward(self, input):
        """Pool the input."""
        return F.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)


class _AvgPool(_AvgPoolNd):
    """Base of average pooling in two and three dimensions."""

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        super().__init__(kernel_size=kernel_size, stride=kernel_size if stride is None else stride, padding=padding,
                         ceil_mode=ceil_mode, count_include_pad=count_include_pad, divisor_override=divisor_override)


class AvgPool2d(_AvgPool):
    """Take the mean of each window of an image.

        out[n, c, i, j] = (sum over k, l of
            input[n, c, i * stride - padding + k, j * stride - padding + l]) / (number of elements)

    Args:
        kernel_size: size of the window, an int or a pair (height, width).
        stride: step between neighbouring windows. Default: None, the kernel size.
        padding: zeros added at both ends; at most half of the kernel size. Default: 0.
        ceil_mode: round the output size up instead of down, so that a last window that reaches over
            the end counts, too (if it starts inside the input or its left padding). Default: False.
        count_include_pad: whether padded zeros count as elements in the division. Default: True.
        divisor_override: divide by this number instead of the number of elements. Default: None.

    Shape:
        - Input: (N, C, H, W) or (C, H, W).
        - Output: (N, C, H_out, W_out) or (C, H_out, W_out), where each spatial size becomes
          floor((size + 2 * padding - kernel_size) / stride) + 1.

    Example:
        >>> nn.AvgPool2d(2)(torch.arange(16.).view(1, 4, 4))
        tensor([[[ 2.5000,  4.5000],
                 [10.5000, 12.5000]]])
        >>> nn.AvgPool2d(2, divisor_override=1)(torch.ones(1, 2, 2))  # a sum
        tensor([[[4.]]])
    """

    def forward(self, input):
        """Pool the input."""
        return F.avg_pool2d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
                            self.divisor_override)


class AvgPool3d(_AvgPool):
    """Take the mean of each window of a volume.

    Args:
        kernel_size: size of the window, an int or a triple (depth, height, width).
        stride: step between neighbouring windows. Default: None, the kernel size.
        padding: zeros added at both ends; at most half of the kernel size. Default: 0.
        ceil_mode: round the output size up instead of down, so that a last window that reaches over
            the end counts, too (if it starts inside the input or its left padding). Default: False.
        count_include_pad: whether padded zeros count as elements in the division. Default: True.
        divisor_override: divide by this number instead of the number of elements. Default: None.

    Shape:
        - Input: (N, C, D, H, W) or (C, D, H, W).
        - Output: (N, C, D_out, H_out, W_out) or (C, D_out, H_out, W_out), where each spatial size
          becomes floor((size + 2 * padding - kernel_size) / stride) + 1.

    Example:
        >>> nn.AvgPool3d(2)(torch.arange(8.).view(1, 2, 2, 2))
        tensor([[[[3.5000]]]])
        >>> nn.AvgPool3d((3, 2, 2), stride=(2, 1, 2))(torch.zeros(20, 16, 50, 44, 31)).shape
        torch.Size([20, 16, 24, 43, 15])
    """

    def forward(self, input):
        """Pool the input."""
        return F.avg_pool3d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
                            self.divisor_override)


class _FractionalMaxPoolNd(Stateless):
    """Base of fractional max pooling; checks and stores the arguments."""

    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        n, kind = self._tuple, self._get_name()
        super().__init__(kernel_size=n(kernel_size), return_indices=return_indices,
                         output_size=None if output_size is None else n(output_size),
                         output_ratio=None if output_ratio is None else n(output_ratio))
        self.register_buffer("_random_samples", _random_samples)
        if output_size is None and output_ratio is None:
            raise ValueError(f"{kind} requires specifying either an output size, or a pooling ratio")
        if output_size is not None and output_ratio is not None:
            raise ValueError("only one of output_size and output_ratio may be specified")
        if output_ratio is not None and not all(0 < ratio < 1 for ratio in self.output_ratio):
            raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")


class FractionalMaxPool2d(_FractionalMaxPoolNd):
    """Take maxima of an image over windows at random positions.

    The sizes of the steps between windows, one more or less than the average, are drawn at random,
    so the size can shrink by factors such as 1.5 and every pass sees other windows (Graham, 2014).
    Use torch.manual_seed to repeat one.

    Args:
        kernel_size: size of the windows, an int or a pair (height, width).
        output_size: the wanted size, an int or a pair (height, width). Default: None.
        output_ratio: the wanted size as a fraction of the input's, between 0 and 1, a number or a
            tuple. Default: None. Exactly one of both has to be given.
        return_indices: also return where the maxima are, as flat positions in the spatial
            dimensions. Default: False.

    Shape:
        - Input: (N, C, H, W) or (C, H, W).
        - Output: (N, C, *output_size) or (C, *output_size).

    Example:
        >>> pool = nn.FractionalMaxPool2d(2, output_size=4)
        >>> pool(torch.zeros(1, 6, 6)).shape
        torch.Size([1, 4, 4])
        >>> nn.FractionalMaxPool2d(2, output_ratio=0.5)(torch.zeros(1, 6, 6)).shape
        torch.Size([1, 3, 3])
    """

    _tuple = staticmethod(_pair)

    def forward(self, input):
        """Pool the input; a pair (maxima, indices) with return_indices=True."""
        return F.fractional_max_pool2d(input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices,
                                       _random_samples=self._random_samples)


class FractionalMaxPool3d(_FractionalMaxPoolNd):
    """Take maxima of a volume over windows at random positions.

    The sizes of the steps between windows, one more or less than the average, are drawn at random,
    so the size can shrink by factors such as 1.5 and every pass sees other windows (Graham, 2014).
    Use torch.manual_seed to repeat one.

    Args:
        kernel_size: size of the windows, an int or a triple (depth, height, width).
        output_size: the wanted size, an int or a triple (depth, height, width). Default: None.
        output_ratio: the wanted size as a fraction of the input's, between 0 and 1, a number or a
            tuple. Default: None. Exactly one of both has to be given.
        return_indices: also return where the maxima are, as flat positions in the spatial
            dimensions. Default: False.

    Shape:
        - Input: (N, C, D, H, W) or (C, D, H, W).
        - Output: (N, C, *output_size) or (C, *output_size).

    Example:
        >>> pool = nn.FractionalMaxPool3d(2, output_size=(2, 4, 4))
        >>> pool(torch.zeros(1, 4, 6, 6)).shape
        torch.Size([1, 2, 4, 4])
        >>> nn.FractionalMaxPool3d(2, output_ratio=0.5)(torch.zeros(1, 4, 6, 6)).shape
        torch.Size([1, 2, 3, 3])
    """

    _tuple = staticmethod(_triple)

    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        sizes = kernel_size if isinstance(kernel_size, (tuple, list)) else (kernel_size,)
        if not all(size > 0 for size in sizes):
            raise ValueError(f"kernel_size must be greater than 0, but got {kernel_size}")
        super().__init__(kernel_size, output_size, output_ratio, return_indices, _random_samples)

    def forward(self, input):
        """Pool the input; a pair (maxima, indices) with return_indices=True."""
        return F.fractional_max_pool3d(input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices,
                                       _random_samples=self._random_samples)


class _LPPoolNd(Stateless):
    """Base of the p-norm pooling layers; stores their arguments."""

    _shown = ("norm_type", "kernel_size", "stride", "ceil_mode")

    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        if norm_type == 0:
            raise ValueError(f"norm_type must be a non-zero value, but got {norm_type}")
        super().__init__(norm_type=norm_type, kernel_size=kernel_size, stride=stride, ceil_mode=ceil_mode)


class LPPool1d(_LPPoolNd):
    """Take the p-norm of each window of a sequence: between a sum and a maximum.

        out = (sum over the window of x^p)^(1 / p)

    p=1 is a sum (the mean times the window's size), and p = infinity the maximum. As in PyTorch,
    x^p keeps its sign, so with odd p negative elements count negatively. Where the sum is 0 the
    gradient is 0.

    Args:
        norm_type: p; 0 raises ValueError.
        kernel_size: size of the window, an int or a tuple of one int.
        stride: step between neighbouring windows. Default: None, the kernel size.
        ceil_mode: round the output size up instead of down. Default: False.

    Shape:
        - Input: (N, C, L) or (C, L).
        - Output: (N, C, L_out) or (C, L_out), where each spatial size becomes floor((size -
          kernel_size) / stride) + 1.

    Example:
        >>> nn.LPPool1d(2, kernel_size=2)(torch.tensor([[3., 4., 6., 8.]]))
        tensor([[ 5., 10.]])
        >>> nn.LPPool1d(1, kernel_size=2)(torch.tensor([[3., 4., 6., 8.]]))
        tensor([[ 7., 14.]])
    """

    def forward(self, input):
        """Pool the input."""
        return F.lp_pool1d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class LPPool2d(_LPPoolNd):
    """Take the p-norm of each window of an image: between a sum and a maximum.

        out = (sum over the window of x^p)^(1 / p)

    p=1 is a sum (the mean times the window's size), and p = infinity the maximum. As in PyTorch,
    x^p keeps its sign, so with odd p negative elements count negatively. Where the sum is 0 the
    gradient is 0.

    Args:
        norm_type: p; 0 raises ValueError.
        kernel_size: size of the window, an int or a pair (height, width).
        stride: step between neighbouring windows. Default: None, the kernel size.
        ceil_mode: round the output size up instead of down. Default: False.

    Shape:
        - Input: (N, C, H, W) or (C, H, W).
        - Output: (N, C, H_out, W_out) or (C, H_out, W_out), where each spatial size becomes
          floor((size - kernel_size) / stride) + 1.

    Example:
        >>> nn.LPPool2d(2, kernel_size=2)(torch.full((1, 2, 4), 3.))
        tensor([[[6., 6.]]])
    """

    def forward(self, input):
        """Pool the input."""
        return F.lp_pool2d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class LPPool3d(_LPPoolNd):
    """Take the p-norm of each window of a volume: between a sum and a maximum.

        out = (sum over the window of x^p)^(1 / p)

    p=1 is a sum (the mean times the window's size), and p = infinity the maximum. As in PyTorch,
    x^p keeps its sign, so with odd p negative elements count negatively. Where the sum is 0 the
    gradient is 0.

    Args:
        norm_type: p; 0 raises ValueError.
        kernel_size: size of the window, an int or a triple (depth, height, width).
        stride: step between neighbouring windows. Default: None, the kernel size.
        ceil_mode: round the output size up instead of down. Default: False.

    Shape:
        - Input: (N, C, D, H, W) or (C, D, H, W).
        - Output: (N, C, D_out, H_out, W_out) or (C, D_out, H_out, W_out), where each spatial size
          becomes floor((size - kernel_size) / stride) + 1.

    Example:
        >>> nn.LPPool3d(1, kernel_size=2)(torch.ones(1, 2, 2, 4))
        tensor([[[[8., 8.]]]])
    """

    def forward(self, input):
        """Pool the input."""
        return F.lp_pool3d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class _AdaptiveMaxPoolNd(Stateless):
    """Base of adaptive max pooling; stores its arguments."""

    _shown = ("output_size",)

    def __init__(self, output_size, return_indices=False):
        super().__init__(output_size=output_size, return_indices=return_indices)


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    """Take maxima of a sequence over as many windows as the output should have elements.

    Output element i covers the input from floor(i * size / output_size) up to, not including,
    ceil((i + 1) * size / output_size); windows may overlap. The layer adapts to inputs of every
    size, so that a linear layer can follow.

    Args:
        output_size: the wanted length, an int or a tuple of one int.
        return_indices: also return where the maxima are, as flat positions in the spatial
            dimensions of the input. Default: False.

    Shape:
        - Input: (N, C, L) or (C, L).
        - Output: (N, C, *output_size) or (C, *output_size).

    Example:
        >>> pool = nn.AdaptiveMaxPool1d(2)
        >>> pool(torch.arange(4.).view(1, 4)), pool(torch.arange(5.).view(1, 5))
        (tensor([[1., 3.]]), tensor([[2., 4.]]))
    """

    def forward(self, input):
        """Pool the input; a pair (maxima, indices) with return_indices=True."""
        return F.adaptive_max_pool1d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    """Take maxima of an image over as many windows as the output should have elements.

    Output element i covers the input from floor(i * size / output_size) up to, not including,
    ceil((i + 1) * size / output_size); windows may overlap. The layer adapts to inputs of every
    size, so that a linear layer can follow.

    Args:
        output_size: the wanted size: a pair (height, width), or an int for both. None keeps the
            size of the input.
        return_indices: also return where the maxima are, as flat positions in the spatial
            dimensions of the input. Default: False.

    Shape:
        - Input: (N, C, H, W) or (C, H, W).
        - Output: (N, C, *output_size) or (C, *output_size).

    Example:
        >>> nn.AdaptiveMaxPool2d((1, None))(torch.arange(8.).view(1, 2, 4))
        tensor([[[4., 5., 6., 7.]]])
    """

    def forward(self, input):
        """Pool the input; a pair (maxima, indices) with return_indices=True."""
        return F.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    """Take maxima of a volume over as many windows as the output should have elements.

    Output element i covers the input from floor(i * size / output_size) up to, not including,
    ceil((i + 1) * size / output_size); windows may overlap. The layer adapts to inputs of every
    size, so that a linear layer can follow.

    Args:
        output_size: the wanted size: a triple (depth, height, width), or an int for all. None keeps
            the size of the input.
        return_indices: also return where the maxima are, as flat positions in the spatial
            dimensions of the input. Default: False.

    Shape:
        - Input: (N, C, D, H, W) or (C, D, H, W).
        - Output: (N, C, *output_size) or (C, *output_size).

    Example:
        >>> nn.AdaptiveMaxPool3d((1, 2, 2))(torch.arange(12.).view(1, 3, 2, 2))
        tensor([[[[ 8.,  9.],
                  [10., 11.]]]])
    """

    def forward(self, input):
        """Pool the input; a pair (maxima, indices) with return_indices=True."""
        return F.adaptive_max_pool3d(input, self.output_size, self.return_indices)


class _AdaptiveAvgPoolNd(Stateless):
    """Base of adaptive average pooling; stores its argument."""

    _shown = ("output_size",)

    def __init__(self, output_size):
        super().__init__(output_size=output_size)


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    """Take means of a sequence over as many windows as the output should have elements.

    Output element i covers the input from floor(i * size / output_size) up to, not including,
    ceil((i + 1) * size / output_size); windows may overlap. The layer adapts to inputs of every
    size, so that a linear layer can follow.

    Args:
        output_size: the wanted length, an int or a tuple of one int.

    Shape:
        - Input: (N, C, L) or (C, L).
        - Output: (N, C, *output_size) or (C, *output_size).

    Example:
        >>> pool = nn.AdaptiveAvgPool1d(2)
        >>> pool(torch.arange(4.).view(1, 4)), pool(torch.arange(5.).view(1, 5))
        (tensor([[0.5000, 2.5000]]), tensor([[1., 3.]]))
    """

    def forward(self, input):
        """Pool the input."""
        return F.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    """Take means of an image over as many windows as the output should have elements.

    Output element i covers the input from floor(i * size / output_size) up to, not including,
    ceil((i + 1) * size / output_size); windows may overlap. The layer adapts to inputs of every
    size, so that a linear layer can follow.

    Args:
        output_size: the wanted size: a pair (height, width), or an int for both. None keeps the
            size of the input.

    Shape:
        - Input: (N, C, H, W) or (C, H, W).
        - Output: (N, C, *output_size) or (C, *output_size).

    Example:
        >>> x = torch.arange(8.).view(1, 2, 4)
        >>> nn.AdaptiveAvgPool2d(1)(x)  # global average pooling
        tensor([[[3.5000]]])
        >>> nn.AdaptiveAvgPool2d((None, 2))(x)
        tensor([[[0.5000, 2.5000],
                 [4.5000, 6.5000]]])
    """

    def forward(self, input):
        """Pool the input."""
        return F.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    """Take means of a volume over as many windows as the output should have elements.

    Output element i covers the input from floor(i * size / output_size) up to, not including,
    ceil((i + 1) * size / output_size); windows may overlap. The layer adapts to inputs of every
    size, so that a linear layer can follow.

    Args:
        output_size: the wanted size: a triple (depth, height, width), or an int for all. None keeps
            the size of the input.

    Shape:
        - Input: (N, C, D, H, W) or (C, D, H, W).
        - Output: (N, C, *output_size) or (C, *output_size).

    Example:
        >>> nn.AdaptiveAvgPool3d((1, 2, 2))(torch.arange(12.).view(1, 3, 2, 2))
        tensor([[[[4., 5.],
                  [6., 7.]]]])
    """

    def forward(self, input):
        """Pool the input."""
        return F.adaptive_avg_pool3d(input, self.output_size)
