# SPDX-License-Identifier: BSD-3-Clause
"""Pickling and copying: values, shared storages, gradients, classes; loading does not need PyTorch."""
import copy
import multiprocessing
import pickle
import pickletools
import subprocess
import sys

import numpy as np
import pytest

import corten

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)
TYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16", "bfloat16",
         "float32", "float64", "complex64", "complex128"]


class Labelled(corten.Tensor):
    pass


def through(x, protocol=pickle.DEFAULT_PROTOCOL):
    return pickle.loads(pickle.dumps(x, protocol=protocol))


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_type(name, protocol):
    x = corten.tensor([[0, 1], [2, 3]]).to(getattr(corten, name))
    y = through(x, protocol)
    assert y.dtype is x.dtype and y.tolist() == x.tolist() and y.data_ptr() != x.data_ptr()
    y.zero_()
    assert x.any()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_views_still_share(protocol):
    x = corten.arange(12.).view(3, 4)
    a, b, c = through([x, x[1], x.t()[::-1]], protocol)
    assert b.tolist() == x[1].tolist() and c.stride() == (-1, 4) and c.tolist() == x.t()[::-1].tolist()
    a[1, 0] = -1
    assert b[0] == -1 and c[3, 1] == -1
    assert a.untyped_storage() is b.untyped_storage() is c.untyped_storage()


def test_gradients_and_marks():
    x = corten.ones(2, requires_grad=True)
    assert through(x).requires_grad and through(x * 2).requires_grad and through(x * 2).is_leaf
    z = corten.tensor([1 + 2j])
    assert through(z.conj()).is_conj() and through(z.conj()).tolist() == [1 - 2j]
    assert through(z.conj().imag).tolist() == [-2]
    assert through(corten.empty(2, 3, device="meta")).device.type == "meta"
    assert through(corten.zeros(0, 3)).shape == (0, 3) and through(corten.tensor(5)).item() == 5


def test_attributes_and_classes():
    x = corten.ones(2)
    x.note = ["a"]
    assert through(x).note == ["a"]
    s = corten.ones(2).as_subclass(Labelled)
    s.label = "b"
    y = through(s)
    assert type(y) is Labelled and y.label == "b"


def test_small_types():
    for o in (corten.float32, corten.Size([1, 2]), corten.device("cpu"), corten.device("cuda", 1), corten.strided,
              corten.channels_last):
        for copied in (through(o), copy.copy(o), copy.deepcopy(o)):
            assert copied == o and type(copied) is type(o)
    assert through(corten.float32) is corten.float32


def test_out_of_band():
    x = corten.arange(1000.)
    buffers = []
    data = pickle.dumps([x, x[5:]], protocol=5, buffer_callback=buffers.append)
    assert len(data) < 500 and len(buffers) == 1 and len(buffers[0].raw()) == 4000
    a, b = pickle.loads(data, buffers=buffers)
    assert a.data_ptr() == x.data_ptr() and b[0] == 5  # no copy was made
    frozen = [bytes(b.raw()) for b in buffers]
    a, b = pickle.loads(data, buffers=frozen)
    a[5] = -1
    assert b[0] == -1 and frozen[0] == x.numpy().tobytes()  # read-only bytes are copied, not written
    own = bytearray(buffers[0].raw())
    del buffers
    a, b = pickle.loads(data, buffers=[np.frombuffer(own, "u1")])
    a[0] = 1
    assert a.tolist()[1:] == x.tolist()[1:]


def test_storages():
    x = corten.arange(3.)
    for protocol in PROTOCOLS:
        s, y = through([x.untyped_storage(), x], protocol)
        assert s is y.untyped_storage() and s.tolist() == x.untyped_storage().tolist()
    t = through(corten.DoubleStorage([1, 2]))
    assert t.dtype is corten.float64 and t.tolist() == [1, 2]


def test_pickles_name_corten():
    data = pickle.dumps([corten.ones(2), corten.Size([1]), corten.float16, corten.device("cpu"),
                         corten.IntStorage([1]), corten.ones(1).untyped_storage()], protocol=2)
    names = [arg for op, arg, _ in pickletools.genops(data) if op.name == "GLOBAL"]
    assert names and {n.split(".")[0].split()[0] for n in names} == {"corten", "_codecs"}
    code = f"import pickle, sys; x = pickle.loads({data!r})[0]; print(x, 'torch' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "tensor([1., 1.]) False"


def test_pickles_under_the_name_torch():
    code = "import corten; corten.install_as_torch()\nimport torch, pickle, sys\n" \
           "sys.stdout.buffer.write(pickle.dumps([torch.ones(2), torch.Size([1]), torch.float16]))"
    data = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    x, size, dtype = pickle.loads(data)
    assert x.tolist() == [1, 1] and size == (1,) and dtype is corten.float16


def test_damaged_pickles():
    function, args = corten.ones(2).__reduce_ex__(2)[:2]
    for i, bad in [(1, "float32"), (2, 5), (3, (3,)), (4, (1, 1)), (4, (1 << 62,)), (7, int), (3, (-1,))]:
        with pytest.raises((TypeError, RuntimeError)):
            function(*args[:i], bad, *args[i + 1:])


def _double(x):
    return x * 2


def test_other_processes():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_double, (corten.arange(3),)).tolist() == [0, 2, 4]


# ---- copies ----

def test_copy_shares_memory():
    x = corten.ones(2, requires_grad=True)
    x.note = []
    y = copy.copy(x)
    assert y is not x and y.data_ptr() == x.data_ptr() and y.requires_grad and y.is_leaf and y.note is x.note
    assert copy.copy(x * 2).is_leaf


def test_deepcopy():
    x = corten.arange(6.).view(2, 3)
    a, b, c = copy.deepcopy([x, x[0], x])
    assert a is c and a.data_ptr() == b.data_ptr() != x.data_ptr() and len(b.untyped_storage()) == 24
    assert copy.deepcopy(x[:, ::-1]).tolist() == x[:, ::-1].tolist()
    z = corten.tensor([1 + 2j]).conj()
    assert copy.deepcopy(z).tolist() == [1 - 2j] and not copy.deepcopy(z).is_conj()
    memo = {}
    assert copy.deepcopy(x, memo) is copy.deepcopy(x, memo) is memo[id(x)]


def test_deepcopy_of_gradients():
    y = corten.ones(2, requires_grad=True)
    y.grad = corten.full((2,), 3.)
    d = copy.deepcopy(y)
    assert d.requires_grad and d.grad.tolist() == [3, 3] and d.grad is not y.grad
    d.grad.zero_()
    assert y.grad.tolist() == [3, 3]
    with pytest.raises(RuntimeError) as error:
        copy.deepcopy(y * 2)
    assert str(error.value) == (
        "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  If "
        "you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see "
        "https://github.com/pytorch/pytorch/pull/103001")


def test_deepcopy_of_attributes():
    s = corten.ones(2).as_subclass(Labelled)
    s.label, s.me = [1], s
    d = copy.deepcopy(s)
    assert type(d) is Labelled and d.label == [1] and d.label is not s.label and d.me is d
    s.me = None
