# SPDX-License-Identifier: BSD-3-Clause
"""Storages, as in PyTorch 2.15: bytes, typed elements, old names, and tensors that use a given storage."""
import os
import subprocess
import sys
import weakref

import pytest

import corten


@pytest.fixture(autouse=True)
def ignore_deprecation(recwarn):
    """Captures the deprecation warning of TypedStorage, which is given once, in whichever test comes first."""


def refused(call, kind, text):
    with pytest.raises(kind) as error:
        call()
    assert str(error.value) == text


# ---- identity and memory ----

def test_one_object_for_one_storage():
    x = corten.arange(6.).view(2, 3)
    assert x.untyped_storage() is x.untyped_storage() is x[1].untyped_storage()
    assert x.untyped_storage() != x.clone().untyped_storage()
    assert x.storage() is not x.storage() and x.storage().untyped() is x.untyped_storage()
    assert x.storage()._cdata == x.untyped_storage()._cdata != corten.ones(1).untyped_storage()._cdata
    assert x[1].untyped_storage().data_ptr() == x.data_ptr()
    gone = weakref.ref(x.untyped_storage())
    assert gone() is None
    s = x.untyped_storage()
    s.note = "kept"
    del x
    assert s.size() == 24 and s.note == "kept"


def test_storage_keeps_memory():
    s = corten.arange(5).storage()
    junk = [corten.zeros(5, dtype=corten.int64) for _ in range(10)]
    assert s.tolist() == [0, 1, 2, 3, 4]
    del junk


def test_bytes():
    s = corten.UntypedStorage([1, 2, 300])
    assert s.tolist() == [1, 2, 44] == list(s) and len(s) == s.size() == s.nbytes() == 3
    assert s[0] == 1 and s[-1] == 44
    s[1] = 258
    assert s[1] == 2
    part = s[1:]
    part[0] = 9
    assert s[1] == 9 and part.data_ptr() == s.data_ptr() + 1
    assert not s.resizable()  # a slice of the storage needs its address
    del part
    s[:] = 7
    assert s.tolist() == [7, 7, 7]
    assert s.fill_(-1) is s and s[0] == 255
    assert s.element_size() == 1 and s.device == corten.device("cpu") and s.resizable()
    assert not (s.is_cuda or s.is_shared() or s.is_pinned())
    assert s.clone() is not s and s.clone().tolist() == s.tolist()
    assert s.copy_(corten.UntypedStorage([4, 5, 6])).tolist() == [4, 5, 6]
    assert s.resize_(2).tolist() == [4, 5] and s.resize_(1000).size() == 1000 and s[:2].tolist() == [4, 5]
    assert s.float().dtype is corten.float32 and s.new().size() == 0
    assert bytes(s[:2]) == b"\x04\x05"
    assert corten.UntypedStorage().size() == 0 and corten.UntypedStorage(3, device="cpu").size() == 3


@pytest.mark.parametrize("call, kind, text", [
    (lambda s: s[3], IndexError, "index 3 out of range for storage of size 3"),
    (lambda s: s[-4], IndexError, "index -4 out of range for storage of size 3"),
    (lambda s: s["a"], TypeError, "can't index a torch.UntypedStorage with str"),
    (lambda s: s[::2], RuntimeError, "Trying to slice with a step of 2, but only a step of 1 is supported"),
    (lambda s: s.__setitem__(0, 1.5), RuntimeError, "can only set storage content with a int types, but got float "
                                                    "instead"),
    (lambda s: s.fill_("a"), RuntimeError, "fill_ expects int, but got str"),
    (lambda s: s.resize_("a"), RuntimeError, "resize_ expects an int, but got str"),
    (lambda s: s.copy_(corten.UntypedStorage(5)), RuntimeError, "size does not match, self was 3 bytes but src was 5 "
                                                                "bytes"),
    (lambda s: corten.UntypedStorage([1.5]), RuntimeError, "torch.UntypedStorage(): tried to construct a storage from "
                                                           "a sequence (list), but one of the items was of type float "
                                                           "instead of int"),
    (lambda s: corten.UntypedStorage(1.5), RuntimeError, "torch.UntypedStorage(): Expected a sequence type, but got "
                                                         "float"),
    (lambda s: corten.UntypedStorage(-1), RuntimeError, "[enforce fail at alloc_cpu.cpp:98] ((ptrdiff_t)nbytes) >= 0. "
                                                        "alloc_cpu() seems to have been called with negative number: "
                                                        "18446744073709551615"),
    (lambda s: corten.UntypedStorage(2, 3), TypeError,
     "torch.UntypedStorage() received an invalid combination of arguments - got (int, int), but expected one of:\n"
     " * (*, int allocator = None, torch.device device = None)\n"
     " * (int size, *, int allocator = None, torch.device device = None)\n"
     " * (object sequence, *, int allocator = None, torch.device device = None)\n"),
])
def test_bytes_refuse(call, kind, text):
    refused(lambda: call(corten.UntypedStorage(3)), kind, text)


# ---- typed ----

def test_elements():
    x = corten.arange(6.).view(2, 3)
    s = x.storage()
    assert (s[0], s[-1], len(s), s.size(), s.nbytes(), s.element_size()) == (0.0, 5.0, 6, 6, 24, 4)
    assert type(s[0]) is float and s.dtype is corten.float32 and s.data_ptr() == x.data_ptr()
    s[0], s[-1] = 5, 7.5
    assert x[0, 0] == 5 and x[1, 2] == 7.5
    s[1:3] = 2
    assert s.tolist() == [5, 2, 2, 3, 4, 7.5] == list(s) and 7.5 in s and 8 not in s
    assert s.fill_(1) is s and x.sum() == 6
    assert s.double().dtype is corten.float64 and s.int().tolist() == [1] * 6
    assert s.type() == "torch.FloatStorage" and s.type("torch.DoubleStorage").dtype is corten.float64
    assert s.pickle_storage_type() == "FloatStorage"
    assert s.clone().data_ptr() != s.data_ptr()
    s = corten.FloatStorage([1, 2])
    assert s.resize_(4) is None and len(s) == 4 and s.tolist()[:2] == [1, 2]
    assert s.copy_(corten.FloatStorage([4, 3, 2, 1])).tolist() == [4, 3, 2, 1]


@pytest.mark.parametrize("name, dtype", [("Double", "float64"), ("Float", "float32"), ("Half", "float16"),
                                         ("BFloat16", "bfloat16"), ("Long", "int64"), ("Int", "int32"),
                                         ("Short", "int16"), ("Char", "int8"), ("Byte", "uint8"), ("Bool", "bool"),
                                         ("ComplexFloat", "complex64"), ("ComplexDouble", "complex128")])
def test_old_names(name, dtype):
    kind, dtype = getattr(corten, name + "Storage"), getattr(corten, dtype)
    s = kind([1, 0])
    assert s.dtype is dtype and s.tolist() == [1, 0] and isinstance(s, kind) and len(kind(3)) == 3 and len(kind()) == 0
    assert isinstance(corten.zeros(2, dtype=dtype).storage(), kind)
    assert not isinstance(s, corten.IntStorage if name != "Int" else corten.LongStorage)
    lines = str(s).split("\n")
    assert lines[-1] == f"[torch.storage.TypedStorage(dtype={dtype}, device=cpu) of size 2]"
    assert lines[:-1] == [f" {v}" for v in s.tolist()]
    assert repr(kind) == f"<class 'torch.{name}Storage'>"


@pytest.mark.parametrize("call, kind, text", [
    (lambda s: s[6], IndexError, "index 6 out of range for storage of size 6"),
    (lambda s: s[1:3], RuntimeError, "slices are only supported in UntypedStorage.__getitem__"),
    (lambda s: s["a"], RuntimeError, "can't index a <class 'torch.storage.TypedStorage'> with <class 'str'>"),
    (lambda s: s.__setitem__(9, 5), IndexError, "index 9 is out of bounds for dimension 0 with size 6"),
    (lambda s: s.__setitem__(0, "x"), TypeError, "can't assign a str to a torch.FloatTensor"),
    (lambda s: s.copy_(corten.FloatStorage(2)), RuntimeError, "size does not match, self was 24 bytes but src was 8 "
                                                              "bytes"),
    (lambda s: corten.FloatStorage(2, 3), RuntimeError,
     "<class 'torch.FloatStorage'>.__new__ received an invalid combination of arguments. Expected one of:\n"
     " * no arguments\n * (int size)\n * (Sequence data)\n * (*, UntypedStorage wrap_storage)\n"
     "Too many positional arguments"),
    (lambda s: corten.FloatStorage("ab"), TypeError, "new(): invalid data type 'str'"),
    (lambda s: corten.TypedStorage(wrap_storage=corten.UntypedStorage(8)), RuntimeError,
     "TypedStorage.__init__ received an invalid combination of arguments. Expected one of:\n"
     " * (*, torch.device device, torch.dtype dtype)\n * (int size, *, torch.device device, torch.dtype dtype)\n"
     " * (Sequence data, *, torch.device device, torch.dtype dtype)\n"
     " * (*, UntypedStorage wrap_storage, torch.dtype dtype)\nArgument 'dtype' must be specified"),
])
def test_elements_refuse(call, kind, text):
    refused(lambda: call(corten.arange(6.).storage()), kind, text)


def test_typed_constructor():
    assert corten.TypedStorage(3).dtype is corten.float32
    s = corten.TypedStorage(wrap_storage=corten.UntypedStorage(8).fill_(0), dtype=corten.int32)
    assert s.tolist() == [0, 0]
    assert corten.TypedStorage([1, 2], dtype=corten.int64).tolist() == [1, 2]


def test_from_buffer():
    assert corten.UntypedStorage.from_buffer(b"12345678", dtype=corten.int32, byte_order="big").tolist() == [
        52, 51, 50, 49, 56, 55, 54, 53]
    assert corten.ShortStorage.from_buffer(b"\1\0\2\0", "native").tolist() == [1, 2]


def test_deprecation_is_said_once():
    code = "import corten, warnings\nx = corten.ones(1)\nwith warnings.catch_warnings(record=True) as w:\n" \
           "    warnings.simplefilter('always')\n    x.untyped_storage()\n    assert not w\n    x.storage(); x.storage()\n" \
           "print(len(w), w[0].category.__name__, w[0].filename, w[0].message)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == (
        "1 UserWarning <string> TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be "
        "the only storage class. This should only matter to you if you are using storages directly.  To access "
        "UntypedStorage directly, use tensor.untyped_storage() instead of tensor.storage()")


# ---- tensors on storages ----

def test_set():
    n = corten.arange(1., 5.)
    x = corten.tensor(0.)
    assert x.set_(n.storage(), 1, (3, 3), (0, 1)) is x
    assert x.tolist() == [[2, 3, 4]] * 3 and x._version == 1 and n._version == 0
    assert corten.tensor(0.).set_().shape == (0,)
    assert corten.tensor(0.).set_(n.untyped_storage()).tolist() == [1, 2, 3, 4]
    assert corten.tensor(0.).set_(n.untyped_storage(), 0, (2, 2)).tolist() == [[1, 2], [3, 4]]
    assert corten.tensor(0.).set_(n[1:]).is_set_to(n[1:])
    assert corten.tensor(0.).set_(n, 1, (2,), (1,)).tolist() == [2, 3]
    assert corten.tensor(0.).set_(n.storage(), 3, (4,), (-1,)).tolist() == [4, 3, 2, 1]
    assert corten.tensor(0.).set_(source=n.storage(), storage_offset=1, size=(2,), stride=(2,)).tolist() == [2, 4]
    grown = corten.tensor(0.).set_(n.storage(), 0, (9,))
    assert len(n.untyped_storage()) == 36 and grown[:4].tolist() == [1, 2, 3, 4] == n.tolist()
    view = n[:2]
    view.set_(corten.ones(3))
    view += 1
    assert n[0] == 1 and view._base is None


@pytest.mark.parametrize("call, kind, text", [
    (lambda x, n: x.set_(n.storage(), -1, (2,)), RuntimeError, "Tensor: invalid storage offset -1"),
    (lambda x, n: x.set_(n.storage(), 0, (2,), (1, 2)), RuntimeError, "unequal size length (1) and stride length (2)"),
    (lambda x, n: x.set_(n.long()), RuntimeError, "Could not set tensor of type long int to a tensor of type float"),
    (lambda x, n: x.long().set_(n.storage()), RuntimeError, "Expected a Storage of type long int or an UntypedStorage, "
                                                            "but got type Float for argument 1 'storage'"),
    (lambda x, n: corten.ones(1, requires_grad=True).set_(n), RuntimeError,
     "a leaf Variable that requires grad is being used in an in-place operation."),
    (lambda x, n: n.is_set_to(3), TypeError, "is_set_to(): argument 'tensor' (position 1) must be Tensor, not int"),
])
def test_set_refuses(call, kind, text):
    n = corten.arange(1., 5.)
    refused(lambda: call(corten.tensor(0.), n), kind, text)
    assert n.tolist() == [1, 2, 3, 4]


def test_set_of_something_else():
    with pytest.raises(TypeError, match=r"^set_\(\) received an invalid combination of arguments - got \(int\)"):
        corten.tensor(0.).set_(3)


def test_set_does_not_grow_borrowed_memory():
    n = corten.arange(4.)
    n.numpy()
    refused(lambda: corten.tensor(0.).set_(n.storage(), 0, (20,)), RuntimeError,
            "Trying to resize storage that is not resizable")


def test_same_view():
    n = corten.arange(4.)
    assert n.is_set_to(n) and n.is_set_to(n.view(4)) and not n.is_set_to(n[:2]) and not n.is_set_to(n.clone())
    assert corten.is_storage(n.storage()) and corten.is_storage(n.untyped_storage()) and not corten.is_storage(n)


def test_old_constructors():
    n = corten.arange(1., 5.)
    for t in (corten.Tensor(n.storage()), corten.Tensor(n.untyped_storage()), corten.FloatTensor(n.storage()),
              n.new(n.storage())):
        assert t.tolist() == [1, 2, 3, 4] and t.data_ptr() == n.data_ptr()
    refused(lambda: corten.LongTensor(n.storage()), RuntimeError,
            "Expected a Storage of type Long or an UntypedStorage, but got type Float for argument 1 'storage'")
    assert corten.LongTensor([1.5, 2]).tolist() == [1, 2] and corten.LongTensor(2, 3).shape == (2, 3)
    assert corten.ByteTensor([True, 3]).dtype is corten.uint8 and corten.FloatTensor().shape == (0,)
    assert isinstance(n, corten.FloatTensor) and not isinstance(n, corten.LongTensor)
    assert repr(corten.FloatTensor) == "<class 'torch.FloatTensor'>" and corten.FloatTensor.dtype is corten.float32
    assert n.type(corten.DoubleTensor).dtype is corten.float64 and n.new(2, 3).shape == (2, 3)
    with pytest.raises(TypeError, match=r"^expected TensorOptions\(dtype=long int"):
        corten.LongTensor(n)
    assert corten.Tensor(corten.tensor([1, 2])).dtype is corten.int64


def test_no_gpu():
    for call in (lambda: corten.ones(1).cuda(), lambda: corten.zeros(1, device="cuda"),
                 lambda: corten.ones(1).to("cuda:1"), lambda: corten.cuda.current_device(),
                 lambda: corten.cuda.synchronize(), lambda: corten.cuda.FloatTensor(2),
                 lambda: corten.ones(1).storage().cuda(), lambda: corten.ones(1).pin_memory()):
        refused(call, RuntimeError,
                "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a "
                "driver from http://www.nvidia.com/Download/index.aspx")
    assert not corten.cuda.is_available() and corten.cuda.device_count() == 0 and not corten.cuda.is_initialized()
    corten.cuda.manual_seed_all(1)
    corten.cuda.empty_cache()


def test_forked_processes_share_memory():
    for n in (3, 100_000):  # stored next to the storage's header, and in a separate block
        x, view = corten.zeros(n), None
        view = x[1:]
        a = x.numpy()
        assert not x.is_shared() and x.share_memory_() is x
        assert x.is_shared() and view.is_shared() and x.untyped_storage().is_shared() and x.storage().is_shared()
        assert view.data_ptr() == x.data_ptr() + 4 and not x.untyped_storage().resizable()
        a[0] = 5  # `a` still refers to the old memory, which stays valid
        child = os.fork()
        if child == 0:
            view.fill_(7)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        assert x.sum() == 7 * (n - 1) and a[0] == 5
    assert corten.zeros(0).share_memory_().is_shared() and corten.zeros(2).untyped_storage().share_memory_().is_shared()


def test_asarray_takes_storages():
    for storage in (corten.UntypedStorage(0), corten.tensor([1., 2.]).untyped_storage()):
        x = corten.asarray(storage, dtype=corten.uint8)
        assert x.shape == (storage.nbytes(),) and x.untyped_storage().data_ptr() == storage.data_ptr()
    typed = corten.tensor([1., 2.], dtype=corten.float64).storage()
    assert corten.asarray(typed).tolist() == [1, 2] and corten.asarray(typed).dtype == corten.float64
    copy = corten.asarray(typed, copy=True)
    copy[0] = 5
    assert typed[0] == 1
    with pytest.raises(RuntimeError, match='Expected a Storage of type Byte or an UntypedStorage, but got type Double'):
        corten.asarray(typed, dtype=corten.uint8)


def test_storage_from_file(tmp_path):
    path = tmp_path / "numbers"
    corten.arange(4.0).numpy().tofile(path)
    storage = corten.FloatStorage.from_file(str(path), shared=True, size=3)
    assert list(storage) == [0.0, 1.0, 2.0] and len(corten.ByteStorage.from_file(str(path))) == 16
    storage[1] = 7.0
    assert corten.from_file(str(path), size=4).tolist() == [0.0, 7.0, 2.0, 3.0]
    with pytest.raises(RuntimeError, match="from_file can only be called on derived classes"):
        corten.TypedStorage.from_file(str(path))
