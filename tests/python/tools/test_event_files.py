# SPDX-License-Identifier: BSD-3-Clause
"""Event files for TensorBoard: their records and checksums, and what SummaryWriter writes."""
import struct

import corten
from corten.utils.tensorboard import SummaryWriter, records


def read_records(data):
    while data:
        n, = struct.unpack('<Q', data[:8])
        body = data[12:12 + n]
        assert records.record(body) == data[:16 + n]
        yield body
        data = data[16 + n:]


def fields(message):
    """Parses a protocol buffers message to [(field number, value)]."""
    at, found = 0, []

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    while at < len(message):
        key = varint()
        kind = key & 7
        if kind == 0:
            value = varint()
        elif kind == 1:
            value, = struct.unpack('<d', message[at:at + 8])
            at += 8
        elif kind == 5:
            value, = struct.unpack('<f', message[at:at + 4])
            at += 4
        else:
            n = varint()
            value = message[at:at + n]
            at += n
        found.append((key >> 3, value))
    return found


def test_checksum():
    assert records.crc32c(b'123456789') == 0xE3069283


def test_summary_writer(tmp_path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar('loss', corten.tensor(1.5), 7, walltime=3.0)
        writer.add_text('note', 'hello')
        writer.add_image('picture', corten.zeros(3, 4, 5))
        writer.add_histogram('weights', corten.tensor([-1., 0.5, 0.5, 2.]))
        writer.add_scalars('both', {'a': 1, 'b': 2})
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_dir()) == ['both_a', 'both_b']
    path, = [p for p in tmp_path.iterdir() if p.is_file()]
    head, loss, note, picture, spread = [dict(fields(r)) for r in read_records(path.read_bytes())]
    assert head[3] == b'brain.Event:2' and loss[1] == 3.0 and loss[2] == 7

    def value(event):
        return dict(fields(dict(fields(event[5]))[1]))
    assert value(loss) == {1: b'loss', 2: 1.5} and b'hello' in value(note)[8]
    image = dict(fields(value(picture)[4]))
    assert image[1:][:0] == () if isinstance(image, tuple) else (image[1], image[2], image[3]) == (4, 5, 3)
    assert image[4].startswith(b'\x89PNG')
    histogram = dict(fields(value(spread)[5]))
    assert (histogram[1], histogram[2], histogram[3], histogram[4], histogram[5]) == (-1, 2, 4, 2, 5.5)
    limits = struct.unpack(f'<{len(histogram[6]) // 8}d', histogram[6])
    counts = struct.unpack(f'<{len(histogram[7]) // 8}d', histogram[7])
    assert len(limits) == len(counts) and sum(counts) == 4 and list(limits) == sorted(limits)
