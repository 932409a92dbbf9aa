# SPDX-License-Identifier: BSD-3-Clause
"""MobileNet V2 (Sandler et al., 2018) and V3 (Howard et al., 2019): inverted residuals with depthwise convolutions."""
from functools import partial

from ... import _C, nn
from ..ops.misc import Conv2dNormActivation as ConvNormActivation
from ..ops.misc import SqueezeExcitation
from ._api import make_divisible, register_model


def _init(net, std=0.01):
    for m in net.modules():
        if isinstance(m, nn.Conv2d):
            nn.init.kaiming_normal_(m.weight, mode="fan_out")
            if m.bias is not None:
                nn.init.zeros_(m.bias)
        elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
            nn.init.ones_(m.weight)
            nn.init.zeros_(m.bias)
        elif isinstance(m, nn.Linear):
            nn.init.normal_(m.weight, 0, std)
            nn.init.zeros_(m.bias)


# ---- version 2 ----

class InvertedResidual(nn.Module):
    """Inverted residual block: 1x1 expansion, 3x3 depthwise convolution, 1x1 projection."""

    def __init__(self, inp, oup, stride, expand_ratio, norm_layer=nn.BatchNorm2d):
        super().__init__()
        hidden = int(round(inp * expand_ratio))
        self.use_res_connect = stride == 1 and inp == oup
        layers = []
        if expand_ratio != 1:
            layers.append(ConvNormActivation(inp, hidden, 1, norm_layer=norm_layer, activation_layer=nn.ReLU6))
        layers += [ConvNormActivation(hidden, hidden, stride=stride, groups=hidden, norm_layer=norm_layer, activation_layer=nn.ReLU6),
                   nn.Conv2d(hidden, oup, 1, 1, 0, bias=False), norm_layer(oup)]
        self.conv = nn.Sequential(*layers)

    def forward(self, x):
        """Applies the block to a feature map (N, C, H, W)."""
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


class MobileNetV2(nn.Module):
    """MobileNet V2."""

    def __init__(self, num_classes=1000, width_mult=1.0, inverted_residual_setting=None, round_nearest=8, dropout=0.2):
        super().__init__()
        setting = inverted_residual_setting or [[1, 16, 1, 1], [6, 24, 2, 2], [6, 32, 3, 2], [6, 64, 4, 2], [6, 96, 3, 1],
                                                [6, 160, 3, 2], [6, 320, 1, 1]]
        channels = make_divisible(32 * width_mult, round_nearest)
        self.last_channel = make_divisible(1280 * max(1.0, width_mult), round_nearest)
        features = [ConvNormActivation(3, channels, stride=2, activation_layer=nn.ReLU6)]
        for t, c, n, s in setting:
            out = make_divisible(c * width_mult, round_nearest)
            for i in range(n):
                features.append(InvertedResidual(channels, out, s if i == 0 else 1, t))
                channels = out
        features.append(ConvNormActivation(channels, self.last_channel, 1, activation_layer=nn.ReLU6))
        self.features = nn.Sequential(*features)
        self.classifier = nn.Sequential(nn.Dropout(p=dropout), nn.Linear(self.last_channel, num_classes))
        _init(self)

    def forward(self, x):
        """Returns class scores of shape (N, num_classes) for images (N, 3, H, W)."""
        x = nn.functional.adaptive_avg_pool2d(self.features(x), (1, 1))
        return self.classifier(_C.flatten(x, 1))


@register_model
def mobilenet_v2(**kwargs):
    """Builds MobileNet V2."""
    return MobileNetV2(**kwargs)


# ---- version 3 ----

class InvertedResidualV3(nn.Module):
    """Inverted residual block with optional squeeze-and-excitation."""

    def __init__(self, inp, kernel, expanded, out, use_se, use_hs, stride, dilation, norm_layer):
        super().__init__()
        self.use_res_connect = stride == 1 and inp == out
        activation = nn.Hardswish if use_hs else nn.ReLU
        layers = []
        if expanded != inp:
            layers.append(ConvNormActivation(inp, expanded, 1, norm_layer=norm_layer, activation_layer=activation))
        layers.append(ConvNormActivation(expanded, expanded, kernel, 1 if dilation > 1 else stride, None, expanded, norm_layer, activation,
                                         dilation))
        if use_se:
            layers.append(SqueezeExcitation(expanded, make_divisible(expanded // 4, 8), scale_activation=nn.Hardsigmoid))
        layers.append(ConvNormActivation(expanded, out, 1, norm_layer=norm_layer, activation_layer=None))
        self.block = nn.Sequential(*layers)
        self.out_channels = out

    def forward(self, x):
        """Applies the block to a feature map (N, C, H, W)."""
        return self.block(x) + x if self.use_res_connect else self.block(x)


class MobileNetV3(nn.Module):
    """MobileNet V3. Rows of the setting: input, kernel, expanded, output, use SE, use hardswish, stride, dilation."""

    def __init__(self, inverted_residual_setting, last_channel, num_classes=1000, dropout=0.2):
        super().__init__()
        norm = partial(nn.BatchNorm2d, eps=0.001, momentum=0.01)
        first = inverted_residual_setting[0][0]
        layers = [ConvNormActivation(3, first, 3, 2, norm_layer=norm, activation_layer=nn.Hardswish)]
        layers += [InvertedResidualV3(*row, norm) for row in inverted_residual_setting]
        end = inverted_residual_setting[-1][3]
        layers.append(ConvNormActivation(end, 6 * end, 1, norm_layer=norm, activation_layer=nn.Hardswish))
        self.features, self.avgpool = nn.Sequential(*layers), nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(nn.Linear(6 * end, last_channel), nn.Hardswish(inplace=True),
                                        nn.Dropout(p=dropout, inplace=True), nn.Linear(last_channel, num_classes))
        _init(self)

    def forward(self, x):
        """Returns class scores of shape (N, num_classes) for images (N, 3, H, W)."""
        return self.classifier(_C.flatten(self.avgpool(self.features(x)), 1))


def _setting(arch, width_mult=1.0, reduced_tail=False, dilated=False):
    def row(inp, kernel, expanded, out, se, activation, stride, dilation):
        return (make_divisible(inp * width_mult), kernel, make_divisible(expanded * width_mult), make_divisible(out * width_mult),
                se, activation == "HS", stride, dilation)
    r, d = 2 if reduced_tail else 1, 2 if dilated else 1
    if arch == "large":
        rows = [(16, 3, 16, 16, False, "RE", 1, 1), (16, 3, 64, 24, False, "RE", 2, 1), (24, 3, 72, 24, False, "RE", 1, 1),
                (24, 5, 72, 40, True, "RE", 2, 1), (40, 5, 120, 40, True, "RE", 1, 1), (40, 5, 120, 40, True, "RE", 1, 1),
                (40, 3, 240, 80, False, "HS", 2, 1), (80, 3, 200, 80, False, "HS", 1, 1), (80, 3, 184, 80, False, "HS", 1, 1),
                (80, 3, 184, 80, False, "HS", 1, 1), (80, 3, 480, 112, True, "HS", 1, 1), (112, 3, 672, 112, True, "HS", 1, 1),
                (112, 5, 672, 160 // r, True, "HS", 2, d), (160 // r, 5, 960 // r, 160 // r, True, "HS", 1, d),
                (160 // r, 5, 960 // r, 160 // r, True, "HS", 1, d)]
        last = make_divisible(1280 // r * width_mult)
    else:
        rows = [(16, 3, 16, 16, True, "RE", 2, 1), (16, 3, 72, 24, False, "RE", 2, 1), (24, 3, 88, 24, False, "RE", 1, 1),
                (24, 5, 96, 40, True, "HS", 2, 1), (40, 5, 240, 40, True, "HS", 1, 1), (40, 5, 240, 40, True, "HS", 1, 1),
                (40, 5, 120, 48, True, "HS", 1, 1), (48, 5, 144, 48, True, "HS", 1, 1),
                (48, 5, 288, 96 // r, True, "HS", 2, d), (96 // r, 5, 576 // r, 96 // r, True, "HS", 1, d),
                (96 // r, 5, 576 // r, 96 // r, True, "HS", 1, d)]
        last = make_divisible(1024 // r * width_mult)
    return [row(*r) for r in rows], last


@register_model
def mobilenet_v3_large(width_mult=1.0, reduced_tail=False, dilated=False, **kwargs):
    """Builds the large MobileNet V3."""
    return MobileNetV3(*_setting("large", width_mult, reduced_tail, dilated), **kwargs)


@register_model
def mobilenet_v3_small(width_mult=1.0, reduced_tail=False, dilated=False, **kwargs):
    """Builds the small MobileNet V3."""
    return MobileNetV3(*_setting("small", width_mult, reduced_tail, dilated), **kwargs)
