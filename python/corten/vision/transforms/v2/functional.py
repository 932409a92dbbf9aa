# SPDX-License-Identifier: BSD-3-Clause
"""torchvision.transforms.v2.functional: the functions of version 1, and a few more.

Images are tensors (..., C, H, W), PIL images or arrays; tensor types for boxes, masks and videos are only in the torchvision
package. The first parameter is called `inpt`. A name that ends in _image is the same function with the first parameter
`image`.
"""
import functools
import inspect

from .... import _C
from ..._elsewhere import names_of
from .. import functional as _first
from ..functional import *  # noqa: F403
from ..functional import __all__ as _names

_MORE = ["elastic", "gaussian_noise", "get_num_channels", "get_size", "grayscale_to_rgb", "horizontal_flip", "jpeg", "permute_channels",
         "to_dtype", "to_image", "vertical_flip"]


def _taking(name, function):
    """Returns the function with another name for its first parameter."""
    parameters = list(inspect.signature(function).parameters.values())

    @functools.wraps(function)
    def call(*args, **kwargs):
        return function(kwargs.pop(name), **kwargs) if name in kwargs and not args else function(*args, **kwargs)
    call.__signature__ = inspect.Signature([parameters[0].replace(name=name), *parameters[1:]])
    return call


for _name in _names:
    if _name not in ("InterpolationMode", "pil_to_tensor", "to_pil_image"):
        globals()[_name] = _taking("image" if _name == "convert_image_dtype" else "inpt", vars(_first)[_name])
elastic, horizontal_flip, vertical_flip = elastic_transform, hflip, vflip  # noqa: F405
get_num_channels = get_image_num_channels  # noqa: F405


def get_size(inpt):
    """Returns [height, width]."""
    return _first.get_dimensions(inpt)[1:]


def to_image(inpt):
    """Converts a PIL image or an array to a tensor (C, H, W), keeping the dtype; returns tensors unchanged."""
    if isinstance(inpt, _C.Tensor):
        return inpt
    if _first._is_pil(inpt):
        return _first.pil_to_tensor(inpt)
    if _first._is_array(inpt):
        return _first._rows_to_planes(inpt).contiguous()
    raise TypeError(f"Input can either be a pure Tensor, a numpy array, or a PIL image, but got {type(inpt)} instead.")


def to_dtype(inpt, dtype=_C.float32, scale=False):
    """Converts the dtype; with `scale`, scales the values to its range, 0 to 1 or 0 to the maximum integer."""
    return _first.convert_image_dtype(inpt, dtype) if scale else inpt.to(dtype)


def grayscale_to_rgb(inpt):
    """Repeats a single channel three times; an image with three or more channels is returned unchanged."""
    if _first._is_pil(inpt):
        return inpt.convert("RGB")
    if inpt.shape[-3] >= 3:
        return inpt
    return inpt.repeat(*(3 if dim == inpt.dim() - 3 else 1 for dim in range(inpt.dim())))


def permute_channels(inpt, permutation):
    """Permutes the channels."""
    if _first._is_pil(inpt):
        return _first.to_pil_image(permute_channels(_first.pil_to_tensor(inpt), permutation))
    if len(permutation) != inpt.shape[-3]:
        raise ValueError(f"Length of permutation does not match number of channels: {len(permutation)} != {inpt.shape[-3]}")
    return inpt.index_select(-3, _C.tensor(permutation, device=inpt.device))


def gaussian_noise(inpt, mean=0.0, sigma=0.1, clip=True):
    """Adds Gaussian noise, on a scale from 0 to 1; `clip` limits the result to that range."""
    if not isinstance(inpt, _C.Tensor):
        raise ValueError("Gaussian Noise is not implemented for PIL images.")
    if sigma < 0:
        raise ValueError(f"sigma shouldn't be negative. Got {sigma}")
    if inpt.is_floating_point():
        out = inpt + (mean + _C.randn_like(inpt) * sigma)
        return out.clamp(0, 1) if clip else out
    if inpt.dtype != _C.uint8:
        raise ValueError(f"Input tensor is expected to be in uint8 or float dtype, got dtype={inpt.dtype}")
    out = inpt + (mean * 255 + _C.randn_like(inpt, dtype=_C.float32) * (sigma * 255)).to(_C.int16)
    return (out.clamp(0, 255) if clip else out).to(_C.uint8)


def jpeg(inpt, quality):
    """Compresses uint8 images as JPEG with a quality and decompresses them, to simulate artifacts."""
    from ...io import decode_jpeg, encode_jpeg
    if _first._is_pil(inpt):
        return _first.to_pil_image(jpeg(_first.pil_to_tensor(inpt), quality))
    pictures = [decode_jpeg(encode_jpeg(picture, quality)) for picture in inpt.reshape(-1, *inpt.shape[-3:])]
    return _C.stack(pictures).view(inpt.shape) if pictures else inpt.clone()


_OF_IMAGES = [name for name in [*_names, *_MORE] if name not in (
    "InterpolationMode", "convert_image_dtype", "elastic_transform", "get_image_num_channels", "get_image_size", "hflip",
    "pil_to_tensor", "to_grayscale", "to_image", "to_pil_image", "to_tensor", "vflip")]
for _name in _OF_IMAGES:
    globals()[f"{_name}_image"] = _taking("image", globals()[_name])
del _name

__all__ = [*_names, *_MORE, *(f"{name}_image" for name in _OF_IMAGES)]
__getattr__ = names_of(__name__)
