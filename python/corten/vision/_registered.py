# SPDX-License-Identifier: BSD-3-Clause
"""torch.ops.torchvision.* and torch.ops.image.*: the operators that torchvision's compiled parts register.

torchvision's own Python code calls them (see _installed.py), and so do some programs directly. `of(namespace)` returns the
functions of a namespace.
"""
from .._missing import missing_function
from . import io
from .ops import boxes
from .ops._regions import deform_conv2d, ps_roi_align, ps_roi_pool, roi_align, roi_pool
from .ops._rotated import box_iou_rotated

_NO_QUANTIZED = "there are no quantized tensors; dequantize before the call"


def _cuda_version():
    """Returns -1: no operator was compiled for a particular CUDA version."""
    return -1


def write_file(filename, data):
    """Writes a one-dimensional uint8 tensor to a file."""
    io.write_file(filename, data)
    return data


def _jpeg_version():
    """Returns 62, the API version of libjpeg."""
    return 62


def _is_compiled_against_turbo():
    """Returns False: the decoder is Corten's own."""
    return False


def decode_jpeg(data, mode, apply_exif_orientation=False):
    """Decodes a JPEG file; `mode` is a number of ImageReadMode."""
    return io.decode_jpeg(data, mode, apply_exif_orientation=apply_exif_orientation)


def decode_jpegs_cuda(encoded, mode, device):
    """Decodes on the CPU and copies the result to the GPU."""
    return [io.decode_jpeg(data, mode, device) for data in encoded]


def encode_jpegs_cuda(images, quality):
    """Encodes on the CPU."""
    return [io.encode_jpeg(image.cpu(), quality).to(image.device) for image in images]


_TABLES = {
    "torchvision": {
        "_cuda_version": _cuda_version, "box_iou_rotated": box_iou_rotated, "deform_conv2d": deform_conv2d, "nms": boxes.nms, "ps_roi_align": ps_roi_align,
        "ps_roi_pool": ps_roi_pool, "roi_align": roi_align, "roi_pool": roi_pool,
        "qnms": missing_function("torch.ops.torchvision.qnms", _NO_QUANTIZED),
        "qroi_align": missing_function("torch.ops.torchvision.qroi_align", _NO_QUANTIZED),
    },
    "image": {
        "_is_compiled_against_turbo": _is_compiled_against_turbo, "_jpeg_version": _jpeg_version, "decode_gif": io.decode_gif,
        "decode_image": io.decode_image, "decode_jpeg": decode_jpeg, "decode_jpegs_cuda": decode_jpegs_cuda,
        "decode_png": io.decode_png, "decode_webp": io.decode_webp,
        "encode_jpeg": io.encode_jpeg, "encode_jpegs_cuda": encode_jpegs_cuda, "encode_png": io.encode_png,
        "read_file": io.read_file, "write_file": write_file,
    },
}


def of(namespace):
    """Returns {name: function} of a namespace, or None."""
    return _TABLES.get(namespace)
