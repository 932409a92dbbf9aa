# SPDX-License-Identifier: BSD-3-Clause
"""NumPy and safetensors files from Python. The expected bytes come from NumPy or are written out here by hand."""
import io
import json
import random
import struct

import pytest

import corten
from corten import safetensors

numpy = pytest.importorskip('numpy')
TYPES = 'bool uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 float32 float64 complex64 complex128'.split()


def npy(array):
    buffer = io.BytesIO()
    numpy.save(buffer, array)
    return buffer.getvalue()


# ---- NumPy ----

@pytest.mark.parametrize('name', TYPES)
def test_npy(name):
    array = numpy.arange(6).reshape(2, 3).astype(name)
    for data in (array, numpy.asfortranarray(array), array[::-1], array.astype(array.dtype.newbyteorder('>'))):
        got = corten.load(io.BytesIO(npy(data)))
        assert got.dtype == getattr(corten, name) and (got.numpy() == data).all()
    assert corten.load(io.BytesIO(npy(numpy.asfortranarray(array)))).stride() == (1, 2)


def test_npy_shapes():
    for array in (numpy.float32(3), numpy.zeros((0, 2)), numpy.zeros((1,) * 20), numpy.arange(3)):
        assert corten.load(io.BytesIO(npy(array))).shape == array.shape


@pytest.mark.parametrize('save', [numpy.savez, numpy.savez_compressed])
def test_npz(tmp_path, save):
    save(tmp_path / 'x.npz', a=numpy.ones(3), b=numpy.arange(4))
    got = corten._C._load_dict(str(tmp_path / 'x.npz'), 'npz')
    assert list(got) == ['a', 'b'] and got['b'].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize('compress', [False, True])
def test_npz_for_numpy(tmp_path, compress):
    corten._C._save_dict({'x': corten.arange(6.).view(2, 3).t(), 'y': corten.tensor(True)}, str(tmp_path / 'x.npz'), 'npz', None,
                         compress)
    with numpy.load(tmp_path / 'x.npz') as got:
        assert got['x'].tolist() == [[0, 3], [1, 4], [2, 5]] and got['y'].dtype == bool


def test_npy_refusals():
    for array in (numpy.array(['text']), numpy.array([object()]), numpy.zeros(2, 'f4,i4')):
        with pytest.raises((TypeError, ValueError)):
            corten._C._read_npy(npy(array))
    good = npy(numpy.arange(3))
    for n in range(len(good)):
        with pytest.raises((TypeError, ValueError)):
            corten._C._read_npy(good[:n])
    with pytest.raises(ValueError, match='ends before its data|too large'):
        corten._C._read_npy(good.replace(b'(3,)', b'(9' + b'9' * 17 + b',)'))


# ---- safetensors ----

def test_safetensors(tmp_path):
    names = [n for n in TYPES if n != 'complex128'] + ['bfloat16']
    tensors = {n: corten.arange(6).view(2, 3).to(getattr(corten, n)) for n in names}
    tensors['\u00e4 "quoted" \\'] = corten.tensor(1.5)
    tensors['empty'] = corten.empty(0, 3)
    safetensors.save_file(tensors, tmp_path / 'x.safetensors', {'format': 'pt'})
    got = safetensors.load_file(tmp_path / 'x.safetensors')
    assert list(got) == list(tensors)
    assert all(corten.equal(got[n], t) and got[n].dtype == t.dtype for n, t in tensors.items())
    assert list(corten.load(tmp_path / 'x.safetensors')) == list(tensors)
    with safetensors.safe_open(tmp_path / 'x.safetensors', 'pt') as file:
        assert file.metadata() == {'format': 'pt'} and file.get_slice('int64')[1].tolist() == [3, 4, 5]
        assert file.get_slice('bfloat16').get_dtype() == 'BF16'
    assert safetensors.load(safetensors.save(tensors)).keys() == tensors.keys()


def test_safetensors_by_hand(tmp_path):
    """Reads a file assembled by hand from the specification of the format."""
    header = json.dumps({'__metadata__': {'a': 'b'}, 'x\u00e9': {'dtype': 'I16', 'shape': [2], 'data_offsets': [1, 5]},
                         'first': {'data_offsets': [0, 1], 'shape': [1], 'dtype': 'U8'}}).encode()
    path = tmp_path / 'x.safetensors'
    path.write_bytes(struct.pack('<Q', len(header)) + header + bytes([7]) + struct.pack('<2h', -1, 258))
    got = safetensors.load_file(path)
    assert got['x\u00e9'].tolist() == [-1, 258] and got['first'].tolist() == [7]


def test_safetensors_refusals(tmp_path):
    path = tmp_path / 'x.safetensors'

    def load(header, data=b'\0' * 8):
        header = header if isinstance(header, bytes) else json.dumps(header).encode()
        path.write_bytes(struct.pack('<Q', len(header)) + header + data)
        return safetensors.load_file(path)
    one = {'dtype': 'F32', 'shape': [2], 'data_offsets': [0, 8]}
    assert load({'x': one})['x'].tolist() == [0, 0]
    for bad in ({'x': dict(one, data_offsets=[0, 9])}, {'x': dict(one, data_offsets=[8, 0])}, {'x': dict(one, shape=[3])},
                {'x': dict(one, shape=[2**40, 2**40])}, {'x': dict(one, dtype='F99')}, {'x': dict(one, more=1)},
                {'x': {'dtype': 'F32'}}, [], b'{', b'{"x":', b'{"x":{}}', b'{"\\ud800":1}', b'{"a" 1}'):
        with pytest.raises(ValueError):
            load(bad)
    with pytest.raises(RuntimeError, match='Some tensors share memory'):
        x = corten.ones(2)
        safetensors.save_file({'a': x, 'b': x[1:]}, path)
    good, rng = safetensors.save({'a': corten.ones(3), 'b': corten.arange(4)}), random.Random(0)
    for _ in range(300):
        broken = bytearray(good)
        broken[rng.randrange(len(good))] = rng.randrange(256)
        path.write_bytes(bytes(broken[:rng.randrange(8, len(good) + 1)]))
        try:
            safetensors.load_file(path)
        except (ValueError, RuntimeError, UnicodeDecodeError):
            pass


def test_mapped_files_may_go(tmp_path):
    """Replacing the file does not change tensors loaded from it."""
    path = tmp_path / 'x.safetensors'
    safetensors.save_file({'a': corten.ones(1000)}, path)
    got = safetensors.load_file(path)['a']
    safetensors.save_file({'a': corten.zeros(1000)}, path)
    assert got.sum() == 1000 and safetensors.load_file(path)['a'].sum() == 0
