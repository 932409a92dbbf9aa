# SPDX-License-Identifier: BSD-3-Clause
"""Image datasets."""
from .._elsewhere import names_of
from .cifar import CIFAR10, CIFAR100
from .fakedata import FakeData
from .folder import DatasetFolder, ImageFolder
from .mnist import EMNIST, KMNIST, MNIST, FashionMNIST
from .vision import VisionDataset

__all__ = ["CIFAR10", "CIFAR100", "DatasetFolder", "EMNIST", "FakeData", "FashionMNIST", "ImageFolder", "KMNIST", "MNIST",
           "VisionDataset"]
__getattr__ = names_of(__name__)
