# SPDX-License-Identifier: BSD-3-Clause
"""Functional image transforms, for tensors (..., C, H, W), PIL images (if PIL is installed), and arrays (H, W, C).

Functions are written for tensors; `_on_tensor` converts other images there and back. Where PIL's pixels differ from a
tensor's, as in resizing, PIL images go to PIL's own functions.
"""
import enum
import functools
import math
import numbers
import sys
import warnings

from ... import _C

__all__ = [
    "InterpolationMode", "adjust_brightness", "adjust_contrast", "adjust_gamma", "adjust_hue", "adjust_saturation",
    "adjust_sharpness", "affine", "autocontrast", "center_crop", "convert_image_dtype", "crop", "elastic_transform", "equalize",
    "erase", "five_crop", "gaussian_blur", "get_dimensions", "get_image_num_channels", "get_image_size", "hflip", "invert",
    "normalize", "pad", "perspective", "pil_to_tensor", "posterize", "resize", "resized_crop", "rgb_to_grayscale", "rotate",
    "solarize", "ten_crop", "to_grayscale", "to_pil_image", "to_tensor", "vflip",
]


class InterpolationMode(enum.Enum):
    """Interpolation between pixels."""
    NEAREST = "nearest"
    NEAREST_EXACT = "nearest-exact"
    BILINEAR = "bilinear"
    BICUBIC = "bicubic"
    BOX = "box"
    HAMMING = "hamming"
    LANCZOS = "lanczos"


_PIL_CODES = {0: InterpolationMode.NEAREST, 1: InterpolationMode.LANCZOS, 2: InterpolationMode.BILINEAR,
              3: InterpolationMode.BICUBIC, 4: InterpolationMode.BOX, 5: InterpolationMode.HAMMING}


def _mode(mode):
    return _PIL_CODES[mode] if isinstance(mode, int) else InterpolationMode(mode)


# ---- image types ----

def _is_pil(x):
    module = sys.modules.get("PIL.Image")
    return module is not None and isinstance(x, module.Image)


def _is_array(x):
    module = sys.modules.get("numpy")
    return module is not None and isinstance(x, module.ndarray)


def _check(x):
    if not (isinstance(x, _C.Tensor) or _is_pil(x) or _is_array(x)):
        raise TypeError(f"Unexpected type {type(x)}")


def _rows_to_planes(array):
    tensor = _C.from_numpy(array.copy() if not array.flags.c_contiguous or not array.flags.writeable else array)
    return tensor[None] if tensor.dim() == 2 else tensor.permute(2, 0, 1)


def _on_tensor(function):
    """Decorator: makes a function on tensors accept PIL images and arrays, and return the same type."""
    @functools.wraps(function)
    def call(img, *args, **kwargs):
        if isinstance(img, _C.Tensor):
            if img.dim() < 2:
                raise TypeError("Tensor is not a torch image.")
            return function(img, *args, **kwargs)
        _check(img)
        if _is_pil(img):
            from . import _pil
            own = vars(_pil).get(function.__name__)
            if own is not None:
                return own(img, *args, **kwargs)
            result = function(pil_to_tensor(img), *args, **kwargs)
            return to_pil_image(result, img.mode if img.mode in ("L", "RGB", "RGBA") and
                                result.shape[-3] == len(img.getbands()) else None)
        result = function(_rows_to_planes(img), *args, **kwargs)
        return (result[0] if img.ndim == 2 else result.permute(1, 2, 0)).contiguous().numpy()
    return call


def get_dimensions(img):
    """Returns [channels, height, width]."""
    _check(img)
    if isinstance(img, _C.Tensor):
        return [1 if img.dim() == 2 else img.shape[-3], img.shape[-2], img.shape[-1]]
    if _is_pil(img):
        return [len(img.getbands()), img.height, img.width]
    return [1 if img.ndim == 2 else img.shape[2], img.shape[0], img.shape[1]]


def get_image_size(img):
    """Returns [width, height]."""
    _, height, width = get_dimensions(img)
    return [width, height]


def get_image_num_channels(img):
    """Returns the number of channels."""
    return get_dimensions(img)[0]


def to_tensor(pic):
    """Converts a PIL image or an array (H, W, C) to a tensor (C, H, W). Bytes 0 to 255 become floats from 0 to 1."""
    if not (_is_pil(pic) or _is_array(pic)):
        raise TypeError(f"pic should be PIL Image or ndarray. Got {type(pic)}")
    if _is_array(pic):
        if pic.ndim not in (2, 3):
            raise ValueError(f"pic should be 2/3 dimensional. Got {pic.ndim} dimensions.")
        tensor = _rows_to_planes(pic).contiguous()
        return tensor.to(_C.get_default_dtype()).div(255) if tensor.dtype == _C.uint8 else tensor
    tensor = pil_to_tensor(pic).contiguous()
    if pic.mode == "1":
        tensor = tensor * 255
    return tensor.to(_C.get_default_dtype()).div(255) if tensor.dtype == _C.uint8 else tensor


def pil_to_tensor(pic):
    """Converts a PIL image to a tensor (C, H, W), keeping the dtype; the memory format is channels last."""
    if not _is_pil(pic):
        raise TypeError(f"pic should be PIL Image. Got {type(pic)}")
    import numpy
    return _rows_to_planes(numpy.array(pic, copy=True))


def to_pil_image(pic, mode=None):
    """Converts a tensor (C, H, W) or an array (H, W, C) to a PIL image, or to an array (H, W, C) without PIL."""
    if not (isinstance(pic, _C.Tensor) or _is_array(pic)):
        raise TypeError(f"pic should be Tensor or ndarray. Got {type(pic)}.")
    if isinstance(pic, _C.Tensor):
        if pic.dim() not in (2, 3):
            raise ValueError(f"pic should be 2/3 dimensional. Got {pic.dim()} dimensions.")
        pic = pic[None] if pic.dim() == 2 else pic
        if pic.shape[-3] > 4:
            raise ValueError(f"pic should not have > 4 channels. Got {pic.shape[-3]} channels.")
        if pic.is_floating_point() and mode != "F":
            pic = pic.mul(255).to(_C.uint8)
        array = pic.permute(1, 2, 0).contiguous().cpu().numpy()
    else:
        array = pic[:, :, None] if pic.ndim == 2 else pic
    array = array[:, :, 0] if array.shape[2] == 1 else array
    try:
        from PIL import Image
    except ImportError:
        return array
    return Image.fromarray(array) if mode is None else Image.fromarray(array, mode)


# ---- pixel values ----

def _max_value(dtype):
    if dtype.is_floating_point:
        return 1
    return 1 if dtype == _C.bool else _C.iinfo(dtype).max


def convert_image_dtype(image, dtype=_C.float32):
    """Converts the dtype and scales the values: floats range from 0 to 1, integers from 0 to their maximum."""
    if not isinstance(image, _C.Tensor):
        raise TypeError("Input img should be Tensor Image")
    if image.dtype == dtype:
        return image
    if image.is_floating_point():
        if dtype.is_floating_point:
            return image.to(dtype)
        if (image.dtype == _C.float32 and dtype in (_C.int32, _C.int64)) or (image.dtype == _C.float64 and dtype == _C.int64):
            raise RuntimeError(f"The cast from {image.dtype} to {dtype} cannot be performed safely.")
        return image.mul(_max_value(dtype) + 1.0 - 1e-3).to(dtype)
    most, wanted = _max_value(image.dtype), _max_value(dtype)
    if dtype.is_floating_point:
        return image.to(dtype) / most
    if most > wanted:
        return _C.div(image, (most + 1) // (wanted + 1), rounding_mode="floor").to(dtype)
    return image.to(dtype) * ((wanted + 1) // (most + 1))


def normalize(tensor, mean, std, inplace=False):
    """Returns (tensor - mean) / std for each channel."""
    if not isinstance(tensor, _C.Tensor):
        raise TypeError(f"img should be Tensor Image. Got {type(tensor)}")
    if not tensor.is_floating_point():
        raise TypeError(f"Input tensor should be a float tensor. Got {tensor.dtype}.")
    if tensor.ndim < 3:
        raise ValueError(f"Expected tensor to be a tensor image of size (..., C, H, W). Got tensor.size() = {tensor.size()}")
    tensor = tensor if inplace else tensor.clone()
    mean, std = (_C.as_tensor(v, dtype=tensor.dtype, device=tensor.device) for v in (mean, std))
    if (std == 0).any():
        raise ValueError(f"std evaluated to zero after conversion to {tensor.dtype}, leading to division by zero.")
    mean, std = (v.view(-1, 1, 1) if v.ndim == 1 else v for v in (mean, std))
    return tensor.sub_(mean).div_(std)


def _blend(a, b, ratio):
    most = _max_value(a.dtype)
    mixed = (a.to(_C.float32) if not a.is_floating_point() else a) * ratio + b * (1.0 - ratio)
    return mixed.clamp(0, most).to(a.dtype)


@_on_tensor
def rgb_to_grayscale(img, num_output_channels=1):
    """Converts RGB to grayscale with one channel, or with three equal ones."""
    if num_output_channels not in (1, 3):
        raise ValueError("num_output_channels should be either 1 or 3")
    gray = img
    if img.shape[-3] == 3:
        r, g, b = img.unbind(-3)
        gray = (0.2989 * r + 0.587 * g + 0.114 * b).to(img.dtype).unsqueeze(-3)
    return gray.expand(img.shape[:-3] + (3,) + img.shape[-2:]) if num_output_channels == 3 else gray


def to_grayscale(img, num_output_channels=1):
    """rgb_to_grayscale for PIL images."""
    return rgb_to_grayscale(img, num_output_channels)


def _gray(img):
    if img.shape[-3] != 3:
        return img
    r, g, b = img.unbind(-3)
    return (0.2989 * r + 0.587 * g + 0.114 * b).to(img.dtype).unsqueeze(-3)


def _not_negative(name, factor):
    if factor < 0:
        raise ValueError(f"{name}_factor ({factor}) is not non-negative.")


@_on_tensor
def adjust_brightness(img, brightness_factor):
    """Multiplies the brightness: 0 gives black, 1 the original image, 2 twice the brightness."""
    _not_negative("brightness", brightness_factor)
    return _blend(img, _C.zeros_like(img), brightness_factor)


@_on_tensor
def adjust_contrast(img, contrast_factor):
    """Adjusts the contrast: 0 gives solid gray, 1 the original image."""
    _not_negative("contrast", contrast_factor)
    gray = _gray(img)
    mean = gray.to(img.dtype if img.is_floating_point() else _C.float32).mean(dim=(-3, -2, -1), keepdim=True)
    return _blend(img, mean, contrast_factor)


@_on_tensor
def adjust_saturation(img, saturation_factor):
    """Adjusts the saturation: 0 gives grayscale, 1 the original image."""
    _not_negative("saturation", saturation_factor)
    return img if img.shape[-3] == 1 else _blend(img, _gray(img), saturation_factor)


@_on_tensor
def adjust_hue(img, hue_factor):
    """Shifts the hue by -0.5 to 0.5 of the color circle."""
    if not -0.5 <= hue_factor <= 0.5:
        raise ValueError(f"hue_factor ({hue_factor}) is not in [-0.5, 0.5].")
    if img.shape[-3] == 1:
        return img
    rgb = convert_image_dtype(img, _C.float32) if not img.is_floating_point() else img
    h, s, v = _to_hsv(rgb)
    return convert_image_dtype(_to_rgb((h + hue_factor) % 1.0, s, v), img.dtype)


def _to_hsv(rgb):
    r, g, b = rgb.unbind(-3)
    most, least = rgb.max(dim=-3).values, rgb.min(dim=-3).values
    same = most == least
    width = most - least
    s = width / _C.where(same, 1.0, most)
    d = _C.where(same, 1.0, width)
    rc, gc, bc = (most - r) / d, (most - g) / d, (most - b) / d
    hr = (most == r) * (bc - gc)
    hg = ((most == g) & (most != r)) * (2.0 + rc - bc)
    hb = ((most != g) & (most != r)) * (4.0 + gc - rc)
    return _C.fmod((hr + hg + hb) / 6.0 + 1.0, 1.0), s, most


def _to_rgb(h, s, v):
    i = _C.floor(h * 6.0)
    f = h * 6.0 - i
    i = i.to(_C.int32) % 6
    p = (v * (1.0 - s)).clamp(0.0, 1.0)
    q = (v * (1.0 - s * f)).clamp(0.0, 1.0)
    t = (v * (1.0 - s * (1.0 - f))).clamp(0.0, 1.0)
    table = ((v, q, p, p, t, v), (t, v, v, q, p, p), (p, p, t, v, v, q))
    return _C.stack([sum((i == k) * part for k, part in enumerate(parts)) for parts in table], dim=-3)


@_on_tensor
def adjust_gamma(img, gamma, gain=1):
    """Gamma correction: gain * img ** gamma, on values from 0 to 1."""
    if gamma < 0:
        raise ValueError("Gamma should be a non-negative real number")
    x = convert_image_dtype(img, _C.float32) if not img.is_floating_point() else img
    return convert_image_dtype((gain * x ** gamma).clamp(0, 1), img.dtype)


@_on_tensor
def invert(img):
    """Inverts the colors."""
    return _max_value(img.dtype) - img


@_on_tensor
def posterize(img, bits):
    """Keeps the upper `bits` bits of each value."""
    if img.dtype != _C.uint8:
        raise TypeError(f"Only torch.uint8 image tensors are supported, but found {img.dtype}")
    return img & -int(2 ** (8 - bits)) % 256


@_on_tensor
def solarize(img, threshold):
    """Inverts the pixels with values of at least `threshold`."""
    if threshold > _max_value(img.dtype):
        raise TypeError("Threshold should be less than bound of img.")
    return _C.where(img >= threshold, _max_value(img.dtype) - img, img)


@_on_tensor
def autocontrast(img):
    """Stretches each channel to the full range."""
    bound = float(_max_value(img.dtype))
    x = img.to(_C.float32) if not img.is_floating_point() else img
    least, most = x.amin(dim=(-2, -1), keepdim=True), x.amax(dim=(-2, -1), keepdim=True)
    scale = bound / (most - least)
    flat = ~_C.isfinite(scale)
    least, scale = _C.where(flat, 0.0, least), _C.where(flat, 1.0, scale)
    return ((x - least) * scale).clamp(0, bound).to(img.dtype)


@_on_tensor
def equalize(img):
    """Equalizes the histogram of each channel."""
    if img.dtype != _C.uint8:
        raise TypeError(f"Only torch.uint8 image tensors are supported, but found {img.dtype}")

    def channel(x):
        counts = _C.bincount(x.reshape(-1).to(_C.int64), minlength=256)
        nonzero = counts[counts != 0]
        step = int(nonzero[:-1].sum()) // 255
        if step == 0:
            return x
        table = ((_C.cumsum(counts, 0) + step // 2) // step)
        table = _C.cat([_C.zeros(1, dtype=table.dtype), table[:-1]]).clamp(0, 255)
        return table[x.to(_C.int64)].to(_C.uint8)
    planes = img.reshape(-1, *img.shape[-2:])
    return _C.stack([channel(p) for p in planes]).view(img.shape)


# ---- geometry ----

@_on_tensor
def hflip(img):
    """Flips an image horizontally."""
    return img.flip(-1)


@_on_tensor
def vflip(img):
    """Flips an image vertically."""
    return img.flip(-2)


@_on_tensor
def crop(img, top, left, height, width):
    """Crops a rectangle; pixels outside the image are 0."""
    h, w = img.shape[-2:]
    right, bottom = left + width, top + height
    part = img[..., max(top, 0):max(bottom, 0), max(left, 0):max(right, 0)]
    if left < 0 or top < 0 or right > w or bottom > h:
        return _pad_constant(part, (max(min(right, 0) - left, 0), max(min(bottom, 0) - top, 0), max(right - max(w, left), 0),
                                    max(bottom - max(h, top), 0)), 0)
    return part


def center_crop(img, output_size):
    """Crops the center; an image smaller than `output_size` is padded with 0 first."""
    if isinstance(output_size, numbers.Number):
        output_size = (int(output_size), int(output_size))
    elif len(output_size) == 1:
        output_size = (output_size[0], output_size[0])
    _, height, width = get_dimensions(img)
    ch, cw = output_size
    if cw > width or ch > height:
        img = pad(img, [(cw - width) // 2 if cw > width else 0, (ch - height) // 2 if ch > height else 0,
                        (cw - width + 1) // 2 if cw > width else 0, (ch - height + 1) // 2 if ch > height else 0], fill=0)
        _, height, width = get_dimensions(img)
        if cw == width and ch == height:
            return img
    return crop(img, int(round((height - ch) / 2.0)), int(round((width - cw) / 2.0)), ch, cw)


def _pad_constant(img, borders, fill):
    left, top, right, bottom = borders
    shape = (*img.shape[:-2], img.shape[-2] + top + bottom, img.shape[-1] + left + right)
    if isinstance(fill, (tuple, list)):
        out = _C.as_tensor(fill, dtype=img.dtype).view(-1, 1, 1).expand(shape).clone()
    else:
        out = img.new_full(shape, fill or 0)
    out[..., top:top + img.shape[-2], left:left + img.shape[-1]] = img
    return out


@_on_tensor
def pad(img, padding, fill=0, padding_mode="constant"):
    """Pads by one width, by (left and right, top and bottom), or by (left, top, right, bottom)."""
    if padding_mode not in ("constant", "edge", "reflect", "symmetric"):
        raise ValueError("Padding mode should be either constant, edge, reflect or symmetric")
    borders = [padding] * 4 if isinstance(padding, numbers.Number) else list(padding)
    if len(borders) not in (1, 2, 4):
        raise ValueError(f"Padding must be an int or a 1, 2, or 4 element tuple, not a {len(borders)} element tuple")
    left, top, right, bottom = {1: borders * 4, 2: borders * 2, 4: borders}[len(borders)]
    if padding_mode == "constant":
        if min(left, top, right, bottom) < 0:
            h, w = img.shape[-2:]
            img = img[..., max(-top, 0):h - max(-bottom, 0), max(-left, 0):w - max(-right, 0)]
            left, top, right, bottom = (max(b, 0) for b in (left, top, right, bottom))
        return _pad_constant(img, (left, top, right, bottom), fill)

    def places(n, before, after):
        i = _C.arange(-before, n + after)
        if padding_mode == "edge":
            return i.clamp(0, n - 1)
        if padding_mode == "reflect":
            i = i.abs()
            return _C.where(i >= n, 2 * (n - 1) - i, i)
        i = _C.where(i < 0, -1 - i, i)
        return _C.where(i >= n, 2 * n - 1 - i, i)
    rows, columns = places(img.shape[-2], top, bottom), places(img.shape[-1], left, right)
    return img.index_select(-2, rows).index_select(-1, columns)


def _output_size(height, width, size, max_size):
    if isinstance(size, int):
        size = [size]
    if len(size) == 2:
        return list(size)
    short, long = (width, height) if width <= height else (height, width)
    new_short, new_long = size[0], int(size[0] * long / short)
    if max_size is not None:
        if max_size <= size[0]:
            raise ValueError(f"max_size = {max_size} must be strictly greater than the requested size for the smaller edge size = "
                             f"{size}")
        if new_long > max_size:
            new_short, new_long = int(max_size * new_short / new_long), max_size
    new_w, new_h = (new_short, new_long) if width <= height else (new_long, new_short)
    return [new_h, new_w]


def resize(img, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
    """Resizes to (height, width), or so that the shorter side has length `size`."""
    _check(img)
    mode = _mode(interpolation)
    _, height, width = get_dimensions(img)
    new = _output_size(height, width, size if isinstance(size, int) else [int(s) for s in size], max_size)
    if new == [height, width]:
        return img
    if _is_pil(img):
        code = next(code for code, m in _PIL_CODES.items() if m == mode)
        return img.resize((new[1], new[0]), code)
    return _resize_tensor(img, new, mode, antialias)


@_on_tensor
def _resize_tensor(img, size, mode, antialias):
    from ...nn import functional as F
    lead = img.shape[:-3] if img.dim() > 3 else ()
    x = img.reshape(-1, *img.shape[-3:]) if img.dim() >= 3 else img[None, None]
    smooth = mode in (InterpolationMode.BILINEAR, InterpolationMode.BICUBIC)
    cast = not x.is_floating_point()
    x = x.to(_C.float32) if cast else x
    x = F.interpolate(x, size=tuple(size), mode=mode.value, align_corners=False if smooth else None,
                      antialias=bool(antialias) and smooth)
    if cast:
        if mode == InterpolationMode.BICUBIC:
            x = x.clamp(0, _max_value(img.dtype))
        x = x.round().to(img.dtype) if smooth else x.to(img.dtype)
    return x.view(*lead, *x.shape[1:]) if lead else (x[0] if img.dim() == 3 else x[0, 0])


def resized_crop(img, top, left, height, width, size, interpolation=InterpolationMode.BILINEAR, antialias=True):
    """Crops a rectangle and resizes it."""
    return resize(crop(img, top, left, height, width), size, interpolation, antialias=antialias)


def five_crop(img, size):
    """Returns the crops of the four corners and of the center."""
    size = (int(size), int(size)) if isinstance(size, numbers.Number) else tuple(size) * (2 if len(size) == 1 else 1)
    _, height, width = get_dimensions(img)
    ch, cw = size
    if cw > width or ch > height:
        raise ValueError(f"Requested crop size {size} is bigger than input size {(height, width)}")
    return (crop(img, 0, 0, ch, cw), crop(img, 0, width - cw, ch, cw), crop(img, height - ch, 0, ch, cw),
            crop(img, height - ch, width - cw, ch, cw), center_crop(img, [ch, cw]))


def ten_crop(img, size, vertical_flip=False):
    """Returns five_crop of the image and of its mirror image."""
    return five_crop(img, size) + five_crop(vflip(img) if vertical_flip else hflip(img), size)


@_on_tensor
def erase(img, i, j, h, w, v, inplace=False):
    """Sets a rectangle to the value `v`."""
    img = img if inplace else img.clone()
    img[..., i:i + h, j:j + w] = v
    return img


# ---- affine and perspective maps ----

def _inverse_affine(center, angle, translate, scale, shear):
    """Returns the matrix that maps a pixel of the result to one of the input."""
    rot, sx, sy = math.radians(angle), math.radians(shear[0]), math.radians(shear[1])
    cx, cy = center
    tx, ty = translate
    a = math.cos(rot - sy) / math.cos(sy)
    b = -math.cos(rot - sy) * math.tan(sx) / math.cos(sy) - math.sin(rot)
    c = math.sin(rot - sy) / math.cos(sy)
    d = -math.sin(rot - sy) * math.tan(sx) / math.cos(sy) + math.cos(rot)
    m = [x / scale for x in (d, -b, 0.0, -c, a, 0.0)]
    m[2] += m[0] * (-cx - tx) + m[1] * (-cy - ty) + cx
    m[5] += m[3] * (-cx - tx) + m[4] * (-cy - ty) + cy
    return m


def _sample(img, x, y, mode, fill):
    """Samples the image at points (in pixels from the center); outside it is 0 or `fill`."""
    h, w = img.shape[-2:]
    planes = (img if img.dim() >= 3 else img[None]).reshape(-1, h, w)
    px, py = x + (w - 1) / 2, y + (h - 1) / 2

    def at(ix, iy):
        good = (ix >= 0) & (ix < w) & (iy >= 0) & (iy < h)
        values = planes[:, iy.clamp(0, h - 1).to(_C.int64), ix.clamp(0, w - 1).to(_C.int64)].to(_C.float32)
        return values * good, good.to(_C.float32)
    if mode == InterpolationMode.NEAREST:
        value, weight = at(_C.round(px), _C.round(py))
    else:
        x0, y0 = _C.floor(px), _C.floor(py)
        fx, fy = px - x0, py - y0
        value = weight = 0
        for dx, wx in ((0, 1 - fx), (1, fx)):
            for dy, wy in ((0, 1 - fy), (1, fy)):
                v, g = at(x0 + dx, y0 + dy)
                value, weight = value + v * (wx * wy), weight + g * (wx * wy)
    if fill is not None:  # torchvision multiplies by the coverage at the border twice
        color = _C.as_tensor(fill, dtype=_C.float32).view(-1, 1, 1)
        value = value * weight + color * (1 - weight)
    out = value if img.is_floating_point() else value.round()
    return out.to(img.dtype).view(*img.shape[:-2], *x.shape)


def _turn(img, matrix, mode, fill, size=None):
    h, w = size or img.shape[-2:]
    rows, columns = _C.arange(h, dtype=_C.float32)[:, None] - (h - 1) / 2, _C.arange(w, dtype=_C.float32)[None] - (w - 1) / 2
    x = matrix[0] * columns + matrix[1] * rows + matrix[2]
    y = matrix[3] * columns + matrix[4] * rows + matrix[5]
    return _sample(img, x, y, mode, fill)


@_on_tensor
def affine(img, angle, translate, scale, shear, interpolation=InterpolationMode.NEAREST, fill=None, center=None):
    """Rotates, translates, scales and shears an image about its center."""
    if scale <= 0.0:
        raise ValueError("Argument scale should be positive")
    shear = [shear, 0.0] if isinstance(shear, numbers.Number) else list(shear) + [0.0] * (2 - len(shear))
    h, w = img.shape[-2:]
    middle = [0.0, 0.0] if center is None else [center[0] - w * 0.5, center[1] - h * 0.5]
    return _turn(img, _inverse_affine(middle, angle, translate, scale, shear), _mode(interpolation), fill)


def _hull(matrix, w, h):
    """Returns (height, width) of the bounding box of the transformed image, in whole pixels."""
    sides = []
    for a, b, c, half in ((*matrix[:3], w * 0.5), (*matrix[3:], h * 0.5)):
        ends = [a * x + b * y + c + half for x in (-0.5 * w, 0.5 * w) for y in (-0.5 * h, 0.5 * h)]
        low, high = (math.trunc(v / 1e-4) * 1e-4 for v in (min(ends), max(ends)))
        sides.append(math.ceil(high) - math.floor(low))
    return sides[1], sides[0]


@_on_tensor
def rotate(img, angle, interpolation=InterpolationMode.NEAREST, expand=False, center=None, fill=None):
    """Rotates counter-clockwise by `angle` degrees; `expand` enlarges the result to hold the whole image."""
    h, w = img.shape[-2:]
    middle = [0.0, 0.0] if center is None else [center[0] - w * 0.5, center[1] - h * 0.5]
    matrix = _inverse_affine(middle, -angle, [0.0, 0.0], 1.0, [0.0, 0.0])
    size = None
    if expand:
        size = _hull(matrix, w, h)
    return _turn(img, matrix, _mode(interpolation), fill, size)


def _perspective_numbers(startpoints, endpoints):
    """Returns the eight coefficients of the perspective map from the end points to the start points."""
    rows, right = [], []
    for (ex, ey), (sx, sy) in zip(endpoints, startpoints):
        rows += [[ex, ey, 1, 0, 0, 0, -sx * ex, -sx * ey], [0, 0, 0, ex, ey, 1, -sy * ex, -sy * ey]]
        right += [sx, sy]
    from ... import linalg
    rows, right = _C.tensor(rows, dtype=_C.float64), _C.tensor(right, dtype=_C.float64)
    return linalg.lstsq(rows, right[:, None]).solution[:, 0].to(_C.float32).tolist()


@_on_tensor
def perspective(img, startpoints, endpoints, interpolation=InterpolationMode.BILINEAR, fill=None):
    """Applies the perspective map that moves the corners `startpoints` to `endpoints`."""
    a = _perspective_numbers(startpoints, endpoints)
    h, w = img.shape[-2:]
    y, x = _C.arange(h, dtype=_C.float32)[:, None] + 0.5, _C.arange(w, dtype=_C.float32)[None] + 0.5
    below = a[6] * x + a[7] * y + 1
    return _sample(img, (a[0] * x + a[1] * y + a[2]) / below - w / 2, (a[3] * x + a[4] * y + a[5]) / below - h / 2,
                   _mode(interpolation), fill)


# ---- filters ----

def _convolve(img, kernel, edges):
    """Convolves each channel with a kernel; borders are reflected, or keep their values."""
    from ...nn import functional as F
    x = img.to(_C.float32) if not img.is_floating_point() else img
    lead, (h, w) = x.shape[:-2], x.shape[-2:]
    x = x.reshape(-1, 1, h, w)
    kh, kw = kernel.shape
    if edges == "mirror":
        x = F.pad(x, [kw // 2, kw // 2, kh // 2, kh // 2], mode="reflect")
    y = F.conv2d(x, kernel.to(x.dtype).view(1, 1, kh, kw))
    y = y.view(*lead, *y.shape[-2:])
    return y if img.is_floating_point() else y.round().clamp(0, _max_value(img.dtype)).to(img.dtype)


@_on_tensor
def gaussian_blur(img, kernel_size, sigma=None):
    """Blurs with a Gaussian kernel of size (width, height)."""
    sizes = [kernel_size] * 2 if isinstance(kernel_size, int) else list(kernel_size)
    for size in sizes:
        if size % 2 == 0 or size < 0:
            raise ValueError(f"kernel_size should have odd and positive integers. Got {sizes}")
    if sigma is None:
        sigma = [0.15 * size + 0.35 for size in sizes]
    sigma = [float(sigma)] * 2 if isinstance(sigma, numbers.Number) else list(sigma) * (2 if len(sigma) == 1 else 1)

    def line(size, s):
        x = _C.linspace(-(size - 1) * 0.5, (size - 1) * 0.5, steps=size)
        y = _C.exp(-0.5 * (x / s) ** 2)
        return y / y.sum()
    return _convolve(img, line(sizes[1], sigma[1])[:, None] * line(sizes[0], sigma[0])[None], "mirror")


@_on_tensor
def adjust_sharpness(img, sharpness_factor):
    """Adjusts the sharpness: 0 gives a blurred image, 1 the original, 2 a sharper one."""
    _not_negative("sharpness", sharpness_factor)
    if img.shape[-1] <= 2 or img.shape[-2] <= 2:
        return img
    kernel = _C.ones(3, 3)
    kernel[1, 1] = 5.0
    soft = img.clone()
    soft[..., 1:-1, 1:-1] = _convolve(img, kernel / kernel.sum(), None)
    return _blend(img, soft, sharpness_factor)


@_on_tensor
def elastic_transform(img, displacement, interpolation=InterpolationMode.BILINEAR, fill=None):
    """Moves each pixel by a displacement field (1, H, W, 2), in units of half the image size."""
    h, w = img.shape[-2:]
    rows, columns = _C.arange(h, dtype=_C.float32)[:, None] - (h - 1) / 2, _C.arange(w, dtype=_C.float32)[None] - (w - 1) / 2
    return _sample(img, columns + displacement[0, ..., 0] * w / 2, rows + displacement[0, ..., 1] * h / 2, _mode(interpolation),
                   fill)


def _deprecated(name):
    warnings.warn(f"{name} is deprecated", stacklevel=3)
