# SPDX-License-Identifier: BSD-3-Clause
"""VGG (Simonyan and Zisserman, 2015): stacks of 3x3 convolutions."""
from ... import _C, nn
from ._api import register_model

# Output channels of the convolutions; "M" is a max pooling layer.
_LAYERS = {
    11: [64, "M", 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"],
    13: [64, 64, "M", 128, 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"],
    16: [64, 64, "M", 128, 128, "M", 256, 256, 256, "M", 512, 512, 512, "M", 512, 512, 512, "M"],
    19: [64, 64, "M", 128, 128, "M", 256, 256, 256, 256, "M", 512, 512, 512, 512, "M", 512, 512, 512, 512, "M"],
}


class VGG(nn.Module):
    """Convolutions followed by three linear layers."""

    def __init__(self, features, num_classes=1000, init_weights=True, dropout=0.5):
        super().__init__()
        self.features = features
        self.avgpool = nn.AdaptiveAvgPool2d((7, 7))
        self.classifier = nn.Sequential(
            nn.Linear(512 * 7 * 7, 4096), nn.ReLU(True), nn.Dropout(p=dropout), nn.Linear(4096, 4096), nn.ReLU(True),
            nn.Dropout(p=dropout), nn.Linear(4096, num_classes))
        if init_weights:
            for m in self.modules():
                if isinstance(m, nn.Conv2d):
                    nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
                    if m.bias is not None:
                        nn.init.constant_(m.bias, 0)
                elif isinstance(m, nn.BatchNorm2d):
                    nn.init.constant_(m.weight, 1)
                    nn.init.constant_(m.bias, 0)
                elif isinstance(m, nn.Linear):
                    nn.init.normal_(m.weight, 0, 0.01)
                    nn.init.constant_(m.bias, 0)

    def forward(self, x):
        """Returns class scores of shape (N, num_classes) for images (N, 3, H, W)."""
        return self.classifier(_C.flatten(self.avgpool(self.features(x)), 1))


def make_layers(cfg, batch_norm=False):
    """Builds the convolutional layers from a list of channel counts and "M" for max pooling."""
    layers, channels = [], 3
    for v in cfg:
        if v == "M":
            layers.append(nn.MaxPool2d(kernel_size=2, stride=2))
            continue
        layers.append(nn.Conv2d(channels, v, kernel_size=3, padding=1))
        if batch_norm:
            layers.append(nn.BatchNorm2d(v))
        layers.append(nn.ReLU(inplace=True))
        channels = v
    return nn.Sequential(*layers)


def _builder(depth, batch_norm):
    def build(**kwargs):
        return VGG(make_layers(_LAYERS[depth], batch_norm), **kwargs)
    build.__name__ = f"vgg{depth}{'_bn' if batch_norm else ''}"
    build.__doc__ = f"VGG with {depth} layers{', normalised by batches' if batch_norm else ''}."
    return register_model(build)


vgg11, vgg13, vgg16, vgg19 = (_builder(depth, False) for depth in _LAYERS)
vgg11_bn, vgg13_bn, vgg16_bn, vgg19_bn = (_builder(depth, True) for depth in _LAYERS)
