# SPDX-License-Identifier: BSD-3-Clause
"""SqueezeNet (Iandola et al., 2016)."""
from ... import _C, nn
from ._api import register_model


class Fire(nn.Module):
    """Fire module: a 1x1 squeeze convolution, then 1x1 and 3x3 expand convolutions side by side."""

    def __init__(self, inplanes, squeeze_planes, expand1x1_planes, expand3x3_planes):
        super().__init__()
        self.inplanes = inplanes
        self.squeeze, self.squeeze_activation = nn.Conv2d(inplanes, squeeze_planes, kernel_size=1), nn.ReLU(inplace=True)
        self.expand1x1 = nn.Conv2d(squeeze_planes, expand1x1_planes, kernel_size=1)
        self.expand1x1_activation = nn.ReLU(inplace=True)
        self.expand3x3 = nn.Conv2d(squeeze_planes, expand3x3_planes, kernel_size=3, padding=1)
        self.expand3x3_activation = nn.ReLU(inplace=True)

    def forward(self, x):
        """Applies the block to a feature map (N, C, H, W)."""
        x = self.squeeze_activation(self.squeeze(x))
        return _C.cat([self.expand1x1_activation(self.expand1x1(x)), self.expand3x3_activation(self.expand3x3(x))], 1)


def _pool():
    return nn.MaxPool2d(kernel_size=3, stride=2, ceil_mode=True)


class SqueezeNet(nn.Module):
    """SqueezeNet, version "1_0" or "1_1"."""

    def __init__(self, version="1_0", num_classes=1000, dropout=0.5):
        super().__init__()
        self.num_classes = num_classes
        if version == "1_0":
            self.features = nn.Sequential(
                nn.Conv2d(3, 96, kernel_size=7, stride=2), nn.ReLU(inplace=True), _pool(), Fire(96, 16, 64, 64),
                Fire(128, 16, 64, 64), Fire(128, 32, 128, 128), _pool(), Fire(256, 32, 128, 128), Fire(256, 48, 192, 192),
                Fire(384, 48, 192, 192), Fire(384, 64, 256, 256), _pool(), Fire(512, 64, 256, 256))
        elif version == "1_1":
            self.features = nn.Sequential(
                nn.Conv2d(3, 64, kernel_size=3, stride=2), nn.ReLU(inplace=True), _pool(), Fire(64, 16, 64, 64),
                Fire(128, 16, 64, 64), _pool(), Fire(128, 32, 128, 128), Fire(256, 32, 128, 128), _pool(),
                Fire(256, 48, 192, 192), Fire(384, 48, 192, 192), Fire(384, 64, 256, 256), Fire(512, 64, 256, 256))
        else:
            raise ValueError(f"Unsupported SqueezeNet version {version}: 1_0 or 1_1 expected")
        last = nn.Conv2d(512, num_classes, kernel_size=1)
        self.classifier = nn.Sequential(nn.Dropout(p=dropout), last, nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d((1, 1)))
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                if m is last:
                    nn.init.normal_(m.weight, mean=0.0, std=0.01)
                else:
                    nn.init.kaiming_uniform_(m.weight)
                if m.bias is not None:
                    nn.init.constant_(m.bias, 0)

    def forward(self, x):
        """Returns class scores of shape (N, num_classes) for images (N, 3, H, W)."""
        return _C.flatten(self.classifier(self.features(x)), 1)


@register_model
def squeezenet1_0(**kwargs):
    """Builds SqueezeNet 1.0."""
    return SqueezeNet("1_0", **kwargs)


@register_model
def squeezenet1_1(**kwargs):
    """Builds SqueezeNet 1.1, with about 2.4 times fewer operations than 1.0."""
    return SqueezeNet("1_1", **kwargs)
