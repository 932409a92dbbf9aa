# SPDX-License-Identifier: BSD-3-Clause
"""ResNet (He et al., 2016), ResNeXt (Xie et al., 2017) and Wide ResNet (Zagoruyko and Komodakis, 2016)."""
from ... import _C, nn
from ._api import register_model


def conv3x3(in_planes, out_planes, stride=1, groups=1, dilation=1):
    """3x3 convolution with padding."""
    return nn.Conv2d(in_planes, out_planes, kernel_size=3, stride=stride, padding=dilation, groups=groups, bias=False,
                     dilation=dilation)


def conv1x1(in_planes, out_planes, stride=1):
    """1x1 convolution."""
    return nn.Conv2d(in_planes, out_planes, kernel_size=1, stride=stride, bias=False)


class BasicBlock(nn.Module):
    """Residual block of two 3x3 convolutions."""
    expansion = 1

    def __init__(self, inplanes, planes, stride=1, downsample=None, groups=1, base_width=64, dilation=1, norm_layer=None):
        super().__init__()
        norm_layer = norm_layer or nn.BatchNorm2d
        if groups != 1 or base_width != 64:
            raise ValueError("BasicBlock only supports groups=1 and base_width=64")
        if dilation > 1:
            raise NotImplementedError("Dilation > 1 not supported in BasicBlock")
        self.conv1, self.bn1, self.relu = conv3x3(inplanes, planes, stride), norm_layer(planes), nn.ReLU(inplace=True)
        self.conv2, self.bn2 = conv3x3(planes, planes), norm_layer(planes)
        self.downsample, self.stride = downsample, stride

    def forward(self, x):
        """Applies the block to a feature map (N, C, H, W)."""
        identity = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += identity
        return self.relu(out)


class Bottleneck(nn.Module):
    """Residual block of 1x1, 3x3 and 1x1 convolutions."""
    expansion = 4

    def __init__(self, inplanes, planes, stride=1, downsample=None, groups=1, base_width=64, dilation=1, norm_layer=None):
        super().__init__()
        norm_layer = norm_layer or nn.BatchNorm2d
        width = int(planes * (base_width / 64.0)) * groups
        self.conv1, self.bn1 = conv1x1(inplanes, width), norm_layer(width)
        self.conv2, self.bn2 = conv3x3(width, width, stride, groups, dilation), norm_layer(width)
        self.conv3, self.bn3 = conv1x1(width, planes * self.expansion), norm_layer(planes * self.expansion)
        self.relu, self.downsample, self.stride = nn.ReLU(inplace=True), downsample, stride

    def forward(self, x):
        """Applies the block to a feature map (N, C, H, W)."""
        identity = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        out += identity
        return self.relu(out)


class ResNet(nn.Module):
    """Four stages of residual blocks; `layers` gives the number of blocks in each."""

    def __init__(self, block, layers, num_classes=1000, zero_init_residual=False, groups=1, width_per_group=64,
                 replace_stride_with_dilation=None, norm_layer=None):
        super().__init__()
        self._norm_layer = norm_layer or nn.BatchNorm2d
        self.inplanes, self.dilation, self.groups, self.base_width = 64, 1, groups, width_per_group
        dilate = replace_stride_with_dilation or [False, False, False]
        if len(dilate) != 3:
            raise ValueError(f"replace_stride_with_dilation should be None or a 3-element tuple, got {dilate}")
        self.conv1 = nn.Conv2d(3, 64, kernel_size=7, stride=2, padding=3, bias=False)
        self.bn1, self.relu = self._norm_layer(64), nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        self.layer1 = self._make_layer(block, 64, layers[0])
        self.layer2 = self._make_layer(block, 128, layers[1], 2, dilate[0])
        self.layer3 = self._make_layer(block, 256, layers[2], 2, dilate[1])
        self.layer4 = self._make_layer(block, 512, layers[3], 2, dilate[2])
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(512 * block.expansion, num_classes)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.constant_(m.weight, 1)
                nn.init.constant_(m.bias, 0)
        for m in self.modules() if zero_init_residual else ():
            if isinstance(m, Bottleneck):
                nn.init.constant_(m.bn3.weight, 0)
            elif isinstance(m, BasicBlock):
                nn.init.constant_(m.bn2.weight, 0)

    def _make_layer(self, block, planes, blocks, stride=1, dilate=False):
        norm, before, downsample = self._norm_layer, self.dilation, None
        if dilate:
            self.dilation, stride = self.dilation * stride, 1
        if stride != 1 or self.inplanes != planes * block.expansion:
            downsample = nn.Sequential(conv1x1(self.inplanes, planes * block.expansion, stride), norm(planes * block.expansion))
        stages = [block(self.inplanes, planes, stride, downsample, self.groups, self.base_width, before, norm)]
        self.inplanes = planes * block.expansion
        stages += [block(self.inplanes, planes, groups=self.groups, base_width=self.base_width, dilation=self.dilation,
                         norm_layer=norm) for _ in range(1, blocks)]
        return nn.Sequential(*stages)

    def forward(self, x):
        """Returns class scores of shape (N, num_classes) for images (N, 3, H, W)."""
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(_C.flatten(self.avgpool(x), 1))


def _builder(name, doc, block, layers, **defaults):
    def build(**kwargs):
        return ResNet(block, layers, **{**defaults, **kwargs})
    build.__name__, build.__doc__ = name, doc
    return register_model(build)


resnet18 = _builder("resnet18", "ResNet with 18 layers.", BasicBlock, [2, 2, 2, 2])
resnet34 = _builder("resnet34", "ResNet with 34 layers.", BasicBlock, [3, 4, 6, 3])
resnet50 = _builder("resnet50", "ResNet with 50 layers.", Bottleneck, [3, 4, 6, 3])
resnet101 = _builder("resnet101", "ResNet with 101 layers.", Bottleneck, [3, 4, 23, 3])
resnet152 = _builder("resnet152", "ResNet with 152 layers.", Bottleneck, [3, 8, 36, 3])
resnext50_32x4d = _builder("resnext50_32x4d", "ResNeXt with 50 layers.", Bottleneck, [3, 4, 6, 3], groups=32, width_per_group=4)
resnext101_32x8d = _builder("resnext101_32x8d", "ResNeXt with 101 layers.", Bottleneck, [3, 4, 23, 3], groups=32, width_per_group=8)
resnext101_64x4d = _builder("resnext101_64x4d", "ResNeXt with 101 layers.", Bottleneck, [3, 4, 23, 3], groups=64, width_per_group=4)
wide_resnet50_2 = _builder("wide_resnet50_2", "ResNet with 50 wide layers.", Bottleneck, [3, 4, 6, 3], width_per_group=128)
wide_resnet101_2 = _builder("wide_resnet101_2", "ResNet with 101 wide layers.", Bottleneck, [3, 4, 23, 3], width_per_group=128)
