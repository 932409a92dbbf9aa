# SPDX-License-Identifier: BSD-3-Clause
"""Convolutions and transposed convolutions of one, two and three spatial dimensions, and their lazy forms."""
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
    """Base of all convolutions: checks the arguments, converts sizes to tuples, creates the parameters."""

    padding_mode = "zeros"  # default for pickles from before the attribute existed

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
        """Return the padding in the order of F.pad: (before, after) for each dimension, the last dimension first."""
        if not isinstance(self.padding, str):
            return _reverse_repeat_tuple(self.padding, 2)
        sides = []
        for dilation, size in zip(reversed(self.dilation), reversed(self.kernel_size)):
            total = dilation * (size - 1) if self.padding == "same" else 0
            sides += [total // 2, total - total // 2]
        return sides

    def reset_parameters(self):
        """Draw new parameters, uniform with the bound that the class describes."""
        if self.weight.is_contiguous():
            init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        else:  # draw in contiguous order, so that a seed gives the same values in every layout
            values = empty_like(self.weight, memory_format=contiguous_format)
            init.kaiming_uniform_(values, a=math.sqrt(5))
            with no_grad():
                self.weight.copy_(values)
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def extra_repr(self):
        """Return the arguments as they are printed; those with default values are left out."""
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
    """A convolution; subclasses set the number of spatial dimensions."""

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
        """Convolve a batch, or a single element without the batch dimension."""
        return self._conv_forward(input, self.weight, self.bias)


class Conv1d(_Conv):
    """Slide learnable filters along a sequence of several channels.

    Each output element is the dot product of a filter with a window of the input, plus a bias:

        out[n, o, i] = bias[o] + sum over c, k of weight[o, c, k] * input[n, c, i * stride + k * dilation]

    As usual in deep learning the filter is not flipped, so this is a cross-correlation in the terms
    of signal processing. In the formula the input is already padded, and groups is 1.

    Args:
        in_channels: number of channels of the input.
        out_channels: number of channels of the output, one filter each.
        kernel_size: size of the filters, an int or a tuple of one int.
        stride: step between neighbouring windows, an int or a tuple of one int. Default: 1.
        padding: elements added at both ends of each spatial dimension (an int or a tuple of one
            int), or "valid" (none), or "same" (output as large as the input; needs stride 1).
            Default: 0.
        dilation: distance between neighbouring filter elements; 1 is an ordinary dense filter.
            Default: 1.
        groups: splits the channels into this many independent convolutions; it must divide
            `in_channels` and `out_channels`. With groups=in_channels each channel has its own
            filters (a depthwise convolution). Default: 1.
        bias: whether to add a learnable number to each output channel. Default: True.
        padding_mode: values of the padding: "zeros", "reflect" (mirrored without the edge),
            "replicate" (the edge repeated) or "circular" (from the opposite end). Default: "zeros".
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Input: (N, in_channels, L), or (in_channels, L) for a single sequence.
        - Output: (N, out_channels, L_out), or (out_channels, L_out), where each spatial size
          becomes floor((size + 2 * padding - dilation * (kernel_size - 1) - 1) / stride) + 1.

    Attributes:
        weight: (out_channels, in_channels / groups, kernel_size).
        bias: (out_channels,), or None if bias=False.

    Both start uniform between -b and b with b = sqrt(groups / (in_channels * kernel_size)).

    Example:
        >>> conv = nn.Conv1d(1, 1, kernel_size=2, bias=False)
        >>> _ = nn.init.constant_(conv.weight, 1.)  # a filter that adds neighbours
        >>> conv(torch.tensor([[1., 2., 3., 4.]])).tolist()
        [[3.0, 5.0, 7.0]]
        >>> nn.Conv1d(16, 33, 3, stride=2)(torch.zeros(20, 16, 50)).shape
        torch.Size([20, 33, 24])
    """

    _tuple = staticmethod(_single)

    @staticmethod
    def _convolve(*args):
        return F.conv1d(*args)


class Conv2d(_Conv):
    """Slide learnable filters over an image of several channels.

    Each output element is the dot product of a filter with a window of the input, plus a bias:

        out[n, o, i, j] = bias[o] + sum over c, k, l of
            weight[o, c, k, l] * input[n, c, i * stride + k * dilation, j * stride + l * dilation]

    As usual in deep learning the filter is not flipped, so this is a cross-correlation in the terms
    of signal processing. In the formula the input is already padded, and groups is 1.

    Args:
        in_channels: number of channels of the input.
        out_channels: number of channels of the output, one filter each.
        kernel_size: size of the filters, an int or a pair (height, width).
        stride: step between neighbouring windows, an int or a pair (height, width). Default: 1.
        padding: elements added at both ends of each spatial dimension (an int or a pair (height,
            width)), or "valid" (none), or "same" (output as large as the input; needs stride 1).
            Default: 0.
        dilation: distance between neighbouring filter elements; 1 is an ordinary dense filter.
            Default: 1.
        groups: splits the channels into this many independent convolutions; it must divide
            `in_channels` and `out_channels`. With groups=in_channels each channel has its own
            filters (a depthwise convolution). Default: 1.
        bias: whether to add a learnable number to each output channel. Default: True.
        padding_mode: values of the padding: "zeros", "reflect" (mirrored without the edge),
            "replicate" (the edge repeated) or "circular" (from the opposite end). Default: "zeros".
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Input: (N, in_channels, H, W), or (in_channels, H, W) for a single image.
        - Output: (N, out_channels, H_out, W_out), or (out_channels, H_out, W_out), where each
          spatial size becomes floor((size + 2 * padding - dilation * (kernel_size - 1) - 1) /
          stride) + 1.

    Attributes:
        weight: (out_channels, in_channels / groups, kernel_size[0], kernel_size[1]).
        bias: (out_channels,), or None if bias=False.

    Both start uniform between -b and b with b = sqrt(groups / (in_channels * kernel_size[0] *
    kernel_size[1])).

    Example:
        >>> conv = nn.Conv2d(1, 1, kernel_size=3, padding=1, bias=False)
        >>> _ = nn.init.constant_(conv.weight, 1.)  # a filter that adds a pixel and its 8 neighbours
        >>> conv(torch.ones(1, 3, 3)).tolist()
        [[[4.0, 6.0, 4.0], [6.0, 9.0, 6.0], [4.0, 6.0, 4.0]]]
        >>> nn.Conv2d(3, 8, 3, stride=2, padding=1)(torch.zeros(1, 3, 32, 32)).shape
        torch.Size([1, 8, 16, 16])
        >>> nn.Conv2d(8, 8, 3, groups=8).weight.shape  # depthwise
        torch.Size([8, 1, 3, 3])
    """

    _tuple = staticmethod(_pair)

    @staticmethod
    def _convolve(*args):
        return F.conv2d(*args)


class Conv3d(_Conv):
    """Slide learnable filters through a volume, or a video, of several channels.

    Each output element is the dot product of a filter with a window of the input, plus a bias. It
    is Conv2d with one more dimension, depth or time: the filter is not flipped, and sizes given as
    one number hold for all three dimensions.

    Args:
        in_channels: number of channels of the input.
        out_channels: number of channels of the output, one filter each.
        kernel_size: size of the filters, an int or a triple (depth, height, width).
        stride: step between neighbouring windows, an int or a triple (depth, height, width).
            Default: 1.
        padding: elements added at both ends of each spatial dimension (an int or a triple (depth,
            height, width)), or "valid" (none), or "same" (output as large as the input; needs
            stride 1). Default: 0.
        dilation: distance between neighbouring filter elements; 1 is an ordinary dense filter.
            Default: 1.
        groups: splits the channels into this many independent convolutions; it must divide
            `in_channels` and `out_channels`. With groups=in_channels each channel has its own
            filters (a depthwise convolution). Default: 1.
        bias: whether to add a learnable number to each output channel. Default: True.
        padding_mode: values of the padding: "zeros", "reflect" (mirrored without the edge),
            "replicate" (the edge repeated) or "circular" (from the opposite end). Default: "zeros".
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Input: (N, in_channels, D, H, W), or (in_channels, D, H, W) for a single volume.
        - Output: (N, out_channels, D_out, H_out, W_out), or (out_channels, D_out, H_out, W_out),
          where each spatial size becomes floor((size + 2 * padding - dilation * (kernel_size - 1) -
          1) / stride) + 1.

    Attributes:
        weight: (out_channels, in_channels / groups, kernel_size[0], kernel_size[1],
            kernel_size[2]).
        bias: (out_channels,), or None if bias=False.

    Both start uniform between -b and b with b = sqrt(groups / (in_channels * kernel_size[0] *
    kernel_size[1] * kernel_size[2])).

    Example:
        >>> nn.Conv3d(3, 8, 3, padding=1)(torch.zeros(1, 3, 8, 16, 16)).shape
        torch.Size([1, 8, 8, 16, 16])
        >>> nn.Conv3d(3, 8, (3, 5, 2), stride=(2, 1, 1))(torch.zeros(1, 3, 8, 16, 16)).shape
        torch.Size([1, 8, 3, 12, 15])
    """

    _tuple = staticmethod(_triple)

    @staticmethod
    def _convolve(*args):
        return F.conv3d(*args)


class _ConvTransposeNd(_ConvNd):
    """Base of transposed convolutions; PyTorch has this class under the same name."""

    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding, groups, bias,
                 padding_mode, device=None, dtype=None):
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding, groups,
                         bias, padding_mode, device, dtype)

    def _output_padding(self, input, output_size, stride, padding, kernel_size, num_spatial_dims, dilation=None):
        """Return the output padding for the desired output size, one number per dimension."""
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
    """A transposed convolution; subclasses set the number of spatial dimensions."""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True,
                 dilation=1, padding_mode="zeros", device=None, dtype=None):
        n = self._tuple
        super().__init__(in_channels, out_channels, n(kernel_size), n(stride), n(padding), n(dilation), True, n(output_padding),
                         groups, bias, padding_mode, device, dtype)

    def forward(self, input, output_size=None):
        """Upsample a batch, or a single element without the batch dimension.

        Args:
            input: (N, in_channels, ...) or (in_channels, ...).
            output_size: the wanted spatial sizes (leading batch and channel sizes are ignored).
                They replace `output_padding` and must be ones that the layer can reach.
        """
        if self.padding_mode != "zeros":
            raise ValueError(f"Only `zeros` padding mode is supported for {type(self).__name__}")
        more = self._output_padding(input, output_size, self.stride, self.padding, self.kernel_size, len(self.kernel_size),
                                    self.dilation)
        return self._convolve(input, self.weight, self.bias, self.stride, self.padding, more, self.groups, self.dilation)


class ConvTranspose1d(_ConvTranspose):
    """Apply a transposed convolution to a sequence, for example to upsample it.

    Every input element adds a copy of the filter, scaled by its value, to the output; where copies
    overlap they add up. That is the map by which Conv1d sends gradients back to its input, hence
    the name; it restores the shape, not the values ("deconvolution" is a misnomer).

    Args:
        in_channels: number of channels of the input.
        out_channels: number of channels of the output.
        kernel_size: size of the filters, an int or a tuple of one int.
        stride: distance in the output between the contributions of neighbouring input elements, an
            int or a tuple of one int. A stride of 2 about doubles the size. Default: 1.
        padding: elements cut off at both ends of each output dimension; it undoes the same padding
            of a convolution. Default: 0.
        output_padding: elements added at the end of each output dimension. It chooses between the
            sizes that a strided convolution maps to the same one, and must be less than the stride
            or the dilation. Default: 0.
        groups: splits the channels into this many independent maps; it must divide `in_channels`
            and `out_channels`. Default: 1.
        bias: whether to add a learnable number to each output channel. Default: True.
        dilation: distance between neighbouring filter elements. Default: 1.
        padding_mode: "zeros" only.
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Input: (N, in_channels, L), or (in_channels, L) for a single sequence.
        - Output: (N, out_channels, L_out), or (out_channels, L_out), where each spatial size
          becomes (size - 1) * stride - 2 * padding + dilation * (kernel_size - 1) + output_padding
          + 1.

    Attributes:
        weight: (in_channels, out_channels / groups, kernel_size); the order of the channels is the
            reverse of a convolution's.
        bias: (out_channels,), or None if bias=False.

    Both start uniform between -b and b with b = sqrt(groups / (out_channels * kernel_size)).

    Example:
        >>> up = nn.ConvTranspose1d(1, 1, kernel_size=2, stride=2, bias=False)
        >>> with torch.no_grad():
        ...     _ = up.weight.copy_(torch.tensor([[[1., 10.]]]))
        >>> up(torch.tensor([[1., 2., 3.]])).tolist()
        [[1.0, 10.0, 2.0, 20.0, 3.0, 30.0]]
    """

    _tuple = staticmethod(_single)

    @staticmethod
    def _convolve(*args):
        return F.conv_transpose1d(*args)


class ConvTranspose2d(_ConvTranspose):
    """Apply a transposed convolution to an image, for example to upsample it.

    Every input pixel adds a copy of the filter, scaled by its value, to the output; where copies
    overlap they add up. That is the map by which Conv2d sends gradients back to its input, hence
    the name; it restores the shape, not the values ("deconvolution" is a misnomer).

    Args:
        in_channels: number of channels of the input.
        out_channels: number of channels of the output.
        kernel_size: size of the filters, an int or a pair (height, width).
        stride: distance in the output between the contributions of neighbouring input elements, an
            int or a pair (height, width). A stride of 2 about doubles the size. Default: 1.
        padding: elements cut off at both ends of each output dimension; it undoes the same padding
            of a convolution. Default: 0.
        output_padding: elements added at the end of each output dimension. It chooses between the
            sizes that a strided convolution maps to the same one, and must be less than the stride
            or the dilation. Default: 0.
        groups: splits the channels into this many independent maps; it must divide `in_channels`
            and `out_channels`. Default: 1.
        bias: whether to add a learnable number to each output channel. Default: True.
        dilation: distance between neighbouring filter elements. Default: 1.
        padding_mode: "zeros" only.
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Input: (N, in_channels, H, W), or (in_channels, H, W) for a single image.
        - Output: (N, out_channels, H_out, W_out), or (out_channels, H_out, W_out), where each
          spatial size becomes (size - 1) * stride - 2 * padding + dilation * (kernel_size - 1) +
          output_padding + 1.

    Attributes:
        weight: (in_channels, out_channels / groups, kernel_size[0], kernel_size[1]); the order of
            the channels is the reverse of a convolution's.
        bias: (out_channels,), or None if bias=False.

    Both start uniform between -b and b with b = sqrt(groups / (out_channels * kernel_size[0] *
    kernel_size[1])).

    Example:
        >>> up = nn.ConvTranspose2d(1, 1, kernel_size=2, stride=2, bias=False)
        >>> _ = nn.init.constant_(up.weight, 1.)
        >>> up(torch.tensor([[[1., 2.]]])).tolist()
        [[[1.0, 1.0, 2.0, 2.0], [1.0, 1.0, 2.0, 2.0]]]
        >>> down = nn.Conv2d(16, 16, 3, stride=2, padding=1)
        >>> back = nn.ConvTranspose2d(16, 16, 3, stride=2, padding=1)
        >>> x = torch.zeros(1, 16, 12, 12)
        >>> small = down(x)
        >>> small.shape
        torch.Size([1, 16, 6, 6])
        >>> back(small).shape, back(small, output_size=x.size()).shape
        (torch.Size([1, 16, 11, 11]), torch.Size([1, 16, 12, 12]))
    """

    _tuple = staticmethod(_pair)

    @staticmethod
    def _convolve(*args):
        return F.conv_transpose2d(*args)


class ConvTranspose3d(_ConvTranspose):
    """Apply a transposed convolution to a volume, for example to upsample it.

    Every input element adds a copy of the filter, scaled by its value, to the output; where copies
    overlap they add up. It is ConvTranspose2d with one more dimension, depth or time.

    Args:
        in_channels: number of channels of the input.
        out_channels: number of channels of the output.
        kernel_size: size of the filters, an int or a triple (depth, height, width).
        stride: distance in the output between the contributions of neighbouring input elements, an
            int or a triple (depth, height, width). A stride of 2 about doubles the size. Default:
            1.
        padding: elements cut off at both ends of each output dimension; it undoes the same padding
            of a convolution. Default: 0.
        output_padding: elements added at the end of each output dimension. It chooses between the
            sizes that a strided convolution maps to the same one, and must be less than the stride
            or the dilation. Default: 0.
        groups: splits the channels into this many independent maps; it must divide `in_channels`
            and `out_channels`. Default: 1.
        bias: whether to add a learnable number to each output channel. Default: True.
        dilation: distance between neighbouring filter elements. Default: 1.
        padding_mode: "zeros" only.
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Input: (N, in_channels, D, H, W), or (in_channels, D, H, W) for a single volume.
        - Output: (N, out_channels, D_out, H_out, W_out), or (out_channels, D_out, H_out, W_out),
          where each spatial size becomes (size - 1) * stride - 2 * padding + dilation *
          (kernel_size - 1) + output_padding + 1.

    Attributes:
        weight: (in_channels, out_channels / groups, kernel_size[0], kernel_size[1],
            kernel_size[2]); the order of the channels is the reverse of a convolution's.
        bias: (out_channels,), or None if bias=False.

    Both start uniform between -b and b with b = sqrt(groups / (out_channels * kernel_size[0] *
    kernel_size[1] * kernel_size[2])).

    Example:
        >>> nn.ConvTranspose3d(2, 3, 2, stride=2)(torch.zeros(1, 2, 2, 3, 4)).shape
        torch.Size([1, 3, 4, 6, 8])
    """

    _tuple = staticmethod(_triple)

    @staticmethod
    def _convolve(*args):
        return F.conv_transpose3d(*args)


# ---- lazy forms ----

class _LazyConvXdMixin(LazyModuleMixin):
    """Mixin of lazy convolutions, which read `in_channels` from the first input."""

    def _start(self, out_channels, bias, device, dtype):
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self):
        """Draw new parameters, unless the first call has not created them yet."""
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def initialize_parameters(self, input, *args, **kwargs):
        """Create weight and bias for the channels of the first input."""
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
    """A convolution whose constructor has no `in_channels`."""

    def __init__(self, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode="zeros",
                 device=None, dtype=None):
        super().__init__(0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode, device, dtype)
        self._start(out_channels, bias, device, dtype)


class _LazyConvTranspose(_LazyConvXdMixin):
    """A transposed convolution whose constructor has no `in_channels`."""

    def __init__(self, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1,
                 padding_mode="zeros", device=None, dtype=None):
        super().__init__(0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation, padding_mode, device, dtype)
        self._start(out_channels, bias, device, dtype)


class LazyConv1d(_LazyConv, Conv1d):
    """A Conv1d that takes `in_channels` from its first input.

    The first call creates `weight` and `bias`, and the module becomes a plain Conv1d. Until then
    the parameters have no shape; run one dummy batch before you make an optimizer.

    Args:
        out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, device,
            dtype: those of Conv1d, with the same defaults.

    Shape:
        As Conv1d.

    Example:
        >>> layer = nn.LazyConv1d(4, kernel_size=2)
        >>> layer.weight
        <UninitializedParameter>
        >>> layer(torch.zeros(2, 3, 5)).shape
        torch.Size([2, 4, 4])
        >>> layer
        Conv1d(3, 4, kernel_size=(2,), stride=(1,))
    """

    cls_to_become = Conv1d


class LazyConv2d(_LazyConv, Conv2d):
    """A Conv2d that takes `in_channels` from its first input.

    The first call creates `weight` and `bias`, and the module becomes a plain Conv2d. Until then
    the parameters have no shape; run one dummy batch before you make an optimizer.

    Args:
        out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, device,
            dtype: those of Conv2d, with the same defaults.

    Shape:
        As Conv2d.

    Example:
        >>> layer = nn.LazyConv2d(4, kernel_size=3, padding=1)
        >>> layer.weight
        <UninitializedParameter>
        >>> layer(torch.zeros(2, 3, 5, 5)).shape
        torch.Size([2, 4, 5, 5])
        >>> layer
        Conv2d(3, 4, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1))
    """

    cls_to_become = Conv2d


class LazyConv3d(_LazyConv, Conv3d):
    """A Conv3d that takes `in_channels` from its first input.

    The first call creates `weight` and `bias`, and the module becomes a plain Conv3d. Until then
    the parameters have no shape; run one dummy batch before you make an optimizer.

    Args:
        out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, device,
            dtype: those of Conv3d, with the same defaults.

    Shape:
        As Conv3d.

    Example:
        >>> layer = nn.LazyConv3d(2, kernel_size=2)
        >>> layer.weight
        <UninitializedParameter>
        >>> layer(torch.zeros(1, 2, 3, 3, 3)).shape
        torch.Size([1, 2, 2, 2, 2])
        >>> layer
        Conv3d(2, 2, kernel_size=(2, 2, 2), stride=(1, 1, 1))
    """

    cls_to_become = Conv3d


class LazyConvTranspose1d(_LazyConvTranspose, ConvTranspose1d):
    """A ConvTranspose1d that takes `in_channels` from its first input.

    The first call creates `weight` and `bias`, and the module becomes a plain ConvTranspose1d.
    Until then the parameters have no shape; run one dummy batch before you make an optimizer.

    Args:
        out_channels, kernel_size, stride, padding, output_padding, groups, bias, dilation,
            padding_mode, device, dtype: those of ConvTranspose1d, with the same defaults.

    Shape:
        As ConvTranspose1d.

    Example:
        >>> layer = nn.LazyConvTranspose1d(4, kernel_size=2)
        >>> layer.weight
        <UninitializedParameter>
        >>> layer(torch.zeros(2, 3, 5)).shape
        torch.Size([2, 4, 6])
        >>> layer
        ConvTranspose1d(3, 4, kernel_size=(2,), stride=(1,))
    """

    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyConvTranspose, ConvTranspose2d):
    """A ConvTranspose2d that takes `in_channels` from its first input.

    The first call creates `weight` and `bias`, and the module becomes a plain ConvTranspose2d.
    Until then the parameters have no shape; run one dummy batch before you make an optimizer.

    Args:
        out_channels, kernel_size, stride, padding, output_padding, groups, bias, dilation,
            padding_mode, device, dtype: those of ConvTranspose2d, with the same defaults.

    Shape:
        As ConvTranspose2d.

    Example:
        >>> layer = nn.LazyConvTranspose2d(4, kernel_size=3, padding=1)
        >>> layer.weight
        <UninitializedParameter>
        >>> layer(torch.zeros(2, 3, 5, 5)).shape
        torch.Size([2, 4, 5, 5])
        >>> layer
        ConvTranspose2d(3, 4, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1))
    """

    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyConvTranspose, ConvTranspose3d):
    """A ConvTranspose3d that takes `in_channels` from its first input.

    The first call creates `weight` and `bias`, and the module becomes a plain ConvTranspose3d.
    Until then the parameters have no shape; run one dummy batch before you make an optimizer.

    Args:
        out_channels, kernel_size, stride, padding, output_padding, groups, bias, dilation,
            padding_mode, device, dtype: those of ConvTranspose3d, with the same defaults.

    Shape:
        As ConvTranspose3d.

    Example:
        >>> layer = nn.LazyConvTranspose3d(2, kernel_size=2)
        >>> layer.weight
        <UninitializedParameter>
        >>> layer(torch.zeros(1, 2, 3, 3, 3)).shape
        torch.Size([1, 2, 4, 4, 4])
        >>> layer
        ConvTranspose3d(2, 2, kernel_size=(2, 2, 2), stride=(1, 1, 1))
    """

    cls_to_become = ConvTranspose3d
