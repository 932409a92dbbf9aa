# SPDX-License-Identifier: BSD-3-Clause
"""torch.save and torch.load compared with files that PyTorch 2.15 wrote (write_files.py), in both directions."""
import collections
import io
import marshal
import mmap
import os
import pathlib
import pickle
import pickletools
import random
import re
import signal
import struct
import subprocess
import sys
import time
import zipfile

import pytest

import corten
from corten import serialization

FILES = pathlib.Path(__file__).parent
TYPES = ('bool uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128').split()


def saved(obj, **options):
    buffer = io.BytesIO()
    corten.save(obj, buffer, **options)
    return buffer.getvalue()


def back(obj, **options):
    return corten.load(io.BytesIO(saved(obj, **options)))


# ---- files written by PyTorch ----

@pytest.mark.parametrize('options', [{}, {'mmap': True}, {'weights_only': False}])
def test_nested(options):
    got = corten.load(FILES / 'nested.pt', **options)
    x = corten.arange(6.).view(2, 3)
    assert corten.equal(got['a'], x) and corten.equal(got['b'], x.t()) and got['b'].stride() == (1, 3)
    assert got['a'].untyped_storage().data_ptr() == got['b'].untyped_storage().data_ptr()
    assert got['part'].storage_offset() == 4 and corten.equal(got['part'], x[1:, 1:])
    assert got['n'] == [1, 300, 70000, -1, 2**40, -2**40, 2**100, -2**63, 1.5, True, None, 's', '\u00e4\ud800', b'by', (),
                        (1,), (1, 2, 3, 4), {}, []]
    assert type(got['o']) is collections.OrderedDict and corten.equal(got['o']['b'], x)
    assert got['d'] is corten.float32 and got['dev'] == corten.device('cpu') and got['sz'] == corten.Size([2, 3])
    assert type(got['sz']) is corten.Size and got['s'] == {1} and got['c'] == 1j
    assert got['long'] == list(range(1001)) and got['wide'] == {i: i for i in range(1001)}
    assert list(got['many']) == [str(i) for i in range(1001)]
    assert got['grad'].requires_grad and got['grad'].is_leaf


def test_types():
    for name, t in zip(TYPES, corten.load(FILES / 'types.pt')):
        assert t.dtype == getattr(corten, name) and corten.equal(t, corten.arange(4).to(t.dtype))


@pytest.mark.parametrize('weights_only', [True, False])
def test_legacy(weights_only):
    got = corten.load(FILES / 'legacy.pt', weights_only=weights_only)
    assert corten.equal(got['y'], corten.arange(6.).view(2, 3).t())
    got['x'][0, 1] = 9
    assert got['y'][1, 0] == 9


def test_marks():
    conj, meta, storage, parameter, empty = corten.load(FILES / 'marks.pt')
    assert conj.is_conj() and conj.tolist() == [1 - 2j] and corten.load(FILES / 'neg.pt').tolist() == [-1, -1]
    assert meta.device.type == 'meta' and meta.shape == (2,) and empty.shape == (0,)
    assert len(storage) == 24 and type(parameter) is corten.nn.Parameter and parameter.requires_grad


def test_state():
    net = corten.nn.Sequential(corten.nn.Linear(3, 2), corten.nn.BatchNorm1d(2))
    assert str(net.load_state_dict(corten.load(FILES / 'state.pt'))) == '<All keys matched successfully>'
    assert net[1].num_batches_tracked.dtype == corten.int64


# ---- saving gives the same bytes as PyTorch ----

@pytest.mark.parametrize('name', ['nested', 'types', 'state'])
def test_same_bytes(name, tmp_path):
    path = tmp_path / f'{name}.pt'
    corten.save(corten.load(FILES / f'{name}.pt', weights_only=False), path)
    assert path.read_bytes() == (FILES / f'{name}.pt').read_bytes()


def test_same_legacy_bytes(tmp_path):
    corten.save(corten.load(FILES / 'legacy.pt'), tmp_path / 'x.pt', _use_new_zipfile_serialization=False)
    theirs, ours = (FILES / 'legacy.pt').read_bytes(), (tmp_path / 'x.pt').read_bytes()
    assert ours[:137] == theirs[:137] and ours[-32:] == theirs[-32:]  # in between are keys, which PyTorch takes from addresses
    assert corten.load(tmp_path / 'x.pt')['y'].tolist() == [[0, 3], [1, 4], [2, 5]]


# ---- round trips ----

class Own:
    def __init__(self, x):
        self.x = x


def double(x):
    return 2 * x


def test_own_classes(tmp_path):
    path = tmp_path / 'own.pt'
    corten.save([Own(corten.ones(2)), double], path)
    with pytest.raises(pickle.UnpicklingError, match='Unsupported global: GLOBAL .*Own was not an allowed global by default'):
        corten.load(path)
    got, function = corten.load(path, weights_only=False)
    assert got.x.tolist() == [1, 1] and function is double
    assert sorted(serialization.get_unsafe_globals_in_checkpoint(path)) == sorted(f'{__name__}.{n}' for n in ('Own', 'double'))
    with serialization.safe_globals([Own, double]):
        assert serialization.get_unsafe_globals_in_checkpoint(path) == []
        assert corten.load(path)[0].x.tolist() == [1, 1]
    with pytest.raises(pickle.UnpicklingError):
        corten.load(path)
    serialization.add_safe_globals([(Own, f'{__name__}.Own'), double])
    assert len(serialization.get_safe_globals()) == 2 and isinstance(corten.load(path)[0], Own)
    serialization.clear_safe_globals()
    assert serialization.get_safe_globals() == []


def test_no_code_runs(tmp_path):
    class Evil:
        def __reduce__(self):
            return os.system, (f'touch {tmp_path}/ran',)
    data = pickle.dumps(Evil(), protocol=2)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, 'w') as archive:
        archive.writestr('a/data.pkl', data)
    for source in (buffer.getvalue(), pickle.dumps(serialization.MAGIC_NUMBER, 2) + data):
        with pytest.raises((pickle.UnpicklingError, RuntimeError)):
            corten.load(io.BytesIO(source))
    assert not (tmp_path / 'ran').exists()


def test_containers_that_hold_themselves():
    x = [corten.ones(1)]
    x.append(x)
    got = back(x)
    assert got[1] is got
    pair = ([], 1)
    pair[0].append(pair)
    got = back(pair)
    assert got[0][0] is got or got[0][0][0] is got[0]


def test_shared_after_loading():
    x = corten.arange(4.)
    a, b, c = back([x, x, x[1:3]])
    assert a is b
    a[1] = 7
    assert c[0] == 7


def test_protocols():
    for protocol in (2, 3, 4, 5):
        with pytest.warns(UserWarning) if protocol != 2 else _nothing():
            got = corten.load(io.BytesIO(saved({'a': corten.ones(2), 'b': b'x', 'c': {1, 2}}, pickle_protocol=protocol)))
        assert got['a'].tolist() == [1, 1] and got['b'] == b'x' and got['c'] == {1, 2}


class _nothing:
    def __enter__(self):
        pass

    def __exit__(self, *error):
        pass


def test_map_location():
    data = saved([corten.ones(2)])
    seen = []

    def place(storage, location):
        seen.append((type(storage), location))
        return storage
    assert corten.load(io.BytesIO(data), map_location=place)[0].tolist() == [1, 1]
    assert seen == [(corten.UntypedStorage, 'cpu')]
    assert corten.load(io.BytesIO(data), map_location='meta')[0].device.type == 'meta'
    for where in ('cpu', corten.device('cpu'), {'cpu': 'cpu'}, {}, lambda s, l: None):
        assert corten.load(io.BytesIO(data), map_location=where)[0].tolist() == [1, 1]
    with pytest.raises(RuntimeError, match="don't know how to restore data location"):
        corten.load(io.BytesIO(data), map_location='nowhere')


def test_mmap_leaves_the_file(tmp_path):
    path = tmp_path / 'x.pt'
    corten.save(corten.zeros(3), path)
    before = path.read_bytes()
    x = corten.load(path, mmap=True)
    x += 1
    assert x.tolist() == [1, 1, 1] and path.read_bytes() == before
    with pytest.raises(ValueError, match='f must be a file path'):
        corten.load(io.BytesIO(before), mmap=True)


def test_shared_mmap_writes_the_file(tmp_path):
    path = tmp_path / 'x.pt'
    corten.save({'x': corten.zeros(3), 'y': corten.ones(2)}, path)
    with serialization.set_default_mmap_options(mmap.MAP_SHARED):
        x = corten.load(path, mmap=True)['x']
        x[1] = 7
        assert corten.load(path)['x'].tolist() == [0, 7, 0]  # read instead of memory-mapped
        private = corten.load(path)['x']
        private[0] = 9
    assert corten.load(path, mmap=True)['x'].tolist() == [0, 7, 0] and corten.load(path)['y'].tolist() == [1, 1]
    path.chmod(0o444)
    if not os.access(path, os.W_OK):
        with serialization.set_default_mmap_options(mmap.MAP_SHARED), pytest.raises(PermissionError):
            corten.load(path, mmap=True)
        assert corten.load(path, mmap=True)['x'].tolist() == [0, 7, 0]


# ---- other picklers ----

class Lambdas:
    """A module for pickle_module= that writes every function as its code, as dill and cloudpickle do."""
    used = []

    def __init__(self, base):
        module = self

        class Pickler(base):
            def __init__(self, *args, **options):
                super().__init__(*args, **options)
                module.used.append(options)

            def reducer_override(self, obj):
                if getattr(obj, '__name__', '') == '<lambda>':
                    return make_function, (marshal.dumps(obj.__code__),)
                return NotImplemented
        self.Pickler, self.Unpickler = Pickler, pickle.Unpickler


def make_function(code):
    return type(make_function)(marshal.loads(code), {})


class Mine(corten.Tensor):
    pass


class Counted(corten.Tensor):
    def __reduce_ex__(self, protocol):
        return counted, (self.sum().item(),)


def counted(total):
    return corten.full((2,), total).as_subclass(Counted)


@pytest.mark.parametrize('base', [pickle.Pickler, pickle._Pickler])
@pytest.mark.parametrize('protocol', [2, 3, 4, 5])
@pytest.mark.parametrize('zipped', [True, False])
def test_pickle_module(base, protocol, zipped):
    module = Lambdas(base)
    Lambdas.used.clear()
    x = corten.arange(6.).view(2, 3)
    parameter = corten.nn.Parameter(corten.ones(2))
    parameter.note = 'mine'
    obj = {'x': x, 't': x.t(), 'p': parameter, 'twice': lambda v: v * 2, 'z': corten.tensor([1 + 2j]).conj(),
           'n': (corten.tensor([0j, 1j, 2j]).conj().imag), 'meta': corten.empty(3, device='meta'),
           'size': corten.Size([1, 2]), 'dtype': corten.bfloat16, 'device': corten.device('cuda', 1),
           'mine': corten.ones(1).as_subclass(Mine), 'text': 'corten._utils', 'u16': corten.tensor([1, 2], dtype=corten.uint16),
           'odd': corten.ones(3).as_subclass(Counted)}
    data = saved(obj, pickle_module=module, pickle_protocol=protocol, _use_new_zipfile_serialization=zipped)
    assert Lambdas.used == [{'protocol': protocol}]
    got = corten.load(io.BytesIO(data), pickle_module=module, weights_only=False)
    assert got['x'].equal(x) and got['t'].equal(x.t()) and got['t'].stride() == (1, 3)
    assert got['t'].untyped_storage().data_ptr() == got['x'].untyped_storage().data_ptr()
    assert type(got['p']) is corten.nn.Parameter and got['p'].note == 'mine' and got['p'].requires_grad
    assert got['twice'](4) == 8 and got['z'].is_conj() and got['z'].tolist() == [1 - 2j] and got['n'].tolist() == [0, -1, -2]
    assert got['meta'].device.type == 'meta' and got['meta'].shape == (3,)
    assert type(got['size']) is corten.Size and got['size'] == (1, 2) and got['dtype'] is corten.bfloat16
    assert got['device'] == corten.device('cuda', 1) and type(got['mine']) is Mine and got['text'] == 'corten._utils'
    assert got['u16'].dtype == corten.uint16 and got['u16'].tolist() == [1, 2]
    assert type(got['odd']) is Counted and got['odd'].tolist() == [3, 3]
    names = list(re.findall(rb'c([\w.]+)\n', data))
    assert b'torch._utils' in names and b'corten._utils' not in names  # the names that PyTorch can import
    plain = {k: v for k, v in obj.items() if k in ('x', 't', 'p', 'z', 'size', 'dtype')}
    data = saved(plain, pickle_module=module, pickle_protocol=protocol, _use_new_zipfile_serialization=zipped)
    assert corten.load(io.BytesIO(data))['t'].equal(x.t())  # weights_only


def test_types_that_share_bytes():
    x = corten.ones(2)
    for module in (pickle, Lambdas(pickle.Pickler)):
        with pytest.raises(RuntimeError, match='Cannot save multiple tensors or storages that view the same data as different'):
            saved([x, x.view(corten.int32)], pickle_module=module)


def test_the_subclass_says_how_it_is_saved():
    got = corten.load(io.BytesIO(saved([corten.ones(3).as_subclass(Counted)])), weights_only=False)[0]
    assert type(got) is Counted and got.tolist() == [3, 3]
    lazy = corten.nn.LazyLinear(2)
    again = corten.load(io.BytesIO(saved(lazy.weight)), weights_only=False)
    assert type(again) is corten.nn.UninitializedParameter and again.requires_grad


def by_python2(data):
    """A protocol 2 pickle as Python 2 wrote it, with byte strings for text."""
    ops = list(pickletools.genops(data))
    ends = [at for _, _, at in ops[1:]] + [len(data)]
    return b''.join(b'U' + struct.pack('<B', len(value.encode())) + value.encode() if op.name == 'BINUNICODE' else data[at:end]
                    for (op, value, at), end in zip(ops, ends))


@pytest.mark.parametrize('weights_only', [True, False])
@pytest.mark.filterwarnings('ignore:pickle_load_args only works')
def test_files_of_python2(weights_only):
    file = io.BytesIO(saved([corten.arange(3.), 2, 'caf\u00e9'], _use_new_zipfile_serialization=False))
    parts = []
    for _ in range(5):
        start = file.tell()
        for _ in pickletools.genops(file):
            pass
        parts.append(by_python2(file.getvalue()[start:file.tell()]))
    old = b''.join(parts) + file.read()
    for encoding, text in (('bytes', 'caf\u00e9'.encode()), ('latin1', 'caf\u00c3\u00a9'), ('utf-8', 'caf\u00e9')):
        got = corten.load(io.BytesIO(old), encoding=encoding, weights_only=weights_only)
        assert got[0].tolist() == [0, 1, 2] and got[1:] == [2, text], (encoding, got)


def test_several_objects_in_a_legacy_file():
    buffer = io.BytesIO()
    for i in range(3):
        corten.save(corten.full((2,), i), buffer, _use_new_zipfile_serialization=False)
    buffer.seek(0)
    assert [corten.load(buffer)[0].item() for _ in range(3)] == [0, 1, 2]


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match='No such file'):
        corten.load(tmp_path / 'no.pt')
    with pytest.raises(RuntimeError, match='Parent directory .* does not exist'):
        corten.save(1, tmp_path / 'no' / 'x.pt')
    with pytest.raises(AttributeError, match="'write' attribute"):
        corten.save(1, 3)
    with pytest.raises(AttributeError, match='seekable'):
        corten.load(3)
    with pytest.raises(EOFError):
        corten.load(io.BytesIO(b''))


def test_a_failed_save_leaves_the_old_file(tmp_path):
    path = tmp_path / 'x.pt'
    corten.save(1, path)
    with pytest.raises(Exception):  # noqa: B017
        corten.save([lambda: 0], path)
    assert corten.load(path) == 1 and os.listdir(tmp_path) == ['x.pt']
    os.chmod(path, 0o640)
    corten.save(2, path)
    assert corten.load(path) == 2 and path.stat().st_mode & 0o777 == 0o640


def test_writing_fails_as_the_file_says():
    class Full:
        def write(self, data):
            raise OSError(28, 'No space left on device')
    with pytest.raises(OSError, match='No space left'):
        corten.save(corten.ones(3), Full())


# ---- damaged files give an error, never a crash or unbounded memory use ----

def damaged(data, load=corten.load):
    try:
        load(io.BytesIO(data))
    except (RuntimeError, pickle.UnpicklingError, EOFError, ValueError, TypeError, KeyError, AttributeError, IndexError,
            OverflowError, UnicodeDecodeError, RecursionError, AssertionError, MemoryError):
        pass


def small(legacy):
    return saved({'w': corten.arange(5.), 'n': [1, 'x', (2.5, None)], 'o': collections.OrderedDict(a=1)},
                 _use_new_zipfile_serialization=not legacy)


@pytest.mark.parametrize('legacy', [False, True])
def test_every_prefix(legacy):
    data = small(legacy)
    for n in range(0, len(data), 1 if legacy else 3):
        damaged(data[:n])


@pytest.mark.parametrize('legacy', [False, True])
def test_random_flips(legacy):
    data, rng = small(legacy), random.Random(0)
    for _ in range(1500):
        broken = bytearray(data)
        for _ in range(rng.randint(1, 4)):
            broken[rng.randrange(len(data))] = rng.choice((0, 1, 127, 128, 255, rng.randrange(256)))
        damaged(bytes(broken))


def test_hostile_pickles():
    refuse = {
        b'\x80\x02}q\x00r\xff\xff\xff\x7f.': 'memo far away',
        b'\x80\x02X\xff\xff\xff\xff.': 'text that is not there',
        b'\x80\x02(((((((.': 'marks alone',
        b'h\x05.': 'memo that was never set',
        b'c__builtin__\neval\n(X\x03\x00\x00\x001+1tR.': 'eval',
        b'cos\nsystem\n(X\x02\x00\x00\x00lstR.': 'os.system',
        b'\x80\x02' + b'(' * 100000 + b'.': 'many marks',
        b'\x80\x02' + b']' * 5000 + b'a' * 4999 + b'.': 'deep lists',
        b'\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\x7f.': 'a frame',
        b'\x8a\xff.': 'a long number', b'P\n.': 'an id', b'.': 'nothing', b'': 'not even that', b'I1\n': 'no end',
    }
    for data in refuse:
        with pytest.raises((pickle.UnpicklingError, RecursionError, TypeError)):
            corten._C._unpickle(data, serialization._safe_pickle.find, int, int, 'utf-8')


def test_bytes_of_no_number():
    """A file of 30 bytes that asks for bytearray(10**12) must not exhaust memory."""
    with pytest.raises(pickle.UnpicklingError):
        corten._C._unpickle(b'\x80\x02c__builtin__\nbytearray\n\x8a\x06\x00\x10\xa5\xd4\xe8\x00\x85R.',
                            serialization._safe_pickle.find, int, int, 'utf-8')


def test_records_that_claim_too_much():
    data = bytearray(small(False))
    at = data.rindex(b'PK\x01\x02')
    for field in (20, 24, 42):
        broken = bytearray(data)
        broken[at + field:at + field + 4] = b'\xf0\xff\xff\xff'
        with pytest.raises(RuntimeError, match='PytorchStreamReader failed'):
            corten.load(io.BytesIO(bytes(broken)))
    name = data.index(b'data/0')
    broken = bytearray(data)
    start = data.index(corten.arange(5.).numpy().tobytes(), name)
    broken[start + 5] ^= 1
    with pytest.raises(RuntimeError, match='CRC-32 check failed'):
        corten.load(io.BytesIO(bytes(broken)))


def test_tensors_that_reach_outside():
    from corten import _utils
    storage = corten.storage.TypedStorage(4, dtype=corten.float32, _internal=True)
    for offset, size, stride in ((0, (5,), (1,)), (-1, (2,), (1,)), (0, (2, 2), (4, 1)), (0, (2**62, 2**62), (1, 1)), (5, (0,), (1,))):
        try:
            t = _utils._rebuild_tensor_v2(storage, offset, size, stride, False, None)
        except RuntimeError:
            continue
        assert t.numel() == 0


# ---- a crash while saving ----

def test_kill_during_save(tmp_path):
    path = tmp_path / 'x.pt'
    code = f"""
import corten, sys
x = corten.zeros(300000)
for i in range(10**6):
    x.fill_(i)
    corten.save({{'x': x, 'i': i}}, {str(path)!r})
    if i == 0:
        print('go', flush=True)
"""
    for attempt in range(6):
        process = subprocess.Popen([sys.executable, '-c', code], stdout=subprocess.PIPE)
        assert process.stdout.readline() == b'go\n'
        time.sleep(0.01 + 0.013 * attempt)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        got = corten.load(path)
        assert (got['x'] == got['i']).all()
