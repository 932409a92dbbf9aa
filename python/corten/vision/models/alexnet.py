# SPDX-License-Identifier: BSD-3-Clause
"""AlexNet, from "One weird trick for parallelizing convolutional neural networks" (Krizhevsky, 2014)."""
from ... import _C, nn
from ._api import register_model


class AlexNet(nn.Module):
    """Five convolutions followed by three linear layers."""

    def __init__(self, num_classes=1000, dropout=0.5):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 64, kernel_size=11, stride=4, padding=2), nn.ReLU(inplace=True), nn.MaxPool2d(kernel_size=3, stride=2),
            nn.Conv2d(64, 192, kernel_size=5, padding=2), nn.ReLU(inplace=True), nn.MaxPool2d(kernel_size=3, stride=2),
            nn.Conv2d(192, 384, kernel_size=3, padding=1), nn.ReLU(inplace=True),
            nn.Conv2d(384, 256, kernel_size=3, padding=1), nn.ReLU(inplace=True),
            nn.Conv2d(256, 256, kernel_size=3, padding=1), nn.ReLU(inplace=True), nn.MaxPool2d(kernel_size=3, stride=2))
        self.avgpool = nn.AdaptiveAvgPool2d((6, 6))
        self.classifier = nn.Sequential(
            nn.Dropout(p=dropout), nn.Linear(256 * 6 * 6, 4096), nn.ReLU(inplace=True),
            nn.Dropout(p=dropout), nn.Linear(4096, 4096), nn.ReLU(inplace=True), nn.Linear(4096, num_classes))

    def forward(self, x):
        """Returns class scores of shape (N, num_classes) for images (N, 3, H, W)."""
        return self.classifier(_C.flatten(self.avgpool(self.features(x)), 1))


@register_model
def alexnet(**kwargs):
    """Builds AlexNet."""
    return AlexNet(**kwargs)
