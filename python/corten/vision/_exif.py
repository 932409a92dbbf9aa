# SPDX-License-Identifier: BSD-3-Clause
"""EXIF orientation of photos in JPEG and PNG files.

EXIF data is a TIFF file embedded in the image file. It is untrusted input: anything malformed counts as "upright".
"""
import struct

__all__ = ["orientation", "upright"]

_ORIENTATION = 0x0112


def _of_tiff(data):
    """Reads the orientation tag from the first directory of a TIFF file."""
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(data[:4])
    if order is None or len(data) < 8:
        return 1
    start, = struct.unpack_from(order + "I", data, 4)
    if start + 2 > len(data):
        return 1
    count, = struct.unpack_from(order + "H", data, start)
    for at in range(start + 2, min(start + 2 + 12 * count, len(data) - 11), 12):
        tag, kind, values, value = struct.unpack_from(order + "HHIH", data, at)
        if tag == _ORIENTATION:
            return value if kind == 3 and values == 1 else 1  # a single 16-bit value
    return 1


def _of_jpeg(data):
    """Reads the APP1 segment with EXIF data, which precedes the pixels."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker, (size,) = data[at + 1], struct.unpack_from(">H", data, at + 2)
        if marker == 0xDA:  # start of scan: the pixels follow
            break
        if marker == 0xE1 and data[at + 4:at + 10] == b"Exif\0\0":
            return _of_tiff(data[at + 10:at + 2 + size])
        at += 2 + size
    return 1


def _of_png(data):
    """Reads the eXIf chunk, which precedes the pixels."""
    at = 8
    while at + 8 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"IDAT":
            break
        if kind == b"eXIf":
            return _of_tiff(data[at + 8:at + 8 + size])
        at += 12 + size
    return 1


def orientation(data):
    """Returns the orientation, 1 (upright) to 8, from the bytes of a file."""
    if data[:2] == b"\xff\xd8":
        return _of_jpeg(data)
    return _of_png(data) if data[:8] == b"\x89PNG\r\n\x1a\n" else 1


def upright(picture, turned):
    """Rotates and flips an image (C, H, W) with this EXIF orientation so that it is upright."""
    if 5 <= turned <= 8:
        picture = picture.transpose(1, 2)
    flips = {2: (2,), 3: (1, 2), 4: (1,), 6: (2,), 7: (1, 2), 8: (1,)}.get(turned)
    return picture.flip(flips) if flips else picture
