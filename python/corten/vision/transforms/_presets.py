# SPDX-License-Identifier: BSD-3-Clause
"""Preprocessing for pretrained networks."""
from ... import _C
from ...nn import Module
from . import functional as F
from .functional import InterpolationMode

__all__ = ["ImageClassification"]


class ImageClassification(Module):
    """Preprocesses images for a classifier: resizes, crops, converts to floats from 0 to 1, and normalizes."""

    def __init__(self, *, crop_size, resize_size=256, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225),
                 interpolation=InterpolationMode.BILINEAR, antialias=True):
        super().__init__()
        self.crop_size, self.resize_size = [crop_size], [resize_size]
        self.mean, self.std = list(mean), list(std)
        self.interpolation, self.antialias = interpolation, antialias

    def forward(self, img):
        """Returns the preprocessed image, or batch of images, as a tensor."""
        img = F.center_crop(F.resize(img, self.resize_size, interpolation=self.interpolation, antialias=self.antialias), self.crop_size)
        if not isinstance(img, _C.Tensor):
            img = F.pil_to_tensor(img)
        return F.normalize(F.convert_image_dtype(img, _C.float32), mean=self.mean, std=self.std)

    def __repr__(self):
        return (f"{type(self).__name__}(\n    crop_size={self.crop_size}\n    resize_size={self.resize_size}\n    mean={self.mean}"
                f"\n    std={self.std}\n    interpolation={self.interpolation}\n)")
