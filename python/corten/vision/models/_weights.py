# SPDX-License-Identifier: BSD-3-Clause
"""The pretrained weights that torchvision publishes, with the preprocessing they need.

A line holds builder, class, and for each set of weights: name, file, crop size, resize size, and the interpolation if it is not
bilinear. A star marks the default.
"""
import enum

_SITE = "https://download.pytorch.org/models/"
_TABLE = """
alexnet AlexNet IMAGENET1K_V1:alexnet-owt-7be5be79:224:256*
densenet121 DenseNet121 IMAGENET1K_V1:densenet121-a639ec97:224:256*
densenet161 DenseNet161 IMAGENET1K_V1:densenet161-8d451a50:224:256*
densenet169 DenseNet169 IMAGENET1K_V1:densenet169-b2777c0a:224:256*
densenet201 DenseNet201 IMAGENET1K_V1:densenet201-c1103571:224:256*
mobilenet_v2 MobileNet_V2 IMAGENET1K_V1:mobilenet_v2-b0353104:224:256 IMAGENET1K_V2:mobilenet_v2-7ebf99e0:224:232*
mobilenet_v3_large MobileNet_V3_Large IMAGENET1K_V1:mobilenet_v3_large-8738ca79:224:256 IMAGENET1K_V2:mobilenet_v3_large-5c1a4163:224:232*
mobilenet_v3_small MobileNet_V3_Small IMAGENET1K_V1:mobilenet_v3_small-047dcff4:224:256*
resnet101 ResNet101 IMAGENET1K_V1:resnet101-63fe2227:224:256 IMAGENET1K_V2:resnet101-cd907fc2:224:232*
resnet152 ResNet152 IMAGENET1K_V1:resnet152-394f9c45:224:256 IMAGENET1K_V2:resnet152-f82ba261:224:232*
resnet18 ResNet18 IMAGENET1K_V1:resnet18-f37072fd:224:256*
resnet34 ResNet34 IMAGENET1K_V1:resnet34-b627a593:224:256*
resnet50 ResNet50 IMAGENET1K_V1:resnet50-0676ba61:224:256 IMAGENET1K_V2:resnet50-11ad3fa6:224:232*
resnext101_32x8d ResNeXt101_32X8D IMAGENET1K_V1:resnext101_32x8d-8ba56ff5:224:256 IMAGENET1K_V2:resnext101_32x8d-110c445d:224:232*
resnext101_64x4d ResNeXt101_64X4D IMAGENET1K_V1:resnext101_64x4d-173b62eb:224:232*
resnext50_32x4d ResNeXt50_32X4D IMAGENET1K_V1:resnext50_32x4d-7cdf4587:224:256 IMAGENET1K_V2:resnext50_32x4d-1a0047aa:224:232*
squeezenet1_0 SqueezeNet1_0 IMAGENET1K_V1:squeezenet1_0-b66bff10:224:256*
squeezenet1_1 SqueezeNet1_1 IMAGENET1K_V1:squeezenet1_1-b8a52dc0:224:256*
vgg11 VGG11 IMAGENET1K_V1:vgg11-8a719046:224:256*
vgg11_bn VGG11_BN IMAGENET1K_V1:vgg11_bn-6002323d:224:256*
vgg13 VGG13 IMAGENET1K_V1:vgg13-19584684:224:256*
vgg13_bn VGG13_BN IMAGENET1K_V1:vgg13_bn-abd245e5:224:256*
vgg16 VGG16 IMAGENET1K_V1:vgg16-397923af:224:256* IMAGENET1K_FEATURES:vgg16_features-amdegroot-88682ab5:224:256
vgg16_bn VGG16_BN IMAGENET1K_V1:vgg16_bn-6c64b313:224:256*
vgg19 VGG19 IMAGENET1K_V1:vgg19-dcbb9e9d:224:256*
vgg19_bn VGG19_BN IMAGENET1K_V1:vgg19_bn-c79401a0:224:256*
vit_b_16 ViT_B_16 IMAGENET1K_V1:vit_b_16-c867db91:224:256* IMAGENET1K_SWAG_E2E_V1:vit_b_16_swag-9ac1b537:384:384:bicubic IMAGENET1K_SWAG_LINEAR_V1:vit_b_16_lc_swag-4e70ced5:224:224:bicubic
vit_b_32 ViT_B_32 IMAGENET1K_V1:vit_b_32-d86f8d99:224:256*
vit_h_14 ViT_H_14 IMAGENET1K_SWAG_E2E_V1:vit_h_14_swag-80465313:518:518:bicubic* IMAGENET1K_SWAG_LINEAR_V1:vit_h_14_lc_swag-c1eb923e:224:224:bicubic
vit_l_16 ViT_L_16 IMAGENET1K_V1:vit_l_16-852ce7e3:224:242* IMAGENET1K_SWAG_E2E_V1:vit_l_16_swag-4f3808c9:512:512:bicubic IMAGENET1K_SWAG_LINEAR_V1:vit_l_16_lc_swag-4d563306:224:224:bicubic
vit_l_32 ViT_L_32 IMAGENET1K_V1:vit_l_32-c7638314:224:256*
wide_resnet101_2 Wide_ResNet101_2 IMAGENET1K_V1:wide_resnet101_2-32ee1156:224:256 IMAGENET1K_V2:wide_resnet101_2-d733dc28:224:232*
wide_resnet50_2 Wide_ResNet50_2 IMAGENET1K_V1:wide_resnet50_2-95faca4d:224:256 IMAGENET1K_V2:wide_resnet50_2-9ba9bcbe:224:232*
"""


class Weights:
    """One set of weights: its URL and the transform for its input images."""

    def __init__(self, file, crop, resize, mode="bilinear"):
        self.url, self.crop_size, self.resize_size, self.mode = f"{_SITE}{file}.pth", int(crop), int(resize), mode
        self.meta = {"min_size": (self.crop_size,) * 2}

    def transforms(self, **changes):
        """Returns the preprocessing transform; `changes` override its arguments."""
        from ..transforms._presets import ImageClassification
        from ..transforms.functional import InterpolationMode
        how = {"crop_size": self.crop_size, "resize_size": self.resize_size, "interpolation": InterpolationMode(self.mode)}
        if "amdegroot" in self.url:
            how.update(mean=(0.48235, 0.45882, 0.40784), std=(1 / 255,) * 3)
        return ImageClassification(**{**how, **changes})


class WeightsEnum(enum.Enum):
    """Base class of weights enums; the members are the weights of one model."""

    @classmethod
    def verify(cls, obj):
        """Returns the member for a member or its name."""
        if isinstance(obj, str):
            return cls[obj.replace(cls.__name__ + ".", "")]
        if obj is not None and not isinstance(obj, cls):
            raise TypeError(f"Invalid Weight class provided; expected {cls.__name__} but received {type(obj).__name__}.")
        return obj

    url = property(lambda self: self.value.url, doc="Where the weights are downloaded from.")
    meta = property(lambda self: self.value.meta, doc="Facts about the weights, such as the names of the classes.")
    transforms = property(lambda self: self.value.transforms, doc="A function that makes the transforms for the input.")

    def get_state_dict(self, *args, **kwargs):
        """Returns the state_dict, downloaded once and cached; further arguments go to torch.hub.load_state_dict_from_url."""
        from ...hub import load_state_dict_from_url
        return load_state_dict_from_url(self.url, *args, **kwargs)

    def __repr__(self):
        return f"{type(self).__name__}.{self._name_}"


def _classes():
    for line in _TABLE.strip().split("\n"):
        builder, name, *sets = line.split()
        members = []
        for text in sets:
            key, *facts = text.rstrip("*").split(":")
            members.append((key, Weights(*facts)))
            if text.endswith("*"):
                members.append(("DEFAULT", members[-1][1]))
        yield builder, WeightsEnum(f"{name}_Weights", members, module="torchvision.models")


OF_BUILDER = dict(_classes())
globals().update({cls.__name__: cls for cls in OF_BUILDER.values()})
__all__ = ["Weights", "WeightsEnum", *(cls.__name__ for cls in OF_BUILDER.values())]
