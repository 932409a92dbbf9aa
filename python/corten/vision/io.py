# SPDX-License-Identifier: BSD-3-Clause
"""Reading and writing image files; images are tensors (C, H, W)."""
import enum
import os

from .. import _C
from .._missing import MissingFeature
from ._elsewhere import names_of
from ._exif import orientation, upright

__all__ = ["ImageReadMode", "decode_gif", "decode_image", "decode_jpeg", "decode_png", "decode_webp", "encode_jpeg", "encode_png",
           "read_file", "read_image", "write_file", "write_jpeg", "write_png"]


class ImageReadMode(enum.Enum):
    """The channels to decode an image to."""
    UNCHANGED = 0
    GRAY = 1
    GRAY_ALPHA = 2
    RGB = 3
    RGB_ALPHA = 4
    RGBA = RGB_ALPHA


def _mode(mode):
    return ImageReadMode[mode.upper()].value if isinstance(mode, str) else ImageReadMode(mode).value


def read_file(path):
    """Reads a file into a one-dimensional uint8 tensor."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise RuntimeError(f"[Errno {error.errno}] {error.strerror}: '{os.fspath(path)}'") from error
    return _C.frombuffer(bytearray(data), dtype=_C.uint8) if data else _C.empty(0, dtype=_C.uint8)


def write_file(filename, data):
    """Writes a one-dimensional uint8 tensor to a file."""
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
    """Decodes an image from a uint8 tensor of its bytes, or from a file path.

    Returns uint8 of shape (C, H, W), or uint16 for 16-bit PNG files. PNG, JPEG and PPM are decoded by the C library, GIF and WebP by
    Pillow. `mode` selects the channels. `apply_exif_orientation` makes photos upright.
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
    """Decodes a PNG file from a uint8 tensor of its bytes; see decode_image."""
    _check(input)
    if not _begins_with(input, b"\x89PNG"):
        raise RuntimeError("Content is not png!")
    return decode_image(input, mode, apply_exif_orientation)


def decode_jpeg(input, mode=ImageReadMode.UNCHANGED, device="cpu", apply_exif_orientation=False):
    """Decodes a JPEG file from a uint8 tensor of its bytes, or a list of them, on the CPU; the result is copied to `device`."""
    if isinstance(input, (list, tuple)):
        if len(input) == 0:
            raise ValueError("Input list must contain at least one element")
        return [decode_jpeg(item, mode, device, apply_exif_orientation) for item in input]
    _check(input)
    if not _begins_with(input, b"\xff\xd8"):
        raise RuntimeError("Not a JPEG file: starts with " + " ".join(f"0x{v:02x}" for v in input[:2].tolist()))
    return decode_image(input, mode, apply_exif_orientation).to(device)


def _by_pillow(input, kind, read):
    """Opens the encoded bytes with Pillow and returns read(file)."""
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
    except Exception as error:  # a damaged file; Pillow raises many exception types
        raise RuntimeError(f"Cannot read this {kind} file: {error}") from error


def decode_gif(input):
    """Decodes a GIF file with Pillow to RGB: (C, H, W), or (frames, C, H, W) if animated."""
    from .transforms.functional import pil_to_tensor

    def read(file):
        frames = []
        for i in range(getattr(file, "n_frames", 1)):
            file.seek(i)
            frames.append(pil_to_tensor(file.convert("RGB")))
        return frames[0] if len(frames) == 1 else _C.stack(frames)
    return _by_pillow(input, "gif", read)


def decode_webp(input, mode=ImageReadMode.UNCHANGED):
    """Decodes a WebP file with Pillow to RGB, or to RGBA if the file or the mode has an alpha channel."""
    from .transforms.functional import pil_to_tensor

    def read(file):
        wanted = {3: "RGB", 4: "RGBA"}.get(_mode(mode), file.mode)
        return pil_to_tensor(file if file.mode == wanted else file.convert(wanted))
    return _by_pillow(input, "webp", read)


def read_image(path, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    """Reads an image file; see decode_image for the arguments and the result."""
    return decode_image(read_file(path), mode, apply_exif_orientation)


def encode_png(input, compression_level=6):
    """Encodes a uint8 image (C, H, W) as PNG and returns the bytes as a uint8 tensor. compression_level: 0 to 9."""
    return _C._encode_image(input, compression_level, False)


def write_png(input, filename, compression_level=6):
    """Writes a uint8 image (C, H, W) to a PNG file."""
    write_file(filename, encode_png(input, compression_level))


def encode_jpeg(input, quality=75):
    """Encodes a uint8 image (C, H, W), or a list of them, as JPEG and returns the bytes as a uint8 tensor. quality: 1 to 100."""
    if isinstance(input, (list, tuple)):
        return [encode_jpeg(item, quality) for item in input]
    return _C._encode_image(input, quality, True)


def write_jpeg(input, filename, quality=75):
    """Writes a uint8 image (C, H, W) to a JPEG file."""
    write_file(filename, encode_jpeg(input, quality))


__getattr__ = names_of(__name__)
