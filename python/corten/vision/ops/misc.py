# SPDX-License-Identifier: BSD-3-Clause
"""Building blocks that several vision networks share."""
from ... import _C, nn

__all__ = ["Conv2dNormActivation", "Conv3dNormActivation", "ConvNormActivation", "FrozenBatchNorm2d", "MLP", "Permute",
           "SqueezeExcitation"]


class ConvNormActivation(nn.Sequential):
    """A convolution followed by a normalization and an activation."""

    def __init__(self, in_channels, out_channels, kernel_size=3, stride=1, padding=None, groups=1, norm_layer=nn.BatchNorm2d,
                 activation_layer=nn.ReLU, dilation=1, inplace=True, bias=None, conv_layer=nn.Conv2d):
        if padding is None:  # keeps the size
            if isinstance(kernel_size, int) and isinstance(dilation, int):
                padding = (kernel_size - 1) // 2 * dilation
            else:
                n = len(kernel_size) if not isinstance(kernel_size, int) else len(dilation)
                sizes, steps = ((v,) * n if isinstance(v, int) else v for v in (kernel_size, dilation))
                padding = tuple((k - 1) // 2 * d for k, d in zip(sizes, steps))
        layers = [conv_layer(in_channels, out_channels, kernel_size, stride, padding, dilation=dilation, groups=groups,
                             bias=norm_layer is None if bias is None else bias)]
        if norm_layer is not None:
            layers.append(norm_layer(out_channels))
        if activation_layer is not None:
            layers.append(activation_layer(**({} if inplace is None else {"inplace": inplace})))
        super().__init__(*layers)
        self.out_channels = out_channels


class Conv2dNormActivation(ConvNormActivation):
    """A 2-d convolution followed by a normalization and an activation."""


class Conv3dNormActivation(ConvNormActivation):
    """A 3-d convolution followed by a normalization and an activation."""

    def __init__(self, in_channels, out_channels, kernel_size=3, stride=1, padding=None, groups=1, norm_layer=nn.BatchNorm3d,
                 activation_layer=nn.ReLU, dilation=1, inplace=True, bias=None):
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, groups, norm_layer, activation_layer, dilation,
                         inplace, bias, nn.Conv3d)


class SqueezeExcitation(nn.Module):
    """Squeeze-and-excitation (Hu et al., 2018): scales channels by weights computed from their means."""

    def __init__(self, input_channels, squeeze_channels, activation=nn.ReLU, scale_activation=nn.Sigmoid):
        super().__init__()
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc1 = nn.Conv2d(input_channels, squeeze_channels, 1)
        self.fc2 = nn.Conv2d(squeeze_channels, input_channels, 1)
        self.activation, self.scale_activation = activation(), scale_activation()

    def forward(self, input):
        """Scales the channels of (N, C, H, W)."""
        return self.scale_activation(self.fc2(self.activation(self.fc1(self.avgpool(input))))) * input


class FrozenBatchNorm2d(nn.Module):
    """Batch normalization with constant statistics and affine parameters, stored as buffers."""

    def __init__(self, num_features, eps=1e-5):
        super().__init__()
        self.eps = eps
        for name, value in (("weight", 1.0), ("bias", 0.0), ("running_mean", 0.0), ("running_var", 1.0)):
            self.register_buffer(name, _C.full((num_features,), value))

    def _load_from_state_dict(self, state_dict, prefix, *args):
        state_dict.pop(prefix + "num_batches_tracked", None)  # left over from an unfrozen layer
        super()._load_from_state_dict(state_dict, prefix, *args)

    def forward(self, x):
        """Normalizes the channels of (N, C, H, W)."""
        w, b, mean, var = (v.reshape(1, -1, 1, 1) for v in (self.weight, self.bias, self.running_mean, self.running_var))
        scale = w * (var + self.eps).rsqrt()
        return x * scale + (b - mean * scale)

    def __repr__(self):
        return f"{type(self).__name__}({self.weight.shape[0]}, eps={self.eps})"


class Permute(nn.Module):
    """Permutes the dims of a tensor."""

    def __init__(self, dims):
        super().__init__()
        self.dims = dims

    def forward(self, x):
        """Permutes the dims of x."""
        return x.permute(*self.dims)


class MLP(nn.Sequential):
    """Linear layers with optional normalization, activations and dropout between."""

    def __init__(self, in_channels, hidden_channels, norm_layer=None, activation_layer=nn.ReLU, inplace=None, bias=True,
                 dropout=0.0):
        layers, how = [], {} if inplace is None else {"inplace": inplace}
        for size in hidden_channels[:-1]:
            layers.append(nn.Linear(in_channels, size, bias=bias))
            if norm_layer is not None:
                layers.append(norm_layer(size))
            layers += [activation_layer(**how), nn.Dropout(dropout, **how)]
            in_channels = size
        layers += [nn.Linear(in_channels, hidden_channels[-1], bias=bias), nn.Dropout(dropout, **how)]
        super().__init__(*layers)
