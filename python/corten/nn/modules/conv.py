# SPDX-License-Identifier: BSD-3-Clause
"""Convolutions and transposed convolutions of one to three dims."""
import math

from ... import contiguous_format, empty, empty_like, no_grad
from .. import functional as F
from .. import init
from ..parameter import Parameter, UninitializedParameter
from .lazy import LazyModuleMixin
from .module import Module
from .utils import _pair, _reverse_repeat_tuple, _single, _triple

__all__ = ["Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d", "LazyConv1d", "LazyConv2d",
           "LazyConv3d", "LazyConvTranspose1d", "LazyConvTranspose2d", "LazyConvTranspose3d"]


class _ConvNd(Module):
    """Weights, and what all convolutions keep; sizes are tuples here."""

    padding_mode = "zeros"  # of pickles that are older than it

    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding, groups, bias,
                 padding_mode, device=None, dtype=None):
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}")
            if padding == "same" and any(s != 1 for s in stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
            raise ValueError("padding_mode must be one of {'zeros', 'reflect', 'replicate', 'circular'}, but got "
                             f"padding_mode='{padding_mode}'")
        self.in_channels, self.out_channels, self.kernel_size, self.stride = in_channels, out_channels, kernel_size, stride
        self.padding, self.dilation, self.transposed, self.output_padding = padding, dilation, transposed, output_padding
        self.groups, self.padding_mode = groups, padding_mode
        self._reversed_padding_repeated_twice = self._padding_of_pad()
        self.weight = Parameter(empty(self._weight_shape(), device=device, dtype=dtype))
        self.register_parameter("bias", Parameter(empty(out_channels, device=device, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def _weight_shape(self):
        channels = self.in_channels, self.out_channels // self.groups
        if not self.transposed:
            channels = self.out_channels, self.in_channels // self.groups
        return *channels, *self.kernel_size

    def _padding_of_pad(self):
        """The padding as F.pad wants it: before and after, the last dim first."""
        if not isinstance(self.padding, str):
            return _reverse_repeat_tuple(self.padding, 2)
        sides = []
        for dilation, size in zip(reversed(self.dilation), reversed(self.kernel_size)):
            total = dilation * (size - 1) if self.padding == "same" else 0
            sides += [total // 2, total - total // 2]
        return sides

    def reset_parameters(self):
        if self.weight.is_contiguous():
            init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        else:  # the same draws, whatever the layout
            values = empty_like(self.weight, memory_format=contiguous_format)
            init.kaiming_uniform_(values, a=math.sqrt(5))
            with no_grad():
                self.weight.copy_(values)
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def extra_repr(self):
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        for name, usual in (("padding", 0), ("dilation", 1), ("output_padding", 0)):
            value = getattr(self, name)
            if value != (usual,) * len(value):
                text += f", {name}={value}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        if self.padding_mode != "zeros":
            text += f", padding_mode={self.padding_mode}"
        return text


class _Conv(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode="zeros", device=None, dtype=None):
        n = self._tuple
        super().__init__(in_channels, out_channels, n(kernel_size), n(stride), padding if isinstance(padding, str) else n(padding),
                         n(dilation), False, n(0), groups, bias, padding_mode, device, dtype)

    def _conv_forward(self, input, weight, bias):
        padding = self.padding
        if self.padding_mode != "zeros":
            input, padding = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode), self._tuple(0)
        return self._convolve(input, weight, bias, self.stride, padding, self.dilation, self.groups)

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)


class Conv1d(_Conv):
    """A convolution over (N, C, L).

        >>> nn.Conv1d(3, 4, 2)(torch.randn(2, 3, 5)).shape
        torch.Size([2, 4, 4])
    """

    _tuple = staticmethod(_single)

    @staticmethod
    def _convolve(*args):
        return F.conv1d(*args)


class Conv2d(_Conv):
    """A convolution over (N, C, H, W).

        >>> nn.Conv2d(3, 4, 3)(torch.randn(2, 3, 5, 5)).shape
        torch.Size([2, 4, 3, 3])
    """

    _tuple = staticmethod(_pair)

    @staticmethod
    def _convolve(*args):
        return F.conv2d(*args)


class Conv3d(_Conv):
    """A convolution over (N, C, D, H, W).

        >>> nn.Conv3d(2, 3, 2)(torch.randn(1, 2, 3, 3, 3)).shape
        torch.Size([1, 3, 2, 2, 2])
    """

    _tuple = staticmethod(_triple)

    @staticmethod
    def _convolve(*args):
        return F.conv3d(*args)


class _ConvTransposeNd(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding, groups, bias,
                 padding_mode, device=None, dtype=None):
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding, groups,
                         bias, padding_mode, device, dtype)

    def _output_padding(self, input, output_size, stride, padding, kernel_size, num_spatial_dims, dilation=None):
        """How many elements more than the least a wanted output size has in each dim."""
        if output_size is None:
            return _single(self.output_padding)
        n = num_spatial_dims
        others = 2 if input.dim() == n + 2 else 1
        if len(output_size) == others + n:
            output_size = output_size[others:]
        if len(output_size) != n:
            raise ValueError(f"ConvTranspose{n}D: for {input.dim()}D input, output_size must have {n} or {others + n} elements "
                             f"(got {len(output_size)})")
        least = [(input.size(d + others) - 1) * stride[d] - 2 * padding[d]
                 + (dilation[d] if dilation is not None else 1) * (kernel_size[d] - 1) + 1 for d in range(n)]
        most = [size + stride[d] - 1 for d, size in enumerate(least)]
        if any(not low <= size <= high for size, low, high in zip(output_size, least, most)):
            raise ValueError(f"requested an output size of {output_size}, but valid sizes range from {least} to {most} (for an "
                             f"input of {input.size()[2:]})")
        return [size - low for size, low in zip(output_size, least)]


class _ConvTranspose(_ConvTransposeNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True,
                 dilation=1, padding_mode="zeros", device=None, dtype=None):
        n = self._tuple
        super().__init__(in_channels, out_channels, n(kernel_size), n(stride), n(padding), n(dilation), True, n(output_padding),
                         groups, bias, padding_mode, device, dtype)

    def forward(self, input, output_size=None):
        if self.padding_mode != "zeros":
            raise ValueError(f"Only `zeros` padding mode is supported for {type(self).__name__}")
        more = self._output_padding(input, output_size, self.stride, self.padding, self.kernel_size, len(self.kernel_size),
                                    self.dilation)
        return self._convolve(input, self.weight, self.bias, self.stride, self.padding, more, self.groups, self.dilation)


class ConvTranspose1d(_ConvTranspose):
    """The transposed convolution over (N, C, L): the input gradient of Conv1d.

        >>> nn.ConvTranspose1d(3, 4, 2, stride=2)(torch.randn(2, 3, 4)).shape
        torch.Size([2, 4, 8])
    """

    _tuple = staticmethod(_single)

    @staticmethod
    def _convolve(*args):
        return F.conv_transpose1d(*args)


class ConvTranspose2d(_ConvTranspose):
    """The transposed convolution over (N, C, H, W).

        >>> nn.ConvTranspose2d(3, 4, 3, stride=2)(torch.randn(1, 3, 3, 3)).shape
        torch.Size([1, 4, 7, 7])
    """

    _tuple = staticmethod(_pair)

    @staticmethod
    def _convolve(*args):
        return F.conv_transpose2d(*args)


class ConvTranspose3d(_ConvTranspose):
    """The transposed convolution over (N, C, D, H, W).

        >>> nn.ConvTranspose3d(2, 3, 2)(torch.randn(1, 2, 2, 3, 2)).shape
        torch.Size([1, 3, 3, 4, 3])
    """

    _tuple = staticmethod(_triple)

    @staticmethod
    def _convolve(*args):
        return F.conv_transpose3d(*args)


# ---- lazy ones ----

class _LazyConvXdMixin(LazyModuleMixin):
    """Learns in_channels from its first input."""

    def _start(self, out_channels, bias, device, dtype):
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def initialize_parameters(self, input, *args, **kwargs):
        if not self.has_uninitialized_params():
            return
        self.in_channels = self._get_in_channels(input)
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        self.weight.materialize(self._weight_shape())
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()

    def _get_num_spatial_dims(self):
        return len(self.kernel_size)

    def _get_in_channels(self, input):
        n = self._get_num_spatial_dims()
        if input.dim() not in (n + 1, n + 2):
            raise RuntimeError(f"Expected {n + 1}D (unbatched) or {n + 2}D (batched) input to {type(self).__name__}, but got input "
                               f"of size: {input.shape}")
        return input.shape[input.dim() - n - 1]


class _LazyConv(_LazyConvXdMixin):
    def __init__(self, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode="zeros",
                 device=None, dtype=None):
        super().__init__(0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode, device, dtype)
        self._start(out_channels, bias, device, dtype)


class _LazyConvTranspose(_LazyConvXdMixin):
    def __init__(self, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1,
                 padding_mode="zeros", device=None, dtype=None):
        super().__init__(0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation, padding_mode, device, dtype)
        self._start(out_channels, bias, device, dtype)


class LazyConv1d(_LazyConv, Conv1d):
    """A Conv1d that learns in_channels.

        >>> nn.LazyConv1d(4, 2)(torch.randn(2, 3, 5)).shape
        torch.Size([2, 4, 4])
    """

    cls_to_become = Conv1d


class LazyConv2d(_LazyConv, Conv2d):
    """A Conv2d that learns in_channels.

        >>> nn.LazyConv2d(4, 3, padding=1)(torch.randn(2, 3, 5, 5)).shape
        torch.Size([2, 4, 5, 5])
    """

    cls_to_become = Conv2d


class LazyConv3d(_LazyConv, Conv3d):
    """A Conv3d that learns in_channels.

        >>> nn.LazyConv3d(2, 2)(torch.randn(1, 2, 3, 3, 3)).shape
        torch.Size([1, 2, 2, 2, 2])
    """

    cls_to_become = Conv3d


class LazyConvTranspose1d(_LazyConvTranspose, ConvTranspose1d):
    """A ConvTranspose1d that learns in_channels.

        >>> nn.LazyConvTranspose1d(4, 2)(torch.randn(2, 3, 4)).shape
        torch.Size([2, 4, 5])
    """

    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyConvTranspose, ConvTranspose2d):
    """A ConvTranspose2d that learns in_channels.

        >>> nn.LazyConvTranspose2d(4, 3)(torch.randn(1, 3, 3, 3)).shape
        torch.Size([1, 4, 5, 5])
    """

    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyConvTranspose, ConvTranspose3d):
    """A ConvTranspose3d that learns in_channels.

        >>> nn.LazyConvTranspose3d(3, 2, bias=False)(torch.randn(1, 2, 2, 3, 2)).shape
        torch.Size([1, 3, 3, 4, 3])
    """

    cls_to_become = ConvTranspose3d
