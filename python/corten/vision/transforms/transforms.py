# SPDX-License-Identifier: BSD-3-Clause
"""Transforms as objects, which are configured once and called with each image.

Random transforms draw from Corten's default generator in torchvision's order.
"""
import math
import numbers
import warnings
from collections.abc import Sequence

from ... import _C
from ...nn import Module
from . import functional as F
from .functional import InterpolationMode

__all__ = [
    "CenterCrop", "ColorJitter", "Compose", "ConvertImageDtype", "FiveCrop", "GaussianBlur", "Grayscale", "Lambda",
    "LinearTransformation", "Normalize", "PILToTensor", "Pad", "RandomAdjustSharpness", "RandomAffine", "RandomApply",
    "RandomAutocontrast", "RandomChoice", "RandomCrop", "RandomEqualize", "RandomErasing", "RandomGrayscale",
    "RandomHorizontalFlip", "RandomInvert", "RandomOrder", "RandomPerspective", "RandomPosterize", "RandomResizedCrop",
    "RandomRotation", "RandomSolarize", "RandomVerticalFlip", "Resize", "TenCrop", "ToPILImage", "ToTensor",
]


def _draw(low, high):
    return float(_C.empty(1).uniform_(low, high).item())


def _setup_size(size, error_msg):
    if isinstance(size, numbers.Number):
        return int(size), int(size)
    if isinstance(size, Sequence) and len(size) == 1:
        return size[0], size[0]
    if len(size) != 2:
        raise ValueError(error_msg)
    return size


class Compose:
    """Applies a list of transforms in order.

        >>> from corten.vision import transforms
        >>> transforms.Compose([transforms.CenterCrop(2)])(torch.arange(16.).view(1, 4, 4)).shape
        torch.Size([1, 2, 2])
    """

    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        for transform in self.transforms:
            img = transform(img)
        return img

    def __repr__(self):
        return "\n".join([f"{type(self).__name__}(", *(f"    {t}" for t in self.transforms), ")"])


class ToTensor:
    """Converts a PIL image or an array (H, W, C) to a tensor (C, H, W). Bytes 0 to 255 become floats from 0 to 1."""

    def __call__(self, pic):
        return F.to_tensor(pic)

    def __repr__(self):
        return f"{type(self).__name__}()"


class PILToTensor:
    """Converts a PIL image to a tensor (C, H, W), keeping the dtype."""

    def __call__(self, pic):
        return F.pil_to_tensor(pic)

    def __repr__(self):
        return f"{type(self).__name__}()"


class ConvertImageDtype(Module):
    """Converts the dtype and scales the values to its range.

        >>> from corten.vision import transforms
        >>> transforms.ConvertImageDtype(torch.float32)(torch.tensor([[[255]]], dtype=torch.uint8))
        tensor([[[1.]]])
    """

    def __init__(self, dtype):
        super().__init__()
        if not isinstance(dtype, _C.dtype):
            raise TypeError(f"Argument dtype should be of type torch.dtype, got {type(dtype)}")
        self.dtype = dtype

    def forward(self, image):
        """Returns the transformed image."""
        return F.convert_image_dtype(image, self.dtype)


class ToPILImage:
    """Converts a tensor (C, H, W) or an array (H, W, C) to a PIL image, or to an array without PIL.

        >>> from corten.vision import transforms
        >>> transforms.ToPILImage(2)(torch.arange(16.).view(1, 4, 4))
        array([[  0, 255, 254, 253],
               [252, 251, 250, 249],
               [248, 247, 246, 245],
               [244, 243, 242, 241]], dtype=uint8)
    """

    def __init__(self, mode=None):
        self.mode = mode

    def __call__(self, pic):
        return F.to_pil_image(pic, self.mode)

    def __repr__(self):
        return f"{type(self).__name__}({'' if self.mode is None else f'mode={self.mode}'})"


class Lambda:
    """Applies a user-defined function.

        >>> from corten.vision import transforms
        >>> transforms.Lambda(lambda t: 2 * t)(torch.tensor([1.]))
        tensor([2.])
    """

    def __init__(self, lambd):
        if not callable(lambd):
            raise TypeError(f"Argument lambd should be callable, got {type(lambd).__name__!r}")
        self.lambd = lambd

    def __call__(self, img):
        return self.lambd(img)

    def __repr__(self):
        return f"{type(self).__name__}()"


class Normalize(Module):
    """Normalizes each channel: (x - mean) / std.

        >>> from corten.vision import transforms
        >>> transforms.Normalize((0.5,), (0.5,))(torch.tensor([[[0., 0.5, 1.]]]))
        tensor([[[-1.,  0.,  1.]]])
    """

    def __init__(self, mean, std, inplace=False):
        super().__init__()
        self.mean, self.std, self.inplace = mean, std, inplace

    def forward(self, tensor):
        """Returns the normalized tensor."""
        return F.normalize(tensor, self.mean, self.std, self.inplace)

    def __repr__(self):
        return f"{type(self).__name__}(mean={self.mean}, std={self.std})"


class Resize(Module):
    """Resizes to (height, width), or so that the shorter side has length `size`.

        >>> from corten.vision import transforms
        >>> transforms.Resize(2)(torch.arange(16.).view(1, 4, 4))
        tensor([[[ 3.5714,  5.1429],
                 [ 9.8571, 11.4286]]])
    """

    def __init__(self, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
        super().__init__()
        if not isinstance(size, (int, Sequence)):
            raise TypeError(f"Size should be int or sequence. Got {type(size)}")
        if isinstance(size, Sequence) and len(size) not in (1, 2):
            raise ValueError("If size is a sequence, it should have 1 or 2 values")
        self.size, self.max_size, self.interpolation, self.antialias = size, max_size, F._mode(interpolation), antialias

    def forward(self, img):
        """Returns the transformed image."""
        return F.resize(img, self.size, self.interpolation, self.max_size, self.antialias)

    def __repr__(self):
        return f"{type(self).__name__}(size={self.size}, interpolation={self.interpolation.value}, max_size={self.max_size}, " \
               f"antialias={self.antialias})"


class CenterCrop(Module):
    """Crops the center.

        >>> from corten.vision import transforms
        >>> transforms.CenterCrop(2)(torch.arange(16.).view(1, 4, 4))
        tensor([[[ 5.,  6.],
                 [ 9., 10.]]])
    """

    def __init__(self, size):
        super().__init__()
        self.size = _setup_size(size, "Please provide only two dimensions (h, w) for size.")

    def forward(self, img):
        """Returns the transformed image."""
        return F.center_crop(img, self.size)

    def __repr__(self):
        return f"{type(self).__name__}(size={self.size})"


class Pad(Module):
    """Pads an image by one width, by (left and right, top and bottom), or by (left, top, right, bottom).

        >>> from corten.vision import transforms
        >>> transforms.Pad(1)(torch.rand(3, 4, 4)).shape
        torch.Size([3, 6, 6])
    """

    def __init__(self, padding, fill=0, padding_mode="constant"):
        super().__init__()
        if not isinstance(padding, (numbers.Number, tuple, list)):
            raise TypeError("Got inappropriate padding arg")
        if padding_mode not in ("constant", "edge", "reflect", "symmetric"):
            raise ValueError("Padding mode should be either constant, edge, reflect or symmetric")
        self.padding, self.fill, self.padding_mode = padding, fill, padding_mode

    def forward(self, img):
        """Returns the transformed image."""
        return F.pad(img, self.padding, self.fill, self.padding_mode)

    def __repr__(self):
        return f"{type(self).__name__}(padding={self.padding}, fill={self.fill}, padding_mode={self.padding_mode})"


class RandomCrop(Module):
    """Crops a random rectangle of size `size`, after optional padding.

        >>> from corten.vision import transforms
        >>> transforms.RandomCrop(2)(torch.arange(16.).view(1, 4, 4))
        tensor([[[ 8.,  9.],
                 [12., 13.]]])
    """

    def __init__(self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"):
        super().__init__()
        self.size = tuple(_setup_size(size, "Please provide only two dimensions (h, w) for size."))
        self.padding, self.pad_if_needed, self.fill, self.padding_mode = padding, pad_if_needed, fill, padding_mode

    @staticmethod
    def get_params(img, output_size):
        """Returns (top, left, height, width) of a random crop."""
        _, h, w = F.get_dimensions(img)
        th, tw = output_size
        if h < th or w < tw:
            raise ValueError(f"Required crop size {(th, tw)} is larger than input image size {(h, w)}")
        if w == tw and h == th:
            return 0, 0, h, w
        i = _C.randint(0, h - th + 1, size=(1,)).item()
        j = _C.randint(0, w - tw + 1, size=(1,)).item()
        return i, j, th, tw

    def forward(self, img):
        """Returns the transformed image."""
        if self.padding is not None:
            img = F.pad(img, self.padding, self.fill, self.padding_mode)
        _, height, width = F.get_dimensions(img)
        if self.pad_if_needed and width < self.size[1]:
            img = F.pad(img, [self.size[1] - width, 0], self.fill, self.padding_mode)
        if self.pad_if_needed and height < self.size[0]:
            img = F.pad(img, [0, self.size[0] - height], self.fill, self.padding_mode)
        return F.crop(img, *self.get_params(img, self.size))

    def __repr__(self):
        return f"{type(self).__name__}(size={self.size}, padding={self.padding})"


class _Randomly(Module):
    """Base class of transforms that are applied with probability p."""

    def __init__(self, p=0.5):
        super().__init__()
        self.p = p

    def forward(self, img):
        return self.change(img) if _C.rand(1).item() < self.p else img

    def __repr__(self):
        return f"{type(self).__name__}(p={self.p})"


class RandomHorizontalFlip(_Randomly):
    """Flips the image horizontally with probability p.

        >>> from corten.vision import transforms
        >>> transforms.RandomHorizontalFlip(2)(torch.arange(16.).view(1, 4, 4))
        tensor([[[ 3.,  2.,  1.,  0.],
                 [ 7.,  6.,  5.,  4.],
                 [11., 10.,  9.,  8.],
                 [15., 14., 13., 12.]]])
    """

    def change(self, img):
        """Flips the image horizontally."""
        return F.hflip(img)


class RandomVerticalFlip(_Randomly):
    """Flips the image vertically with probability p.

        >>> from corten.vision import transforms
        >>> transforms.RandomVerticalFlip(2)(torch.arange(16.).view(1, 4, 4))
        tensor([[[12., 13., 14., 15.],
                 [ 8.,  9., 10., 11.],
                 [ 4.,  5.,  6.,  7.],
                 [ 0.,  1.,  2.,  3.]]])
    """

    def change(self, img):
        """Flips the image vertically."""
        return F.vflip(img)


class RandomInvert(_Randomly):
    """Inverts the colors with probability p.

        >>> from corten.vision import transforms
        >>> transforms.RandomInvert(2)(torch.arange(16.).view(1, 4, 4))
        tensor([[[  1.,   0.,  -1.,  -2.],
                 [ -3.,  -4.,  -5.,  -6.],
                 [ -7.,  -8.,  -9., -10.],
                 [-11., -12., -13., -14.]]])
    """

    def change(self, img):
        """Inverts the colors."""
        return F.invert(img)


class RandomAutocontrast(_Randomly):
    """Stretches the contrast with probability p.

        >>> from corten.vision import transforms
        >>> transforms.RandomAutocontrast()(torch.arange(16.).view(1, 4, 4) / 16).shape
        torch.Size([1, 4, 4])
    """

    def change(self, img):
        """Stretches the contrast."""
        return F.autocontrast(img)


class RandomEqualize(_Randomly):
    """Equalizes the histogram with probability p.

        >>> from corten.vision import transforms
        >>> transforms.RandomEqualize(3)(torch.ones(3, 2, 2, dtype=torch.uint8)).shape
        torch.Size([3, 2, 2])
    """

    def change(self, img):
        """Equalizes the histogram."""
        return F.equalize(img)


class RandomPosterize(_Randomly):
    """Keeps the upper `bits` bits of each value, with probability p.

        >>> from corten.vision import transforms
        >>> transforms.RandomPosterize(3)(torch.ones(3, 2, 2, dtype=torch.uint8)).shape
        torch.Size([3, 2, 2])
    """

    def __init__(self, bits, p=0.5):
        super().__init__(p)
        self.bits = bits

    def change(self, img):
        """Reduces the number of bits."""
        return F.posterize(img, self.bits)


class RandomSolarize(_Randomly):
    """Inverts bright pixels, with values of at least `threshold`, with probability p.

        >>> from corten.vision import transforms
        >>> transforms.RandomSolarize(1)(torch.rand(3, 4, 4)).shape
        torch.Size([3, 4, 4])
    """

    def __init__(self, threshold, p=0.5):
        super().__init__(p)
        self.threshold = threshold

    def change(self, img):
        """Inverts the pixels with values of at least the threshold."""
        return F.solarize(img, self.threshold)


class RandomAdjustSharpness(_Randomly):
    """Adjusts the sharpness with probability p.

        >>> from corten.vision import transforms
        >>> transforms.RandomAdjustSharpness(2)(torch.arange(16.).view(1, 4, 4))
        tensor([[[0., 1., 1., 1.],
                 [1., 1., 1., 1.],
                 [1., 1., 1., 1.],
                 [1., 1., 1., 1.]]])
    """

    def __init__(self, sharpness_factor, p=0.5):
        super().__init__(p)
        self.sharpness_factor = sharpness_factor

    def change(self, img):
        """Adjusts the sharpness."""
        return F.adjust_sharpness(img, self.sharpness_factor)


class RandomGrayscale(_Randomly):
    """Converts to grayscale with probability p.

        >>> from corten.vision import transforms
        >>> transforms.RandomGrayscale(2)(torch.arange(16.).view(1, 4, 4))
        tensor([[[ 0.,  1.,  2.,  3.],
                 [ 4.,  5.,  6.,  7.],
                 [ 8.,  9., 10., 11.],
                 [12., 13., 14., 15.]]])
    """

    def __init__(self, p=0.1):
        super().__init__(p)

    def change(self, img):
        """Converts to grayscale."""
        return F.rgb_to_grayscale(img, num_output_channels=F.get_dimensions(img)[0])


class RandomPerspective(_Randomly):
    """Applies a random perspective with probability p.

        >>> from corten.vision import transforms
        >>> transforms.RandomPerspective(2)(torch.arange(16.).view(1, 4, 4))
        tensor([[[0., 0., 0., 0.],
                 [0., 0., 0., 0.],
                 [0., 0., 0., 0.],
                 [0., 0., 0., 0.]]])
    """

    def __init__(self, distortion_scale=0.5, p=0.5, interpolation=InterpolationMode.BILINEAR, fill=0):
        super().__init__(p)
        self.distortion_scale, self.interpolation, self.fill = distortion_scale, F._mode(interpolation), fill

    @staticmethod
    def get_params(width, height, distortion_scale):
        """Returns (start points, end points) of the corners, for random end points."""
        dh, dw = int(distortion_scale * (height // 2)), int(distortion_scale * (width // 2))

        def pick(low, high):
            return int(_C.randint(low, high, size=(1,)).item())
        ends = [[pick(0, dw + 1), pick(0, dh + 1)], [pick(width - dw - 1, width), pick(0, dh + 1)],
                [pick(width - dw - 1, width), pick(height - dh - 1, height)], [pick(0, dw + 1), pick(height - dh - 1, height)]]
        return [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], ends

    def change(self, img):
        """Applies a random perspective."""
        _, height, width = F.get_dimensions(img)
        return F.perspective(img, *self.get_params(width, height, self.distortion_scale), self.interpolation, self.fill)


class RandomResizedCrop(Module):
    """Crops a rectangle of random area and aspect ratio and resizes it to `size`.

        >>> from corten.vision import transforms
        >>> transforms.RandomResizedCrop(2)(torch.arange(16.).view(1, 4, 4))
        tensor([[[ 5.8750,  7.1250],
                 [10.8750, 12.1250]]])
    """

    def __init__(self, size, scale=(0.08, 1.0), ratio=(3.0 / 4.0, 4.0 / 3.0), interpolation=InterpolationMode.BILINEAR,
                 antialias=True):
        super().__init__()
        self.size = _setup_size(size, "Please provide only two dimensions (h, w) for size.")
        if scale[0] > scale[1] or ratio[0] > ratio[1]:
            warnings.warn("Scale and ratio should be of kind (min, max)", stacklevel=2)
        self.scale, self.ratio, self.interpolation, self.antialias = scale, ratio, F._mode(interpolation), antialias

    @staticmethod
    def get_params(img, scale, ratio):
        """Returns (top, left, height, width) of a random crop."""
        _, height, width = F.get_dimensions(img)
        area = height * width
        log_ratio = _C.log(_C.tensor(ratio))
        for _ in range(10):
            target = area * _C.empty(1).uniform_(scale[0], scale[1]).item()
            aspect = _C.exp(_C.empty(1).uniform_(log_ratio[0].item(), log_ratio[1].item())).item()
            w, h = int(round(math.sqrt(target * aspect))), int(round(math.sqrt(target / aspect)))
            if 0 < w <= width and 0 < h <= height:
                i = _C.randint(0, height - h + 1, size=(1,)).item()
                j = _C.randint(0, width - w + 1, size=(1,)).item()
                return i, j, h, w
        in_ratio = float(width) / float(height)
        if in_ratio < min(ratio):
            w, h = width, int(round(width / min(ratio)))
        elif in_ratio > max(ratio):
            h, w = height, int(round(height * max(ratio)))
        else:
            w, h = width, height
        return (height - h) // 2, (width - w) // 2, h, w

    def forward(self, img):
        """Returns the transformed image."""
        return F.resized_crop(img, *self.get_params(img, self.scale, self.ratio), self.size, self.interpolation,
                              antialias=self.antialias)

    def __repr__(self):
        return f"{type(self).__name__}(size={self.size}, scale={tuple(round(s, 4) for s in self.scale)}, " \
               f"ratio={tuple(round(r, 4) for r in self.ratio)}, interpolation={self.interpolation.value}, " \
               f"antialias={self.antialias})"


class FiveCrop(Module):
    """Returns the crops of the four corners and of the center as a tuple."""

    def __init__(self, size):
        super().__init__()
        self.size = _setup_size(size, "Please provide only two dimensions (h, w) for size.")

    def forward(self, img):
        """Returns a tuple of five images."""
        return F.five_crop(img, self.size)

    def __repr__(self):
        return f"{type(self).__name__}(size={self.size})"


class TenCrop(FiveCrop):
    """Returns FiveCrop of the image and of its mirror image as a tuple."""

    def __init__(self, size, vertical_flip=False):
        super().__init__(size)
        self.vertical_flip = vertical_flip

    def forward(self, img):
        """Returns a tuple of ten images."""
        return F.ten_crop(img, self.size, self.vertical_flip)

    def __repr__(self):
        return f"{type(self).__name__}(size={self.size}, vertical_flip={self.vertical_flip})"


class LinearTransformation(Module):
    """Multiplies the flattened image, minus a mean, by a matrix (for example for whitening)."""

    def __init__(self, transformation_matrix, mean_vector):
        super().__init__()
        if transformation_matrix.size(0) != transformation_matrix.size(1):
            raise ValueError(f"transformation_matrix should be square. Got {tuple(transformation_matrix.size())} rectangular matrix.")
        if mean_vector.size(0) != transformation_matrix.size(0):
            raise ValueError(f"mean_vector should have the same length {mean_vector.size(0)} as any one of the dimensions of the "
                             f"transformation_matrix [{tuple(transformation_matrix.size())}]")
        self.transformation_matrix, self.mean_vector = transformation_matrix, mean_vector

    def forward(self, tensor):
        """Returns the transformed tensor, in the shape of the input."""
        flat = tensor.view(-1, self.mean_vector.size(0)) - self.mean_vector
        return _C.mm(flat, self.transformation_matrix).view(tensor.shape)


class ColorJitter(Module):
    """Changes brightness, contrast, saturation and hue by random factors, in random order.

        >>> from corten.vision import transforms
        >>> transforms.ColorJitter()(torch.arange(16.).view(1, 4, 4) / 16).shape
        torch.Size([1, 4, 4])
    """

    def __init__(self, brightness=0, contrast=0, saturation=0, hue=0):
        super().__init__()
        self.brightness = self._range(brightness, "brightness")
        self.contrast = self._range(contrast, "contrast")
        self.saturation = self._range(saturation, "saturation")
        self.hue = self._range(hue, "hue", 0, (-0.5, 0.5), False)

    @staticmethod
    def _range(value, name, center=1, bound=(0, float("inf")), clip=True):
        if isinstance(value, numbers.Number):
            if value < 0:
                raise ValueError(f"If {name} is a single number, it must be non negative.")
            value = [center - float(value), center + float(value)]
            if clip:
                value[0] = max(value[0], 0.0)
        elif isinstance(value, (tuple, list)) and len(value) == 2:
            value = [float(value[0]), float(value[1])]
        else:
            raise TypeError(f"{name} should be a single number or a list/tuple with length 2.")
        if not bound[0] <= value[0] <= value[1] <= bound[1]:
            raise ValueError(f"{name} values should be between {bound}, but got {value}.")
        return None if value[0] == value[1] == center else tuple(value)

    @staticmethod
    def get_params(brightness, contrast, saturation, hue):
        """Returns the random order and the random factors."""
        order = _C.randperm(4)
        return (order, *(None if r is None else float(_C.empty(1).uniform_(r[0], r[1])) for r in
                         (brightness, contrast, saturation, hue)))

    def forward(self, img):
        """Returns the transformed image."""
        order, *factors = self.get_params(self.brightness, self.contrast, self.saturation, self.hue)
        functions = (F.adjust_brightness, F.adjust_contrast, F.adjust_saturation, F.adjust_hue)
        for i in order.tolist():
            if factors[i] is not None:
                img = functions[i](img, factors[i])
        return img

    def __repr__(self):
        return f"{type(self).__name__}(brightness={self.brightness}, contrast={self.contrast}, saturation={self.saturation}, " \
               f"hue={self.hue})"


def _angles(value, name):
    if isinstance(value, numbers.Number):
        if value < 0:
            raise ValueError(f"If {name} is a single number, it must be positive.")
        return [-float(value), float(value)]
    if not isinstance(value, Sequence) or len(value) not in (2, 4):
        raise ValueError(f"{name} should be a sequence of length 2.")
    return [float(v) for v in value]


class RandomRotation(Module):
    """Rotates by a random angle.

        >>> from corten.vision import transforms
        >>> transforms.RandomRotation(2)(torch.arange(16.).view(1, 4, 4))
        tensor([[[ 0.,  1.,  2.,  3.],
                 [ 4.,  5.,  6.,  7.],
                 [ 8.,  9., 10., 11.],
                 [12., 13., 14., 15.]]])
    """

    def __init__(self, degrees, interpolation=InterpolationMode.NEAREST, expand=False, center=None, fill=0):
        super().__init__()
        self.degrees, self.interpolation, self.expand = _angles(degrees, "degrees"), F._mode(interpolation), expand
        self.center, self.fill = center, fill

    @staticmethod
    def get_params(degrees):
        """Returns a random angle."""
        return _draw(float(degrees[0]), float(degrees[1]))

    def forward(self, img):
        """Returns the transformed image."""
        fill = self.fill
        if isinstance(fill, numbers.Number):
            fill = [float(fill)] * F.get_dimensions(img)[0]
        return F.rotate(img, self.get_params(self.degrees), self.interpolation, self.expand, self.center, fill)

    def __repr__(self):
        text = f"{type(self).__name__}(degrees={self.degrees}, interpolation={self.interpolation.value}, expand={self.expand}"
        if self.center is not None:
            text += f", center={self.center}"
        return text + (f", fill={self.fill})" if self.fill is not None else ")")


class RandomAffine(Module):
    """Applies a random affine map: rotation, translation, scaling and shear.

        >>> from corten.vision import transforms
        >>> transforms.RandomAffine(2)(torch.arange(16.).view(1, 4, 4))
        tensor([[[ 0.,  1.,  2.,  3.],
                 [ 4.,  5.,  6.,  7.],
                 [ 8.,  9., 10., 11.],
                 [12., 13., 14., 15.]]])
    """

    def __init__(self, degrees, translate=None, scale=None, shear=None, interpolation=InterpolationMode.NEAREST, fill=0,
                 center=None):
        super().__init__()
        self.degrees = _angles(degrees, "degrees")
        if translate is not None and not all(0.0 <= t <= 1.0 for t in translate):
            raise ValueError("translation values should be between 0 and 1")
        if scale is not None and not all(s > 0 for s in scale):
            raise ValueError("scale values should be positive")
        self.translate, self.scale = translate, scale
        self.shear = _angles(shear, "shear") if shear is not None else None
        self.interpolation, self.fill, self.center = F._mode(interpolation), fill, center

    @staticmethod
    def get_params(degrees, translate, scale_ranges, shears, img_size):
        """Returns random (angle, translation, scale, shear)."""
        angle = _draw(degrees[0], degrees[1])
        moved = (0, 0)
        if translate is not None:
            most = [float(t * s) for t, s in zip(translate, img_size)]
            moved = tuple(int(round(_C.empty(1).uniform_(-m, m).item())) for m in most)
        scale = _draw(scale_ranges[0], scale_ranges[1]) if scale_ranges is not None else 1.0
        x = y = 0.0
        if shears is not None:
            x = _draw(shears[0], shears[1])
            y = _draw(shears[2], shears[3]) if len(shears) == 4 else 0.0
        return angle, moved, scale, (x, y)

    def forward(self, img):
        """Returns the transformed image."""
        channels, height, width = F.get_dimensions(img)
        fill = [float(self.fill)] * channels if isinstance(self.fill, numbers.Number) else self.fill
        parameters = self.get_params(self.degrees, self.translate, self.scale, self.shear, [width, height])
        return F.affine(img, *parameters, interpolation=self.interpolation, fill=fill, center=self.center)

    def __repr__(self):
        return f"{type(self).__name__}(degrees={self.degrees})"


class RandomErasing(Module):
    """Erases a random rectangle with probability p.

        >>> from corten.vision import transforms
        >>> transforms.RandomErasing(2)(torch.arange(16.).view(1, 4, 4))
        tensor([[[ 0.,  0.,  0.,  0.],
                 [ 4.,  5.,  6.,  7.],
                 [ 8.,  9., 10., 11.],
                 [12., 13., 14., 15.]]])
    """

    def __init__(self, p=0.5, scale=(0.02, 0.33), ratio=(0.3, 3.3), value=0, inplace=False):
        super().__init__()
        self.p, self.scale, self.ratio, self.value, self.inplace = p, scale, ratio, value, inplace

    @staticmethod
    def get_params(img, scale, ratio, value=None):
        """Returns (top, left, height, width, fill value) of a random rectangle."""
        channels, height, width = img.shape[-3:]
        area, log_ratio = height * width, _C.log(_C.tensor(ratio))
        for _ in range(10):
            size = area * _C.empty(1).uniform_(scale[0], scale[1]).item()
            aspect = _C.exp(_C.empty(1).uniform_(log_ratio[0].item(), log_ratio[1].item())).item()
            h, w = int(round(math.sqrt(size * aspect))), int(round(math.sqrt(size / aspect)))
            if not (h < height and w < width):
                continue
            v = _C.empty([channels, h, w], dtype=_C.float32).normal_() if value is None else _C.tensor(value)[:, None, None]
            i = _C.randint(0, height - h + 1, size=(1,)).item()
            j = _C.randint(0, width - w + 1, size=(1,)).item()
            return i, j, h, w, v
        return 0, 0, height, width, img

    def forward(self, img):
        """Returns the transformed image."""
        if _C.rand(1) >= self.p:
            return img
        value = self.value
        if isinstance(value, (int, float)):
            value = [float(value)]
        elif isinstance(value, str):
            value = None
        return F.erase(img, *self.get_params(img, self.scale, self.ratio, value), self.inplace)

    def __repr__(self):
        return f"{type(self).__name__}(p={self.p}, scale={self.scale}, ratio={self.ratio}, value={self.value}, " \
               f"inplace={self.inplace})"


class Grayscale(Module):
    """Converts to grayscale.

        >>> from corten.vision import transforms
        >>> transforms.Grayscale()(torch.arange(16.).view(1, 4, 4) / 16).shape
        torch.Size([1, 4, 4])
    """

    def __init__(self, num_output_channels=1):
        super().__init__()
        self.num_output_channels = num_output_channels

    def forward(self, img):
        """Returns the transformed image."""
        return F.rgb_to_grayscale(img, num_output_channels=self.num_output_channels)

    def __repr__(self):
        return f"{type(self).__name__}(num_output_channels={self.num_output_channels})"


class GaussianBlur(Module):
    """Blurs with a Gaussian kernel of random standard deviation.

        >>> from corten.vision import transforms
        >>> transforms.GaussianBlur(1)(torch.rand(3, 4, 4)).shape
        torch.Size([3, 4, 4])
    """

    def __init__(self, kernel_size, sigma=(0.1, 2.0)):
        super().__init__()
        self.kernel_size = _setup_size(kernel_size, "Kernel size should be a tuple/list of two integers")
        for size in self.kernel_size:
            if size <= 0 or size % 2 == 0:
                raise ValueError("Kernel size value should be an odd and positive number.")
        self.sigma = (sigma, sigma) if isinstance(sigma, numbers.Number) else tuple(sigma)
        if not 0.0 < self.sigma[0] <= self.sigma[1]:
            raise ValueError("sigma values should be positive and of the form (min, max).")

    def forward(self, img):
        """Returns the transformed image."""
        sigma = _C.empty(1).uniform_(self.sigma[0], self.sigma[1]).item()
        return F.gaussian_blur(img, self.kernel_size, [sigma, sigma])

    def __repr__(self):
        return f"{type(self).__name__}(kernel_size={self.kernel_size}, sigma={self.sigma})"


class _Several:
    def __init__(self, transforms):
        if not isinstance(transforms, Sequence):
            raise TypeError("Argument transforms should be a sequence")
        self.transforms = transforms

    def __repr__(self):
        return "\n".join([f"{type(self).__name__}(", *(f"    {t}" for t in self.transforms), ")"])


class RandomApply(Module):
    """Applies a list of transforms with probability p, all or none.

        >>> from corten.vision import transforms
        >>> transforms.RandomApply([transforms.CenterCrop(2)])(torch.arange(16.).view(1, 4, 4)).shape
        torch.Size([1, 2, 2])
    """

    def __init__(self, transforms, p=0.5):
        super().__init__()
        self.transforms, self.p = transforms, p

    def forward(self, img):
        """Returns the transformed image."""
        if self.p < _C.rand(1):
            return img
        for transform in self.transforms:
            img = transform(img)
        return img

    def __repr__(self):
        return "\n".join([f"{type(self).__name__}(", f"    p={self.p}", *(f"    {t}" for t in self.transforms), ")"])


class RandomOrder(_Several):
    """Applies a list of transforms in random order.

        >>> from corten.vision import transforms
        >>> transforms.RandomOrder([transforms.CenterCrop(2)])(torch.arange(16.).view(1, 4, 4)).shape
        torch.Size([1, 2, 2])
    """

    def __call__(self, img):
        import random
        order = list(range(len(self.transforms)))
        random.shuffle(order)
        for i in order:
            img = self.transforms[i](img)
        return img


class RandomChoice(_Several):
    """Applies one randomly chosen transform of a list.

        >>> from corten.vision import transforms
        >>> transforms.RandomChoice([transforms.CenterCrop(2)])(torch.arange(16.).view(1, 4, 4)).shape
        torch.Size([1, 2, 2])
    """

    def __init__(self, transforms, p=None):
        super().__init__(transforms)
        if p is not None and not isinstance(p, Sequence):
            raise TypeError("Argument p should be a sequence")
        self.p = p

    def __call__(self, *args):
        import random
        return random.choices(self.transforms, weights=self.p)[0](*args)
