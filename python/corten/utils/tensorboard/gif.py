# SPDX-License-Identifier: BSD-3-Clause
"""GIF animations for SummaryWriter.add_video.

GIF compresses with LZW, whose code width grows as its table fills. A clear code every 126 pixels keeps all codes at 8 bits,
so an image of 128 colours is encoded as its bytes with a clear code before every 126: no compression, but no Python loop.
"""
import struct

from ... import _C

_RESET, _END, _ROW = 128, 129, 126


def _blocks(data):
    """Splits bytes into sub-blocks of up to 255 bytes, each preceded by its length, and ends with an empty one."""
    whole = len(data) // 255 * 255
    rows = _C.frombuffer(bytearray(data[:whole]), dtype=_C.uint8).reshape(-1, 255) if whole else _C.empty(0, 255, dtype=_C.uint8)
    rows = _C.cat([_C.full((rows.shape[0], 1), 255, dtype=_C.uint8), rows], 1)
    rest = data[whole:]
    return bytes(rows.contiguous().untyped_storage()) + (bytes([len(rest)]) + rest if rest else b"") + b"\0"


def _coded(indices):
    """Encodes colour indices 0 to 127 as 8-bit codes."""
    flat = indices.reshape(-1)
    n = flat.numel()
    padded = _C.cat([flat, flat.new_zeros(-n % _ROW)]).reshape(-1, _ROW)
    rows = _C.cat([padded.new_full((padded.shape[0], 1), _RESET), padded], 1).reshape(-1)
    rows = rows[:n + padded.shape[0]].clone()  # a storage without the padding of the last row
    return bytes(rows.untyped_storage()) + bytes([_END])


def _palette(gray):
    if gray:
        levels = _C.arange(128).mul(255).div(127).round()
        colours = _C.stack([levels] * 3, 1)
    else:  # five levels each of red, green and blue
        steps = _C.arange(5) * 63.75
        colours = _C.cat([_C.cartesian_prod(steps, steps, steps), _C.zeros(3, 3)])
    return bytes(colours.round().to(_C.uint8).contiguous().untyped_storage())


def encode(frames, fps):
    """Encodes a GIF that repeats forever. frames: uint8 of shape (T, H, W, C) with C = 1 or 3; fps: frames per second."""
    t, height, width, channels = frames.shape
    if channels == 1:
        indices = frames.squeeze(-1) >> 1
    else:
        steps = (frames[..., :3].to(_C.float32) / 63.75).round().to(_C.uint8)
        indices = steps[..., 0] * 25 + steps[..., 1] * 5 + steps[..., 2]
    delay = max(1, round(100 / fps))
    out = [b"GIF89a", struct.pack("<HHBBB", width, height, 0xF6, 0, 0), _palette(channels == 1),
           b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"]
    for i in range(t):
        out += [b"!\xf9\x04\x04", struct.pack("<H", delay), b"\0\0", b",", struct.pack("<HHHHB", 0, 0, width, height, 0), b"\x07",
                _blocks(_coded(indices[i]))]
    return b"".join([*out, b";"])
