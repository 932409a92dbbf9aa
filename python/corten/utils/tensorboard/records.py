# SPDX-License-Identifier: BSD-3-Clause
"""The format of event files: records with checksums that contain protobuf messages.

The messages are those of tensorflow/core/util/event.proto and framework/summary.proto; comments give the field numbers.
"""
import struct

_TABLE = []


def crc32c(data):
    """Returns the CRC-32C checksum (Castagnoli polynomial, reflected)."""
    if not _TABLE:
        for i in range(256):
            c = i
            for _ in range(8):
                c = c >> 1 ^ 0x82F63B78 if c & 1 else c >> 1
            _TABLE.append(c)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


def _masked(data):
    crc = crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def record(data):
    """Frames data as a record: length, checksum of the length, data, checksum of the data."""
    head = struct.pack("<Q", len(data))
    return head + _masked(head) + data + _masked(data)


def varint(n):
    """Encodes an integer as a varint, seven bits per byte."""
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def field(number, value):
    """Encodes a field of a message: bytes, str, int, or float (as float64)."""
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, (bytes, bytearray)):
        return varint(number << 3 | 2) + varint(len(value)) + bytes(value)
    if isinstance(value, float):
        return varint(number << 3 | 1) + struct.pack("<d", value)
    return varint(number << 3) + varint(value)


def float32(number, value):
    """Encodes a float32 field."""
    return varint(number << 3 | 5) + struct.pack("<f", value)


def doubles(number, values):
    """Encodes a packed list of float64."""
    return field(number, struct.pack(f"<{len(values)}d", *values))


def packed_floats(number, values):
    """Encodes a packed list of float32."""
    return field(number, struct.pack(f"<{len(values)}f", *values))


def event(wall_time, step=None, version=None, summary=None, graph=None, session=None):
    """Encodes Event: wall_time 1, step 2, file_version 3, graph_def 4, summary 5, session_log 7 (status 1: start is 1)."""
    out = field(1, float(wall_time))
    if step is not None:
        out += field(2, int(step))
    if version is not None:
        out += field(3, version)
    if graph is not None:
        out += field(4, graph)
    if summary is not None:
        out += field(5, summary)
    if session is not None:
        out += field(7, field(1, session))
    return out


def value(tag, body, plugin=None):
    """Encodes a Summary with one Value: tag 1, content, metadata 9 (plugin_data 1: plugin_name 1, content 2)."""
    out = field(1, tag) + body
    if plugin is not None:
        name, content = plugin
        out += field(9, field(1, field(1, name) + (field(2, content) if content else b"")))
    return field(1, out)


def scalar(tag, number):
    """Encodes a scalar: simple_value 2."""
    return value(tag, float32(2, number))


def image(tag, height, width, channels, png):
    """Encodes image 4: height 1, width 2, colorspace 3, encoded_image_string 4."""
    return value(tag, field(4, field(1, height) + field(2, width) + field(3, channels) + field(4, png)))


def audio(tag, rate, length, wav):
    """Encodes audio 6: sample_rate 1, num_channels 2, length_frames 3, encoded_audio_string 4, content_type 5."""
    body = float32(1, rate) + field(2, 1) + field(3, length) + field(4, wav) + field(5, "audio/wav")
    return value(tag, field(6, body))


def histogram(tag, least, most, count, total, squares, limits, counts):
    """Encodes histo 5: min 1, max 2, num 3, sum 4, sum_squares 5, bucket_limit 6, bucket 7."""
    body = b"".join(field(i, float(v)) for i, v in enumerate((least, most, count, total, squares), 1))
    return value(tag, field(5, body + doubles(6, limits) + doubles(7, counts)))


def text(tag, words):
    """Encodes text as tensor 8: dtype 1 (string is 7), tensor_shape 2 (dim 2: size 1), string_val 8."""
    body = field(1, 7) + field(2, field(2, field(1, 1))) + field(8, words)
    return value(tag + "/text_summary", field(8, body), ("text", b""))
