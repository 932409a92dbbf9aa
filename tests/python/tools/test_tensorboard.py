# SPDX-License-Identifier: BSD-3-Clause
"""Writes summaries for TensorBoard's plugins and reads them back field by field."""
import json
import os
import struct

import pytest
from test_event_files import fields, read_records

import corten
from corten.utils.tensorboard import SummaryWriter
from corten.utils.tensorboard.summary import hparams


def events(folder):
    """Yields the events of all files in a folder, not of its subfolders."""
    for name in sorted(os.listdir(folder)):
        if name.startswith('events'):
            with open(os.path.join(folder, name), 'rb') as file:
                yield from (dict(fields(r)) for r in read_records(file.read()))


def summaries(folder):
    """Yields (tag, fields of the value, plugin name, plugin content)."""
    for event in events(folder):
        for number, value in fields(event.get(5, b'')):
            value = dict(fields(value))
            plugin = dict(fields(dict(fields(value.get(9, b''))).get(1, b'')))
            yield value[1].decode(), value, plugin.get(1, b'').decode(), plugin.get(2, b'')


def floats(tensor):
    data = dict(fields(tensor))[5]
    return list(struct.unpack(f'<{len(data) // 4}f', data))


def shape(tensor):
    return [dict(fields(dim)).get(1, 0) for _, dim in fields(dict(fields(tensor))[2])]


# ---- settings ----

def test_hparams(tmp_path):
    settings = {'lr': 0.5, 'layers': 3, 'name': 'net', 'bias': False, 'none': None, 'tensor': corten.tensor(2.)}
    with SummaryWriter(tmp_path) as writer:
        writer.add_hparams(settings, {'loss': 0.25}, {'lr': [0.5, 1.0], 'name': ['net', 'other']}, run_name='first', global_step=4)
    found = {tag: (plugin, dict_of) for tag, _, plugin, dict_of in summaries(tmp_path / 'first')}
    assert list(found) == ['_hparams_/experiment', '_hparams_/session_start_info', '_hparams_/session_end_info', 'loss']
    assert all(found[tag][0] == 'hparams' for tag in list(found)[:3])
    experiment = fields(dict(fields(found['_hparams_/experiment'][1]))[2])
    infos = [dict(fields(v)) for k, v in experiment if k == 5]
    assert [(i[1], i[4]) for i in infos] == [(b'lr', 3), (b'layers', 3), (b'name', 1), (b'bias', 2), (b'tensor', 3)]
    assert [dict(fields(v)) for _, v in fields(infos[0][5])] == [{2: 0.5}, {2: 1.0}]
    assert [dict(fields(v)) for _, v in fields(infos[2][5])] == [{3: b'net'}, {3: b'other'}] and 5 not in infos[1]
    metric, = [dict(fields(v)) for k, v in experiment if k == 6]
    assert dict(fields(metric[1])) == {2: b'loss'}
    start = fields(dict(fields(found['_hparams_/session_start_info'][1]))[3])
    values = {dict(fields(v))[1].decode(): dict(fields(dict(fields(v))[2])) for k, v in start if k == 1}
    assert values == {'lr': {2: 0.5}, 'layers': {2: 3.0}, 'name': {3: b'net'}, 'bias': {4: 0}, 'tensor': {2: 2.0}}
    end = dict(fields(dict(fields(found['_hparams_/session_end_info'][1]))[4]))
    assert end[1] == 1 and end[2] > 0


def test_hparams_refuses():
    with pytest.raises(ValueError, match='value should be one of int, float, str, bool, or torch.Tensor'):
        hparams({'a': [1]}, {})
    with pytest.raises(TypeError, match='hparam_dict should be a dictionary'):
        hparams([], {})
    with pytest.raises(TypeError, match='must be a list of same type'):
        hparams({'a': 1}, {}, {'a': ['x']})
    with pytest.raises(TypeError, match='must be a list of same type'):
        hparams({'a': 1}, {}, {'b': [1]})
    assert len(hparams({}, {})) == 3


# ---- graphs and steps ----

def test_graph(tmp_path, capsys):
    net = corten.nn.Sequential(corten.nn.Linear(3, 4), corten.nn.ReLU(), corten.nn.Dropout(), corten.nn.Linear(4, 2))
    with SummaryWriter(tmp_path) as writer:
        writer.add_graph(net, corten.ones(5, 3), verbose=True)
    assert 'aten::relu' in capsys.readouterr().out and net.training
    data, = [event[4] for event in events(tmp_path) if 4 in event]
    nodes = {}
    for number, node in fields(data):
        if number == 1:
            parts = fields(node)
            name = dict(parts)[1].decode()
            nodes[name] = (dict(parts)[2].decode(), [v.decode() for k, v in parts if k == 3], dict(parts)[5])
    first, last = nodes['Sequential/Linear[0]/linear'], nodes['Sequential/Linear[3]/linear']
    assert first[0] == 'aten::linear' and first[1] == ['input/0', 'Sequential/0/weight', 'Sequential/0/bias']
    assert last[1][1:] == ['Sequential/3/weight', 'Sequential/3/bias'] and nodes['output/0'][1] == ['Sequential/Linear[3]/linear']
    assert all(source in nodes for _, sources, _ in nodes.values() for source in sources)
    sizes = dict(fields(dict(fields(dict(fields(first[2]))[2]))[1]))[7]
    assert [dict(fields(d))[1] for _, d in fields(sizes)] == [5, 4]
    with pytest.raises(ValueError, match='input_to_model'):
        SummaryWriter(tmp_path).add_graph(net)


def test_purge_step(tmp_path):
    with SummaryWriter(tmp_path, purge_step=7) as writer:
        writer.add_scalar('a', 1.0, 8)
    found = list(events(tmp_path))
    assert [(e.get(2), 5 in e, dict(fields(e.get(7, b'')))) for e in found] == [
        (None, False, {}), (7, False, {}), (7, False, {1: 1}), (8, True, {})]


def test_scalar_styles(tmp_path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar('plain', 0.1)
        writer.add_scalar('new', 0.1, new_style=True)
        writer.add_scalar('double', 0.1, double_precision=True)
        writer.add_tensor('tensor', corten.arange(6.).reshape(2, 3))
    plain, new, double, tensor = summaries(tmp_path)
    assert plain[1][2] == struct.unpack('<f', struct.pack('<f', 0.1))[0] and new[2] == double[2] == 'scalars'
    assert floats(new[1][8]) == [plain[1][2]] and struct.unpack('<d', dict(fields(double[1][8]))[6]) == (0.1,)
    assert floats(tensor[1][8]) == [0, 1, 2, 3, 4, 5] and shape(tensor[1][8]) == [2, 3]


# ---- curves, meshes, layouts ----

def test_pr_curve(tmp_path):
    labels, scores = corten.tensor([1, 0, 1, 1, 0]), corten.tensor([0.875, 0.75, 0.5, 0.25, 0.125])
    with SummaryWriter(tmp_path) as writer:
        writer.add_pr_curve('pr', labels, scores, 3, num_thresholds=11)
        writer.add_pr_curve('weighted', labels, scores, num_thresholds=3, weights=[1, 2, 1, 1, 1])
        writer.add_pr_curve_raw('raw', [1], [2], [3], [4], [0.5], [0.25], num_thresholds=1)
        writer.add_pr_curve('many', labels, scores, num_thresholds=200)
    found = {tag: (floats(v[8]), shape(v[8]), plugin, content) for tag, v, plugin, content in summaries(tmp_path)}
    values, size, plugin, content = found['pr']
    assert size == [6, 11] and plugin == 'pr_curves' and fields(content) == [(2, 11)]
    rows = [values[i * 11:i * 11 + 11] for i in range(6)]
    for k in range(11):  # the counts by hand
        above = [int(float(s) * 10) >= k for s in scores]
        tp = sum(a and bool(label) for a, label in zip(above, labels.tolist()))
        fp = sum(a and not label for a, label in zip(above, labels.tolist()))
        assert [row[k] for row in rows[:4]] == [tp, fp, 2 - fp, 3 - tp]
        assert rows[4][k] == pytest.approx(tp / max(tp + fp, 1e-7)) and rows[5][k] == pytest.approx(tp / 3)
    assert found['weighted'][0][3:6] == [3, 2, 0] and found['raw'][0] == [1, 2, 3, 4, 0.5, 0.25]
    assert found['many'][1] == [6, 127]


def test_mesh(tmp_path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_mesh('m', corten.ones(1, 4, 3), colors=corten.full((1, 4, 3), 7, dtype=corten.uint8),
                        faces=corten.tensor([[[0, 1, 2]]]), config_dict={'b': 1, 'a': 2}, global_step=2)
        writer.add_mesh('points', corten.zeros(1, 2, 3))
    found = {tag: (v, plugin, fields(content)) for tag, v, plugin, content in summaries(tmp_path)}
    assert list(found) == ['m_VERTEX', 'm_FACE', 'm_COLOR', 'points_VERTEX']
    value, plugin, data = found['m_FACE']
    assert plugin == 'mesh' and floats(value[8]) == [0, 1, 2] and shape(value[8]) == [1, 1, 3]
    assert dict(data)[2] == b'm' and dict(data)[3] == 2 and dict(data)[7] == 0b1110
    assert json.loads(dict(data)[5]) == {'a': 2, 'b': 1} and [v for k, v in data if k == 6] == [1, 1, 3]
    assert dict(found['points_VERTEX'][2])[7] == 0b10


def test_custom_scalars(tmp_path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_custom_scalars({'Losses': {'both': ['Multiline', ['a', 'b']], 'band': ['Margin', ['v', 'lo', 'hi']]}})
        writer.add_custom_scalars_multilinechart(['x'], title='one')
        with pytest.raises(AssertionError, match='Expected 3 tags'):
            writer.add_custom_scalars_marginchart(['x'])
    (tag, value, plugin, _), second = summaries(tmp_path)
    assert tag == 'custom_scalars__config__' and plugin == 'custom_scalars'
    layout = dict(fields(dict(fields(value[8]))[8]))
    category = fields(layout[2])
    assert dict(category)[1] == b'Losses'
    lines, band = [dict(fields(v)) for k, v in category if k == 2]
    assert lines[1] == b'both' and fields(lines[2]) == [(1, b'a'), (1, b'b')]
    assert fields(dict(fields(band[3]))[1]) == [(1, b'v'), (2, b'lo'), (3, b'hi')]
    assert b'one' in second[1][8]


# ---- pictures ----

def decode_gif(data):
    """Decodes a GIF file to its palette and pictures."""
    assert data[:6] == b'GIF89a' and data[-1:] == b';'
    width, height, flags = struct.unpack('<HHB', data[6:11])
    colours = 2 << (flags & 7)
    palette = [tuple(data[13 + 3 * i:16 + 3 * i]) for i in range(colours)]
    at, pictures, delay = 13 + 3 * colours, [], None
    while data[at:at + 1] != b';':
        if data[at] == 0x21:
            if data[at + 1] == 0xF9:
                delay = struct.unpack('<H', data[at + 4:at + 6])[0]
            at += 2
        else:
            least, at, picture = data[at + 10], at + 11, []
        body = b''
        while data[at]:
            body += data[at + 1:at + 1 + data[at]]
            at += data[at] + 1
        at += 1
        if data[at - 1] == 0 and body[:1] and body[0] == 128:  # each picture begins with a clear code
            bits, held, width_now, table, last = 0, 0, least + 1, None, None
            for byte in body:
                held |= byte << bits
                bits += 8
                while bits >= width_now:
                    code, held, bits = held & (1 << width_now) - 1, held >> width_now, bits - width_now
                    if code == 1 << least:
                        table, width_now, last = {i: [i] for i in range(1 << least)}, least + 1, None
                        table[code] = table[code + 1] = []
                        continue
                    if code == (1 << least) + 1:
                        break
                    entry = table[code] if code in table else last + last[:1]
                    picture += entry
                    if last is not None:
                        table[len(table)] = last + entry[:1]
                        if len(table) == 1 << width_now:
                            width_now += 1
                    last = entry
            pictures.append([palette[i] for i in picture])
    return width, height, delay, pictures


@pytest.mark.parametrize('channels', [1, 3])
def test_video(tmp_path, channels):
    corten.manual_seed(0)
    video = corten.rand(2, 3, channels, 20, 30)
    with SummaryWriter(tmp_path) as writer:
        writer.add_video('v', video, fps=5)
    (_, value, _, _), = summaries(tmp_path)
    image = dict(fields(value[4]))
    width, height, delay, pictures = decode_gif(image[4])
    assert (image[1], image[2], image[3]) == (height, width, channels) and delay == 20 and len(pictures) == 3
    side_by_side = corten.cat([video[0], video[1]], -1 if width == 60 else -2)
    for picture, frame in zip(pictures, side_by_side):
        got = corten.tensor(picture).reshape(height, width, 3).permute(2, 0, 1) / 255.0
        assert (got - frame).abs().max() < (0.01 if channels == 1 else 0.14)


def test_video_of_bytes(tmp_path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_video('v', corten.full((1, 1, 3, 2, 2), 255, dtype=corten.uint8))
    (_, value, _, _), = summaries(tmp_path)
    assert decode_gif(dict(fields(value[4]))[4])[3] == [[(255, 255, 255)] * 4]


def test_embedding(tmp_path):
    from corten.vision.io import read_image
    pictures = corten.zeros(5, 3, 4, 6)
    pictures[3] = 1
    with SummaryWriter(tmp_path) as writer:
        writer.add_embedding(corten.arange(10.).reshape(5, 2), metadata=[['a', 1], ['b', 2], ['c', 3], ['d', 4], ['e', 5]],
                             label_img=pictures, global_step=3, tag='points', metadata_header=['name', 'number'])
        writer.add_embedding(corten.ones(2, 2), metadata=['x', 'y'])
        with pytest.raises(AssertionError, match='#labels should equal with #data points'):
            writer.add_embedding(corten.ones(2, 2), metadata=['x'])
    folder = tmp_path / '00003' / 'points'
    assert (folder / 'metadata.tsv').read_text().splitlines()[:2] == ['name\tnumber', 'a\t1']
    sprite = read_image(str(folder / 'sprite.png'))
    assert sprite.shape == (3, 12, 18) and (sprite[:, 4:8, :6] == 255).all() and sprite.sum() == 255 * 3 * 24
    config = (tmp_path / 'projector_config.pbtxt').read_text()
    assert 'image_path: "00003/points/sprite.png"' in config and 'single_image_dim: 6' in config and config.count('embeddings') == 2
    assert (tmp_path / '00000' / 'default' / 'metadata.tsv').read_text() == 'x\ny\n'


def test_boxes(tmp_path):
    with SummaryWriter(tmp_path) as writer:
        for rescale in (1, 2):
            writer.add_image_with_boxes('b', corten.zeros(3, 20, 30), corten.tensor([[2, 3, 12, 13]]), rescale=rescale)
    sizes = [tuple(dict(fields(v[4]))[i] for i in (1, 2)) for _, v, _, _ in summaries(tmp_path)]
    assert sizes == [(20, 30), (40, 60)]


def test_labels_of_boxes(tmp_path):
    pytest.importorskip('PIL')
    with SummaryWriter(tmp_path) as writer:
        for labels in (None, ['x']):
            writer.add_image_with_boxes('b', corten.zeros(3, 40, 60), corten.tensor([[2, 3, 50, 30]]), labels=labels)
    plain, labelled = [dict(fields(v[4]))[4] for _, v, _, _ in summaries(tmp_path)]
    assert plain != labelled
