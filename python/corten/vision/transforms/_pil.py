# SPDX-License-Identifier: BSD-3-Clause
"""Transforms of PIL images that torchvision leaves to PIL, because its rounding of colors and resampling differ.

`functional` looks for a function of the same name here before it converts an image to a tensor. PIL itself is imported by the
program that has such an image.
"""


def _enhanced(kind, name):
    def adjust(img, factor):
        from PIL import ImageEnhance
        if factor < 0:
            raise ValueError(f"{name}_factor ({factor}) is not non-negative.")
        return getattr(ImageEnhance, kind)(img).enhance(factor)
    return adjust


adjust_brightness = _enhanced("Brightness", "brightness")
adjust_contrast = _enhanced("Contrast", "contrast")
adjust_saturation = _enhanced("Color", "saturation")
adjust_sharpness = _enhanced("Sharpness", "sharpness")


def adjust_hue(img, hue_factor):
    """Shifts the hue of a PIL image."""
    if not -0.5 <= hue_factor <= 0.5:
        raise ValueError(f"hue_factor ({hue_factor}) is not in [-0.5, 0.5].")
    if img.mode in ("L", "1", "I", "F"):
        return img
    from PIL import Image
    h, s, v = img.convert("HSV").split()
    turn = int(hue_factor * 255)
    return Image.merge("HSV", (h.point([(value + turn) % 256 for value in range(256)]), s, v)).convert(img.mode)


def rgb_to_grayscale(img, num_output_channels=1):
    """Converts a PIL image to grayscale."""
    if num_output_channels not in (1, 3):
        raise ValueError("num_output_channels should be either 1 or 3")
    from PIL import Image
    gray = img.convert("L")
    return gray if num_output_channels == 1 else Image.merge("RGB", (gray,) * 3)


def _code(interpolation):
    from .functional import _PIL_CODES, _mode
    mode = _mode(interpolation)
    return next((code for code, known in _PIL_CODES.items() if known == mode), 0)


def _fill(img, fill):
    bands = len(img.getbands())
    if fill is None:
        fill = 0
    if isinstance(fill, (int, float)):
        return {"fillcolor": (fill,) * bands if bands > 1 else fill}
    if len(fill) != bands:
        raise ValueError(f"The number of elements in 'fill' does not match the number of channels of the image ({len(fill)} != {bands})")
    return {"fillcolor": tuple(fill) if bands > 1 else fill[0]}


def affine(img, angle, translate, scale, shear, interpolation="nearest", fill=None, center=None):
    """Applies an affine map to a PIL image."""
    from .functional import _inverse_affine
    if scale <= 0.0:
        raise ValueError("Argument scale should be positive")
    shear = [shear, 0.0] if isinstance(shear, (int, float)) else list(shear) + [0.0] * (2 - len(shear))
    from PIL import Image
    width, height = img.size
    matrix = _inverse_affine(center or [width * 0.5, height * 0.5], angle, translate, scale, shear)
    return img.transform(img.size, Image.Transform.AFFINE, matrix, _code(interpolation), **_fill(img, fill))


def rotate(img, angle, interpolation="nearest", expand=False, center=None, fill=None):
    """Rotates a PIL image counter-clockwise."""
    return img.rotate(angle, _code(interpolation), expand, center, **_fill(img, fill))


def perspective(img, startpoints, endpoints, interpolation="bilinear", fill=None):
    """Applies a perspective map to a PIL image."""
    from .functional import _perspective_numbers
    from PIL import Image
    numbers = _perspective_numbers(startpoints, endpoints)
    return img.transform(img.size, Image.Transform.PERSPECTIVE, numbers, _code(interpolation), **_fill(img, fill))
