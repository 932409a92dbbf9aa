# SPDX-License-Identifier: BSD-3-Clause
"""Files of pictures as tensors of channels, rows and columns."""
import enum
import os

from .. import _C
from .._missing import MissingFeature
from ._elsewhere import names_of
from ._exif import orientation, upright

__all__ = ["ImageReadMode", "decode_gif", "decode_image", "decode_jpeg", "decode_png", "decode_webp", "encode_jpeg", "encode_png",
           "read_file", "read_image", "write_file", "write_jpeg", "write_png"]


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
    if data.dtype != _C.uint8:
        raise RuntimeError("Input tensor dtype should be uint8")
    if data.dim() != 1:
        raise RuntimeError("Input data should be a 1-dimensional tensor")
    try:
        with open(filename, "wb") as file:
            file.write(_bytes(data))
    except OSError as error:
        raise RuntimeError(f"Error opening output file: [Errno {error.errno}] {error.strerror}: '{os.fspath(filename)}'") from error


def _bytes(data):
    data = data.contiguous()
    return bytes(data.untyped_storage())[data.storage_offset():][:data.numel()]


def _check(data):
    if data.dtype != _C.uint8:
        raise RuntimeError(f"Input tensor must have uint8 data type, got {data.dtype}")
    if data.dim() != 1 or data.numel() == 0:
        raise RuntimeError(f"Input tensor must be 1-dimensional and non-empty, got {data.dim()} dims and {data.numel()} numels.")


def _begins_with(data, head):
    return bytes(data[:len(head)].tolist()) == head


def decode_image(input, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    """The picture in a tensor of bytes, or in a file: (C, H, W) of uint8, or of uint16 for PNG files of 16 bits.

    PNG, JPEG and PPM files are read by the library, GIF and WebP files by Pillow. `apply_exif_orientation` turns photos that
    were taken with the camera on its side.
    """
    if not isinstance(input, _C.Tensor):
        input = read_file(input)
    _check(input)
    if _begins_with(input, b"GIF8"):
        return decode_gif(input)
    if _begins_with(input, b"RIFF") and _begins_with(input[8:], b"WEBP"):
        return decode_webp(input, mode)
    picture = _C._decode_image(input, _mode(mode))
    return upright(picture, orientation(_bytes(input))) if apply_exif_orientation else picture


def decode_png(input, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    """The picture in the bytes of a PNG file."""
    _check(input)
    if not _begins_with(input, b"\x89PNG"):
        raise RuntimeError("Content is not png!")
    return decode_image(input, mode, apply_exif_orientation)


def decode_jpeg(input, mode=ImageReadMode.UNCHANGED, device="cpu", apply_exif_orientation=False):
    """The picture in the bytes of a JPEG file, or of each in a list, decoded on the CPU and copied to a device."""
    if isinstance(input, (list, tuple)):
        if len(input) == 0:
            raise ValueError("Input list must contain at least one element")
        return [decode_jpeg(item, mode, device, apply_exif_orientation) for item in input]
    _check(input)
    if not _begins_with(input, b"\xff\xd8"):
        raise RuntimeError("Not a JPEG file: starts with " + " ".join(f"0x{v:02x}" for v in input[:2].tolist()))
    return decode_image(input, mode, apply_exif_orientation).to(device)


def _by_pillow(input, kind, read):
    """What `read` makes of the file in a tensor of bytes, once Pillow has opened it."""
    _check(input)
    try:
        from PIL import Image
    except ImportError:
        raise MissingFeature(f"torchvision.io.decode_{kind}", "pip install pillow, which reads these files") from None
    from io import BytesIO
    try:
        return read(Image.open(BytesIO(_bytes(input)), formats=[kind]))
    except Image.UnidentifiedImageError:
        raise RuntimeError(f"Cannot read this {kind} file: Pillow does not recognize it") from None
    except Exception as error:  # a damaged file; Pillow raises errors of many classes
        raise RuntimeError(f"Cannot read this {kind} file: {error}") from error


def decode_gif(input):
    """The picture in the bytes of a GIF file as RGB, read by Pillow: (C, H, W), or (frames, C, H, W) if it moves."""
    from .transforms.functional import pil_to_tensor

    def read(file):
        frames = []
        for i in range(getattr(file, "n_frames", 1)):
            file.seek(i)
            frames.append(pil_to_tensor(file.convert("RGB")))
        return frames[0] if len(frames) == 1 else _C.stack(frames)
    return _by_pillow(input, "gif", read)


def decode_webp(input, mode=ImageReadMode.UNCHANGED):
    """The picture in the bytes of a WebP file, read by Pillow: RGB, or RGBA if the file or the mode says so."""
    from .transforms.functional import pil_to_tensor

    def read(file):
        wanted = {3: "RGB", 4: "RGBA"}.get(_mode(mode), file.mode)
        return pil_to_tensor(file if file.mode == wanted else file.convert(wanted))
    return _by_pillow(input, "webp", read)


def read_image(path, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    """The picture in a file; decode_image says what it takes and gives."""
    return decode_image(read_file(path), mode, apply_exif_orientation)


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


__getattr__ = names_of(__name__)
