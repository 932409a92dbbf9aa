# SPDX-License-Identifier: BSD-3-Clause
"""Networks with torchvision's layers, parameter names and initialization, so that its weight files load."""
from .._elsewhere import names_of
from ._api import get_model, get_model_builder, get_model_weights, get_weight, list_models
from ._weights import *  # noqa: F403
from ._weights import __all__ as _weights
from .alexnet import AlexNet, alexnet
from .densenet import DenseNet, densenet121, densenet161, densenet169, densenet201
from .mobilenet import MobileNetV2, MobileNetV3, mobilenet_v2, mobilenet_v3_large, mobilenet_v3_small
from .resnet import (ResNet, resnet18, resnet34, resnet50, resnet101, resnet152, resnext50_32x4d, resnext101_32x8d,
                     resnext101_64x4d, wide_resnet50_2, wide_resnet101_2)
from .squeezenet import SqueezeNet, squeezenet1_0, squeezenet1_1
from .vgg import VGG, vgg11, vgg11_bn, vgg13, vgg13_bn, vgg16, vgg16_bn, vgg19, vgg19_bn
from .vision_transformer import VisionTransformer, vit_b_16, vit_b_32, vit_h_14, vit_l_16, vit_l_32

__all__ = [
    "AlexNet", "DenseNet", "MobileNetV2", "MobileNetV3", "ResNet", "SqueezeNet", "VGG", "VisionTransformer", "alexnet",
    "densenet121", "densenet161", "densenet169", "densenet201", "get_model", "get_model_builder", "get_model_weights",
    "get_weight", "list_models", "mobilenet_v2",
    "mobilenet_v3_large", "mobilenet_v3_small", "resnet101", "resnet152", "resnet18", "resnet34", "resnet50",
    "resnext101_32x8d", "resnext101_64x4d", "resnext50_32x4d", "squeezenet1_0", "squeezenet1_1", "vgg11", "vgg11_bn", "vgg13",
    "vgg13_bn", "vgg16", "vgg16_bn", "vgg19", "vgg19_bn", "vit_b_16", "vit_b_32", "vit_h_14", "vit_l_16", "vit_l_32",
    "wide_resnet101_2", "wide_resnet50_2", *_weights,
]
__getattr__ = names_of(__name__)
