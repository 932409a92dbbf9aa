# SPDX-License-Identifier: BSD-3-Clause
"""A convolutional network that classifies digits: 28 x 28 images of a seven-segment display with noise, shifts and changing
brightness, drawn here. After some seconds it classifies nearly all of 1000 new images correctly.

    python examples/train_cnn.py [--steps 300]
"""
import argparse

import corten
from corten import nn
from corten.nn import functional as F
from progress import Progress

SEGMENTS = ["abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg"]
WHERE = {"a": (4, 6, 9, 19), "g": (13, 15, 9, 19), "d": (22, 24, 9, 19), "f": (4, 15, 8, 10), "e": (13, 24, 8, 10),
         "b": (4, 15, 18, 20), "c": (13, 24, 18, 20)}


def prototypes():
    images = corten.zeros(10, 1, 28, 28)
    for digit, lit in enumerate(SEGMENTS):
        for segment in lit:
            top, bottom, left, right = WHERE[segment]
            images[digit, 0, top:bottom, left:right] = 1
    return images


def batch(digits, n):
    labels = corten.randint(10, (n,))
    images = digits[labels] * (0.5 + corten.rand(n, 1, 1, 1))
    down, right = corten.randint(-3, 4, (2,)).tolist()
    return images.roll((down, right), (2, 3)) + 0.4 * corten.randn(n, 1, 28, 28), labels


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.norm = nn.BatchNorm2d(32)
        self.fc1 = nn.Linear(32 * 7 * 7, 64)
        self.fc2 = nn.Linear(64, 10)
        self.dropout = nn.Dropout(0.2)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.norm(self.conv2(x))), 2)
        return self.fc2(self.dropout(F.relu(self.fc1(x.flatten(1)))))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=300)
    options = parser.parse_args()
    corten.manual_seed(0)
    digits, net = prototypes(), Net()
    optimizer = corten.optim.Adam(net.parameters(), lr=1e-3)
    progress = Progress(options.steps)
    for step in range(options.steps):
        images, labels = batch(digits, 64)
        loss = F.cross_entropy(net(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        progress.show(step, loss.item())
    net.eval()
    with corten.no_grad():
        images, labels = batch(digits, 1000)
        right = (net(images).argmax(1) == labels).sum().item()
    print(f"{right} of 1000 new images right")


if __name__ == "__main__":
    main()
