# SPDX-License-Identifier: BSD-3-Clause
"""Pooling."""
from .. import functional as F
from ._stateless import Stateless
from .utils import _pair, _single, _triple

__all__ = ["AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d",
           "AdaptiveMaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "FractionalMaxPool2d", "FractionalMaxPool3d", "LPPool1d",
           "LPPool2d", "LPPool3d", "MaxPool1d", "MaxPool2d", "MaxPool3d", "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d"]


class _MaxPoolNd(Stateless):
    _shown = ("kernel_size", "stride", "padding", "dilation", "ceil_mode")

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__(kernel_size=kernel_size, stride=kernel_size if stride is None else stride, padding=padding,
                         dilation=dilation, return_indices=return_indices, ceil_mode=ceil_mode)


class MaxPool1d(_MaxPoolNd):
    """The greatest element of each window of (N, C, L).

        >>> nn.MaxPool1d(2)(torch.randn(2, 3, 7)).shape
        torch.Size([2, 3, 3])
    """

    def forward(self, input):
        return F.max_pool1d(input, self.kernel_size, self.stride, self.padding, self.dilation, ceil_mode=self.ceil_mode,
                            return_indices=self.return_indices)


class MaxPool2d(_MaxPoolNd):
    """The greatest element of each window of (N, C, H, W).

        >>> nn.MaxPool2d(2)(torch.randn(2, 3, 5, 5)).shape
        torch.Size([2, 3, 2, 2])
    """

    def forward(self, input):
        return F.max_pool2d(input, self.kernel_size, self.stride, self.padding, self.dilation, ceil_mode=self.ceil_mode,
                            return_indices=self.return_indices)


class MaxPool3d(_MaxPoolNd):
    """The greatest element of each window of (N, C, D, H, W).

        >>> nn.MaxPool3d(2)(torch.randn(1, 2, 4, 4, 4)).shape
        torch.Size([1, 2, 2, 2, 2])
    """

    def forward(self, input):
        return F.max_pool3d(input, self.kernel_size, self.stride, self.padding, self.dilation, ceil_mode=self.ceil_mode,
                            return_indices=self.return_indices)


class _MaxUnpoolNd(Stateless):
    _shown = ("kernel_size", "stride", "padding")

    def __init__(self, kernel_size, stride=None, padding=0):
        n = self._tuple
        super().__init__(kernel_size=n(kernel_size), stride=n(kernel_size if stride is None else stride), padding=n(padding))


class MaxUnpool1d(_MaxUnpoolNd):
    """Puts what MaxPool1d kept back in its place, among zeros.

        >>> nn.MaxUnpool1d(2)(torch.randn(2, 3, 2), torch.tensor([0, 3]).expand(2, 3, 2)).shape
        torch.Size([2, 3, 4])
    """

    _tuple = staticmethod(_single)

    def forward(self, input, indices, output_size=None):
        return F.max_unpool1d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool2d(_MaxUnpoolNd):
    """Puts what MaxPool2d kept back in its place, among zeros.

        >>> nn.MaxUnpool2d(2, stride=2)(torch.randn(1, 1, 2, 2), torch.tensor([[[[0, 3], [9, 14]]]])).shape
        torch.Size([1, 1, 4, 4])
    """

    _tuple = staticmethod(_pair)

    def forward(self, input, indices, output_size=None):
        return F.max_unpool2d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool3d(_MaxUnpoolNd):
    """Puts what MaxPool3d kept back in its place, among zeros.

        >>> nn.MaxUnpool3d(2)(torch.randn(1, 1, 1, 1, 2), torch.tensor([[[[[1, 14]]]]])).shape
        torch.Size([1, 1, 2, 2, 4])
    """

    _tuple = staticmethod(_triple)

    def forward(self, input, indices, output_size=None):
        return F.max_unpool3d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class _AvgPoolNd(Stateless):
    _shown = ("kernel_size", "stride", "padding")


class AvgPool1d(_AvgPoolNd):
    """The mean of each window of (N, C, L).

        >>> nn.AvgPool1d(2)(torch.randn(2, 3, 7)).shape
        torch.Size([2, 3, 3])
    """

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__(kernel_size=_single(kernel_size), stride=_single(kernel_size if stride is None else stride),
                         padding=_single(padding), ceil_mode=ceil_mode, count_include_pad=count_include_pad)

    def forward(self, input):
        return F.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)


class _AvgPool(_AvgPoolNd):
    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        super().__init__(kernel_size=kernel_size, stride=kernel_size if stride is None else stride, padding=padding,
                         ceil_mode=ceil_mode, count_include_pad=count_include_pad, divisor_override=divisor_override)


class AvgPool2d(_AvgPool):
    """The mean of each window of (N, C, H, W).

        >>> nn.AvgPool2d(2)(torch.randn(2, 3, 5, 5)).shape
        torch.Size([2, 3, 2, 2])
    """

    def forward(self, input):
        return F.avg_pool2d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
                            self.divisor_override)


class AvgPool3d(_AvgPool):
    """The mean of each window of (N, C, D, H, W).

        >>> nn.AvgPool3d(2)(torch.randn(1, 2, 4, 4, 4)).shape
        torch.Size([1, 2, 2, 2, 2])
    """

    def forward(self, input):
        return F.avg_pool3d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
                            self.divisor_override)


class _FractionalMaxPoolNd(Stateless):
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
    """Maxima of windows at random places, as many as the output size says.

        >>> nn.FractionalMaxPool2d(2, output_size=3)(torch.randn(2, 2, 6, 6)).shape
        torch.Size([2, 2, 3, 3])
    """

    _tuple = staticmethod(_pair)

    def forward(self, input):
        return F.fractional_max_pool2d(input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices,
                                       _random_samples=self._random_samples)


class FractionalMaxPool3d(_FractionalMaxPoolNd):
    """The same of volumes.

        >>> nn.FractionalMaxPool3d(2, output_size=(2, 3, 2))(torch.randn(1, 2, 5, 6, 5)).shape
        torch.Size([1, 2, 2, 3, 2])
    """

    _tuple = staticmethod(_triple)

    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        sizes = kernel_size if isinstance(kernel_size, (tuple, list)) else (kernel_size,)
        if not all(size > 0 for size in sizes):
            raise ValueError(f"kernel_size must be greater than 0, but got {kernel_size}")
        super().__init__(kernel_size, output_size, output_ratio, return_indices, _random_samples)

    def forward(self, input):
        return F.fractional_max_pool3d(input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices,
                                       _random_samples=self._random_samples)


class _LPPoolNd(Stateless):
    _shown = ("norm_type", "kernel_size", "stride", "ceil_mode")

    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        if norm_type == 0:
            raise ValueError(f"norm_type must be a non-zero value, but got {norm_type}")
        super().__init__(norm_type=norm_type, kernel_size=kernel_size, stride=stride, ceil_mode=ceil_mode)


class LPPool1d(_LPPoolNd):
    """The p-norm of each window of (N, C, L).

        >>> nn.LPPool1d(2, 3)(torch.randn(2, 3, 7)).shape
        torch.Size([2, 3, 2])
    """

    def forward(self, input):
        return F.lp_pool1d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class LPPool2d(_LPPoolNd):
    """The p-norm of each window of (N, C, H, W).

        >>> nn.LPPool2d(2, 3, stride=2)(torch.randn(2, 3, 7, 7)).shape
        torch.Size([2, 3, 3, 3])
    """

    def forward(self, input):
        return F.lp_pool2d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class LPPool3d(_LPPoolNd):
    """The p-norm of each window of (N, C, D, H, W).

        >>> nn.LPPool3d(2, 2)(torch.randn(1, 2, 4, 4, 4)).shape
        torch.Size([1, 2, 2, 2, 2])
    """

    def forward(self, input):
        return F.lp_pool3d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class _AdaptiveMaxPoolNd(Stateless):
    _shown = ("output_size",)

    def __init__(self, output_size, return_indices=False):
        super().__init__(output_size=output_size, return_indices=return_indices)


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    """Maxima of windows that make a wanted size.

        >>> nn.AdaptiveMaxPool1d(3)(torch.randn(2, 3, 7)).shape
        torch.Size([2, 3, 3])
    """

    def forward(self, input):
        return F.adaptive_max_pool1d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    """The same of images.

        >>> nn.AdaptiveMaxPool2d((3, None))(torch.randn(2, 3, 7, 5)).shape
        torch.Size([2, 3, 3, 5])
    """

    def forward(self, input):
        return F.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    """The same of volumes.

        >>> nn.AdaptiveMaxPool3d(2)(torch.randn(1, 2, 5, 4, 3)).shape
        torch.Size([1, 2, 2, 2, 2])
    """

    def forward(self, input):
        return F.adaptive_max_pool3d(input, self.output_size, self.return_indices)


class _AdaptiveAvgPoolNd(Stateless):
    _shown = ("output_size",)

    def __init__(self, output_size):
        super().__init__(output_size=output_size)


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    """Means of windows that make a wanted size.

        >>> nn.AdaptiveAvgPool1d(3)(torch.randn(2, 3, 7)).shape
        torch.Size([2, 3, 3])
    """

    def forward(self, input):
        return F.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    """The same of images.

        >>> nn.AdaptiveAvgPool2d(1)(torch.randn(2, 3, 7, 5)).shape
        torch.Size([2, 3, 1, 1])
    """

    def forward(self, input):
        return F.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    """The same of volumes.

        >>> nn.AdaptiveAvgPool3d((2, 3, 1))(torch.randn(1, 2, 5, 4, 3)).shape
        torch.Size([1, 2, 2, 3, 1])
    """

    def forward(self, input):
        return F.adaptive_avg_pool3d(input, self.output_size)
