# SPDX-License-Identifier: BSD-3-Clause
"""Deformable convolution: taps displaced by learned offsets (Dai et al., 2017; with a mask: Zhu et al., 2018)."""
import math

from ... import _C, nn
from . import _regions
from .roi_align import pair

__all__ = ["DeformConv2d", "deform_conv2d"]


def deform_conv2d(input, offset, weight, bias=None, stride=(1, 1), padding=(0, 0), dilation=(1, 1), mask=None):
    """Convolution that reads pixel (y + offset_y, x + offset_x), bilinearly, where an ordinary one reads (y, x).

    offset: (N, 2 * offset groups * kernel height * kernel width, output height, output width), y before x for each tap.
    mask: (N, offset groups * kernel height * kernel width, output height, output width), a factor for each tap, or None.
    The input channels are divided among the offset groups. Other arguments are those of conv2d.
    """
    taps = weight.shape[2] * weight.shape[3]
    offset_groups = offset.shape[1] // (2 * taps)
    if offset_groups == 0:
        raise RuntimeError("the shape of the offset tensor at dimension 1 is not valid. It should be a multiple of 2 * "
                           f"weight.size[2] * weight.size[3].\nGot offset.shape[1]={offset.shape[1]}, while 2 * weight.size[2] * "
                           f"weight.size[3]={2 * taps}")
    if bias is None:
        bias = _C.zeros(weight.shape[0], dtype=input.dtype, device=input.device)
    return _regions.deform_conv2d(input, weight, offset, mask, bias, *pair(stride), *pair(padding), *pair(dilation),
                                  input.shape[1] // weight.shape[1], offset_groups, mask is not None)


class DeformConv2d(nn.Module):
    """Module form of deform_conv2d; forward takes the input, the offsets and the mask."""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True):
        super().__init__()
        for name, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            if channels % groups:
                raise ValueError(f"{name} must be divisible by groups")
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride, self.padding, self.dilation = (pair(v) for v in (kernel_size, stride, padding, dilation))
        self.weight = nn.Parameter(_C.empty(out_channels, in_channels // groups, *self.kernel_size))
        if bias:
            self.bias = nn.Parameter(_C.empty(out_channels))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        """Initializes the parameters like nn.Conv2d."""
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(nn.init._calculate_fan_in_and_fan_out(self.weight)[0])
            nn.init.uniform_(self.bias, -bound, bound)

    def forward(self, input, offset, mask=None):
        """Applies deform_conv2d with the weights of this module."""
        return deform_conv2d(input, offset, self.weight, self.bias, stride=self.stride, padding=self.padding,
                             dilation=self.dilation, mask=mask)

    def __repr__(self):
        parts = [f"{self.in_channels}", f"{self.out_channels}", f"kernel_size={self.kernel_size}", f"stride={self.stride}"]
        parts += [f"{name}={getattr(self, name)}" for name, plain in (("padding", (0, 0)), ("dilation", (1, 1)), ("groups", 1))
                  if getattr(self, name) != plain]
        return f"{type(self).__name__}({', '.join(parts + ['bias=False'] * (self.bias is None))})"
