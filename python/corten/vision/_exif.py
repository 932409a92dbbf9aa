# SPDX-License-Identifier: BSD-3-Clause
"""The orientation of a photo: which way up the camera was, as JPEG and PNG files note it in their EXIF data.

EXIF data are a TIFF file inside the picture's file. Nothing in them is believed: whatever does not fit means "upright".
"""
import struct

__all__ = ["orientation", "upright"]

_ORIENTATION = 0x0112


def _of_tiff(data):
    """The tag of a TIFF file's first directory."""
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
            return value if kind == 3 and values == 1 else 1  # one number of 16 bits
    return 1


def _of_jpeg(data):
    """The EXIF data lie in a segment APP1, before the pixels."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker, (size,) = data[at + 1], struct.unpack_from(">H", data, at + 2)
        if marker == 0xDA:  # the pixels
            break
        if marker == 0xE1 and data[at + 4:at + 10] == b"Exif\0\0":
            return _of_tiff(data[at + 10:at + 2 + size])
        at += 2 + size
    return 1


def _of_png(data):
    """The EXIF data lie in a chunk eXIf, before the pixels."""
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
    """From 1, upright, to 8; `data` are the bytes of a file."""
    if data[:2] == b"\xff\xd8":
        return _of_jpeg(data)
    return _of_png(data) if data[:8] == b"\x89PNG\r\n\x1a\n" else 1


def upright(picture, turned):
    """A picture (C, H, W) turned so that up is up; `turned` is its orientation."""
    if 5 <= turned <= 8:
        picture = picture.transpose(1, 2)
    flips = {2: (2,), 3: (1, 2), 4: (1,), 6: (2,), 7: (1, 2), 8: (1,)}.get(turned)
    return picture.flip(flips) if flips else picture
