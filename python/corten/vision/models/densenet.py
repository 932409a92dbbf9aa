# SPDX-License-Identifier: BSD-3-Clause
"""DenseNet (Huang et al., 2017): each layer takes the concatenated outputs of all earlier layers of its block."""
from collections import OrderedDict

from ... import _C, nn
from ._api import register_model


class _DenseLayer(nn.Module):
    def __init__(self, num_input_features, growth_rate, bn_size, drop_rate):
        super().__init__()
        self.norm1, self.relu1 = nn.BatchNorm2d(num_input_features), nn.ReLU(inplace=True)
        self.conv1 = nn.Conv2d(num_input_features, bn_size * growth_rate, kernel_size=1, stride=1, bias=False)
        self.norm2, self.relu2 = nn.BatchNorm2d(bn_size * growth_rate), nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(bn_size * growth_rate, growth_rate, kernel_size=3, stride=1, padding=1, bias=False)
        self.drop_rate = float(drop_rate)

    def forward(self, features):
        x = _C.cat(features, 1) if isinstance(features, list) else features
        x = self.conv2(self.relu2(self.norm2(self.conv1(self.relu1(self.norm1(x))))))
        return nn.functional.dropout(x, p=self.drop_rate, training=self.training) if self.drop_rate > 0 else x


class _DenseBlock(nn.ModuleDict):
    def __init__(self, num_layers, num_input_features, bn_size, growth_rate, drop_rate):
        super().__init__()
        for i in range(num_layers):
            self.add_module(f"denselayer{i + 1}", _DenseLayer(num_input_features + i * growth_rate, growth_rate, bn_size, drop_rate))

    def forward(self, x):
        features = [x]
        for _, layer in self.items():
            features.append(layer(features))
        return _C.cat(features, 1)


class _Transition(nn.Sequential):
    def __init__(self, num_input_features, num_output_features):
        super().__init__()
        self.norm, self.relu = nn.BatchNorm2d(num_input_features), nn.ReLU(inplace=True)
        self.conv = nn.Conv2d(num_input_features, num_output_features, kernel_size=1, stride=1, bias=False)
        self.pool = nn.AvgPool2d(kernel_size=2, stride=2)


class DenseNet(nn.Module):
    """Dense blocks joined by transition layers."""

    def __init__(self, growth_rate=32, block_config=(6, 12, 24, 16), num_init_features=64, bn_size=4, drop_rate=0,
                 num_classes=1000):
        super().__init__()
        self.features = nn.Sequential(OrderedDict([
            ("conv0", nn.Conv2d(3, num_init_features, kernel_size=7, stride=2, padding=3, bias=False)),
            ("norm0", nn.BatchNorm2d(num_init_features)), ("relu0", nn.ReLU(inplace=True)),
            ("pool0", nn.MaxPool2d(kernel_size=3, stride=2, padding=1))]))
        channels = num_init_features
        for i, layers in enumerate(block_config):
            self.features.add_module(f"denseblock{i + 1}", _DenseBlock(layers, channels, bn_size, growth_rate, drop_rate))
            channels += layers * growth_rate
            if i != len(block_config) - 1:
                self.features.add_module(f"transition{i + 1}", _Transition(channels, channels // 2))
                channels //= 2
        self.features.add_module("norm5", nn.BatchNorm2d(channels))
        self.classifier = nn.Linear(channels, num_classes)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight)
            elif isinstance(m, nn.BatchNorm2d):
                nn.init.constant_(m.weight, 1)
                nn.init.constant_(m.bias, 0)
            elif isinstance(m, nn.Linear):
                nn.init.constant_(m.bias, 0)

    def forward(self, x):
        """Returns class scores of shape (N, num_classes) for images (N, 3, H, W)."""
        x = nn.functional.relu(self.features(x), inplace=True)
        return self.classifier(_C.flatten(nn.functional.adaptive_avg_pool2d(x, (1, 1)), 1))


def _builder(depth, *config):
    def build(**kwargs):
        return DenseNet(*config, **kwargs)
    build.__name__, build.__doc__ = f"densenet{depth}", f"DenseNet with {depth} layers."
    return register_model(build)


densenet121 = _builder(121, 32, (6, 12, 24, 16), 64)
densenet161 = _builder(161, 48, (6, 12, 36, 24), 96)
densenet169 = _builder(169, 32, (6, 12, 32, 32), 64)
densenet201 = _builder(201, 32, (6, 12, 48, 32), 64)
