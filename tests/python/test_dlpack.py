# SPDX-License-Identifier: BSD-3-Clause
"""DLPack both ways: capsules, versions, who gives memory back."""
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
