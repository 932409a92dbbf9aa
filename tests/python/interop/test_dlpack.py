# SPDX-License-Identifier: BSD-3-Clause
"""DLPack export and import: capsules, versions, and release of the memory."""
import ctypes
import gc
import weakref

import numpy as np
import pytest

import corten
from corten.utils.dlpack import DLDeviceType, from_dlpack, to_dlpack

TYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16", "float32",
         "float64", "complex64", "complex128"]


def refused(call, kind, text):
    with pytest.raises(kind) as error:
        call()
    assert str(error.value) == text


def name_of(capsule):
    return repr(capsule).split('"')[1]


@pytest.mark.parametrize("name", TYPES)
def test_numpy_both_ways(name):
    t = corten.tensor([[0, 1, 2], [3, 4, 5]]).to(getattr(corten, name))
    a = np.from_dlpack(t)
    assert a.dtype.name == name and a.ctypes.data == t.data_ptr() and a.tolist() == t.tolist()
    b = corten.from_dlpack(np.arange(3).astype(name))
    assert b.dtype is t.dtype and b.tolist() == np.arange(3).astype(name).tolist()


@pytest.mark.parametrize("version, name", [(None, "dltensor"), ((0, 8), "dltensor"), ((1, 0), "dltensor_versioned"),
                                           ((9, 9), "dltensor_versioned")])
def test_capsules(version, name):
    t = corten.arange(3, dtype=corten.bfloat16)
    capsule = t.__dlpack__(max_version=version)
    assert name_of(capsule) == name
    back = corten.from_dlpack(capsule)
    assert name_of(capsule) == "used_" + name
    assert back.dtype is corten.bfloat16 and back.data_ptr() == t.data_ptr()
    refused(lambda: corten.from_dlpack(capsule), RuntimeError,
            "from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only once, so you "
            "might have already constructed a tensor from it once.")


@pytest.mark.parametrize("view", [lambda t: t.t(), lambda t: t[::2, 1], lambda t: t[:, ::-1], lambda t: t[2:2],
                                  lambda t: t[0, 0], lambda t: t[0].expand(4, 3)])
def test_views(view):
    t = view(corten.arange(9).view(3, 3))
    back = corten.from_dlpack(t)
    assert back.tolist() == t.tolist() and back.shape == t.shape
    if t.numel():
        assert back.stride() == t.stride() and back.data_ptr() == t.data_ptr()


def test_old_functions():
    t = corten.arange(3.)
    assert from_dlpack(to_dlpack(t)).data_ptr() == t.data_ptr()
    assert t.__dlpack_device__() == (DLDeviceType.kDLCPU, 0)


def test_copies():
    t = corten.arange(3.)
    assert corten.from_dlpack(t, copy=True).data_ptr() != t.data_ptr()
    assert corten.from_dlpack(t, copy=False).data_ptr() == t.data_ptr()
    assert corten.from_dlpack(t.__dlpack__(copy=True)).data_ptr() != t.data_ptr()
    assert corten.from_dlpack(t, device="cpu").data_ptr() == t.data_ptr()
    assert corten.from_dlpack(t.__dlpack__(dl_device=(1, 0))).data_ptr() == t.data_ptr()


def test_lifetimes():
    t = corten.arange(1000.)
    where = t.data_ptr()
    a, capsule = np.from_dlpack(t), t.__dlpack__()
    t.set_(corten.zeros(1))
    del t
    junk = [corten.zeros(1000) for _ in range(10)]
    assert a[999] == 999
    back = corten.from_dlpack(capsule)
    del a, capsule, junk
    assert back.data_ptr() == where and back[999] == 999
    source = np.arange(10.)
    gone = weakref.ref(source)
    t = corten.from_dlpack(source)[2:]
    del source
    assert gone() is not None and t[0] == 2
    del t
    gc.collect()
    assert gone() is None


def test_capsules_that_nobody_takes():
    t = corten.zeros(10)
    for version in (None, (1, 0)):
        for _ in range(50):
            t.__dlpack__(max_version=version)


def test_refusals():
    t = corten.ones(2)
    refused(lambda: t.__dlpack__(stream=1), AssertionError, "stream should be None on cpu.")
    refused(lambda: t.__dlpack__(stream="a"), TypeError, "stream must be ``int`` or ``none``")
    refused(lambda: corten.ones(2, requires_grad=True).__dlpack__(), BufferError,
            "Can't export tensors that require gradient, use tensor.detach()")
    refused(lambda: corten.tensor([1j]).conj().__dlpack__(), BufferError,
            "Can't export tensors with the conjugate bit set")
    refused(lambda: corten.empty(2, device="meta").__dlpack__(), BufferError, "Cannot pack tensors on meta")
    refused(lambda: t.__dlpack__(dl_device=(2, 0)), RuntimeError,
            "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver "
            "from http://www.nvidia.com/Download/index.aspx")
    with pytest.raises(BufferError):
        t.__dlpack__(dl_device=(7, 0))
    for bad in (3, None, object()):
        with pytest.raises(RuntimeError):
            corten.from_dlpack(bad)


def test_producers_from_before_versions():
    class Old:
        def __dlpack__(self, stream=None):
            return corten.arange(3).__dlpack__()

        def __dlpack_device__(self):
            return 1, 0
    assert corten.from_dlpack(Old()).tolist() == [0, 1, 2]


def test_producer_that_raises():
    class Bad:
        def __dlpack__(self, **options):
            raise BufferError("not today")
    refused(lambda: corten.from_dlpack(Bad()), BufferError, "not today")


# ---- the table of C functions ----

class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


SET_ERROR = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)


class Exchange(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("older", ctypes.c_void_p),
        ("allocate", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.POINTER(DLTensor), ctypes.POINTER(ctypes.c_void_p),
                                       ctypes.c_void_p, SET_ERROR)),
        ("from_object", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))),
        ("to_object", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.py_object))),
        ("borrow", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(DLTensor))),
        ("current_stream", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))),
    ]


def exchange():
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return Exchange.from_address(pointer(corten.Tensor.__dlpack_c_exchange_api__, b"dlpack_exchange_api"))


def test_exchange_round_trip():
    api, x = exchange(), corten.arange(6.).view(2, 3).t()
    assert (api.major, api.minor, api.older) == (1, 3, None)
    managed, back = ctypes.c_void_p(), ctypes.py_object()
    assert api.from_object(x, managed) == 0 and api.to_object(managed, back) == 0
    y = back.value
    y[0, 0] = 7
    assert x[0, 0] == 7 and y.data_ptr() == x.data_ptr() and y.stride() == x.stride()
    with pytest.raises(TypeError):
        api.from_object(3, managed)
    with pytest.raises(BufferError):
        api.from_object(corten.ones(2, requires_grad=True), managed)


def test_exchange_borrows():
    api, x, t, stream = exchange(), corten.ones(2, 3, dtype=corten.int16), DLTensor(), ctypes.c_void_p(1)
    assert api.borrow(x, t) == 0 and t.data == x.data_ptr() and t.shape[:2] == [2, 3] and t.strides[:2] == [3, 1]
    assert (t.device_type, t.ndim, t.code, t.bits, t.lanes, t.byte_offset) == (1, 2, 0, 16, 1, 0)
    assert api.current_stream(1, 0, stream) == 0 and stream.value is None


def test_exchange_allocates():
    api, said = exchange(), []
    fail = SET_ERROR(lambda context, kind, text: said.append((kind, text)))
    shape = (ctypes.c_int64 * 2)(3, 4)
    like = DLTensor(None, 1, 0, 2, 2, 64, 1, shape, None, 0)
    managed, back = ctypes.c_void_p(), ctypes.py_object()
    assert api.allocate(like, managed, None, fail) == 0 and api.to_object(managed, back) == 0
    assert back.value.shape == (3, 4) and back.value.dtype == corten.float64 and not said
    like.bits = 4
    assert api.allocate(like, managed, None, fail) == -1 and said[0][0] == b"BufferError"
    like.bits, shape[0] = 64, -1
    assert api.allocate(like, managed, None, fail) == -1 and said[1][0] == b"RuntimeError"
