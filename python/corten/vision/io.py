# SPDX-License-Identifier: BSD-3-Clause
"""Files of pictures as tensors of channels, rows and columns."""
import enum
import os

from .. import _C

__all__ = ["ImageReadMode", "decode_image", "decode_jpeg", "decode_png", "encode_jpeg", "encode_png", "read_file", "read_image",
           "write_file", "write_jpeg", "write_png"]


class ImageReadMode(enum.Enum):
    """The channels that a picture is read as."""
    UNCHANGED = 0
    GRAY = 1
    GRAY_ALPHA = 2
    RGB = 3
    RGB_ALPHA = 4
    RGBA = RGB_ALPHA


def _mode(mode):
    return ImageReadMode[mode.upper()].value if isinstance(mode, str) else ImageReadMode(mode).value


def read_file(path):
    """The bytes of a file as a tensor of uint8."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise RuntimeError(f"[Errno {error.errno}] {error.strerror}: '{os.fspath(path)}'") from error
    return _C.frombuffer(bytearray(data), dtype=_C.uint8) if data else _C.empty(0, dtype=_C.uint8)


def write_file(filename, data):
    """Writes a tensor of uint8 as the bytes of a file."""
    if data.dtype != _C.uint8 or data.dim() != 1:
        raise RuntimeError("Input tensor data type should be uint8, and it should have one dimension")
    with open(filename, "wb") as file:
        file.write(bytes(data.contiguous().untyped_storage())[data.storage_offset():][:data.numel()])


def decode_image(input, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    """The picture in a tensor of bytes (PNG, JPEG, PPM), or in a file."""
    if not isinstance(input, _C.Tensor):
        input = read_file(input)
    return _C._decode_image(input, _mode(mode))


def decode_png(input, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    """The picture in the bytes of a PNG file."""
    return decode_image(input, mode)


def decode_jpeg(input, mode=ImageReadMode.UNCHANGED, device="cpu", apply_exif_orientation=False):
    """The picture in the bytes of a JPEG file, or of each in a list."""
    if isinstance(input, (list, tuple)):
        return [decode_jpeg(item, mode, device) for item in input]
    return decode_image(input, mode).to(device)


def read_image(path, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    """The picture in a file: uint8, or uint16 for PNG files of 16 bits."""
    return decode_image(read_file(path), mode)


def encode_png(input, compression_level=6):
    """A picture as the bytes of a PNG file."""
    return _C._encode_image(input, compression_level, False)


def write_png(input, filename, compression_level=6):
    """A picture as a PNG file."""
    write_file(filename, encode_png(input, compression_level))


def encode_jpeg(input, quality=75):
    """A picture, or each in a list, as the bytes of a JPEG file."""
    if isinstance(input, (list, tuple)):
        return [encode_jpeg(item, quality) for item in input]
    return _C._encode_image(input, quality, True)


def write_jpeg(input, filename, quality=75):
    """A picture as a JPEG file."""
    write_file(filename, encode_jpeg(input, quality))
