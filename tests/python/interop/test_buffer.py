# SPDX-License-Identifier: BSD-3-Clause
"""The buffer protocol: memoryview(tensor), and tensors that share the buffer of another object."""
import array
import hashlib
import struct
import subprocess
import sys

import numpy as np
import pytest

import corten

FORMATS = {"bool": "?", "uint8": "B", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint16": "H",
           "uint32": "I", "uint64": "Q", "float16": "e", "float32": "f", "float64": "d", "complex64": "Zf",
           "complex128": "Zd"}


def refused(call, kind, text):
    with pytest.raises(kind) as error:
        call()
    assert str(error.value) == text


@pytest.mark.parametrize("name", FORMATS)
def test_formats(name):
    t = corten.tensor([[1, 0, 1], [0, 1, 1]]).to(getattr(corten, name))
    view = memoryview(t)
    assert (view.format, view.shape, view.itemsize) == (FORMATS[name], (2, 3), t.element_size())
    assert view.strides == (3 * view.itemsize, view.itemsize) and not view.readonly and view.obj is t
    np.testing.assert_array_equal(np.asarray(view), t.numpy())
    assert bytes(t) == t.numpy().tobytes()


def test_views_share_memory():
    t = corten.arange(6.)
    view = memoryview(t)
    view[0] = 5.0
    t[1] = -1
    assert t[0] == 5 and view[1] == -1
    assert struct.unpack("2f", view[:2].tobytes()) == (5, -1)


@pytest.mark.parametrize("view", [lambda t: t.t(), lambda t: t[::2], lambda t: t[:, ::-1], lambda t: t[1:1],
                                  lambda t: t[0, 0], lambda t: t[0].expand(4, 3)])
def test_strides(view):
    t = view(corten.arange(9).view(3, 3))
    m = memoryview(t)
    assert m.tolist() == t.tolist()
    assert m.tobytes() == np.ascontiguousarray(t.numpy()).tobytes()
    assert m.c_contiguous == t.numpy().flags.c_contiguous and m.f_contiguous == t.numpy().flags.f_contiguous


def test_consumers_that_need_order():
    t = corten.arange(6, dtype=corten.uint8).view(2, 3)
    assert bytearray(t) == bytes(range(6)) and b"".join([t]) == bytes(range(6))
    assert array.array("B", bytes(t.t())).tolist() == [0, 3, 1, 4, 2, 5]
    with pytest.raises(BufferError):
        hashlib.md5(t.view(-1)[::2])
    assert hashlib.md5(t.view(-1)).digest() == hashlib.md5(bytes(range(6))).digest()


def test_refusals():
    refused(lambda: memoryview(corten.ones(1, requires_grad=True)), BufferError,
            "Can't export tensors that require gradient, use tensor.detach()")
    refused(lambda: memoryview(corten.tensor([1j]).conj()), BufferError,
            "Can't export tensors with the conjugate bit set")
    refused(lambda: memoryview(corten.tensor([1j]).conj().imag), BufferError,
            "Can't export tensors with the negative bit set")
    refused(lambda: memoryview(corten.ones(1, dtype=corten.bfloat16)), BufferError,
            "bfloat16 has no format in the buffer protocol; share its bits as x.view(torch.uint16)")
    with pytest.raises(BufferError):
        memoryview(corten.empty(1, device="meta"))


def test_memory_outlives_the_tensor():
    t = corten.arange(100)
    view = memoryview(t)
    t.set_(corten.zeros(1, dtype=corten.int64))
    del t
    junk = [corten.zeros(100, dtype=corten.int64) for _ in range(10)]
    assert view[99] == 99
    del junk


# ---- torch.frombuffer ----

def test_from_buffer():
    data = bytearray(struct.pack("4i", 1, 2, 3, 4))
    t = corten.frombuffer(data, dtype=corten.int32)
    assert t.tolist() == [1, 2, 3, 4]
    t[0] = 9
    assert data[0] == 9
    assert corten.frombuffer(data, dtype=corten.int32, offset=4, count=2).tolist() == [2, 3]
    assert corten.frombuffer(data, dtype=corten.uint8, count=-7).numel() == 16
    assert corten.frombuffer(bytearray(8), dtype=corten.float32, requires_grad=True).requires_grad
    with pytest.raises(BufferError):
        data.append(1)  # the tensor keeps the buffer exported
    del t
    data.append(1)


@pytest.mark.parametrize("data, options, text", [
    (bytearray(0), {}, "both buffer length (0) and count (-1) must not be 0"),
    (bytearray(8), {"count": 0}, "both buffer length (8) and count (0) must not be 0"),
    (bytearray(8), {"count": 3}, "requested buffer length (3 * 4 bytes) after offset (0 bytes) must not be greater "
                                 "than actual buffer length (8 bytes)"),
    (bytearray(8), {"count": 2**62}, "requested buffer length (4611686018427387904 * 4 bytes) after offset (0 bytes) "
                                     "must not be greater than actual buffer length (8 bytes)"),
    (bytearray(8), {"offset": 9}, "offset (9 bytes) must be non-negative and no greater than buffer length (8 bytes) "
                                  "minus 1"),
    (bytearray(8), {"offset": -1}, "offset (-1 bytes) must be non-negative and no greater than buffer length (8 "
                                   "bytes) minus 1"),
    (bytearray(8), {"offset": 1}, "buffer length (7 bytes) after offset (1 bytes) must be a multiple of element size "
                                  "(4)"),
    ([1], {}, "object does not implement Python buffer protocol."),
])
def test_from_buffer_refuses(data, options, text):
    refused(lambda: corten.frombuffer(data, dtype=corten.int32, **options), ValueError, text)


def test_other_refusals():
    refused(lambda: corten.frombuffer(bytearray(8)), TypeError,
            'frombuffer() missing 1 required positional arguments: "dtype"')
    refused(lambda: corten.frombuffer(bytearray(8), dtype=corten.int32, requires_grad=True), RuntimeError,
            "Only Tensors of floating point and complex dtype can require gradients")
    refused(lambda: corten.frombuffer(np.arange(9)[::2], dtype=corten.int64), RuntimeError,
            "could not retrieve a contiguous buffer from the given object (non-contiguous buffers are not supported)")


def test_read_only_buffers_warn_once():
    code = "import corten, warnings\nwith warnings.catch_warnings(record=True) as w:\n" \
           "    warnings.simplefilter('always')\n    for _ in range(2): corten.frombuffer(b'1234', dtype=corten.int8)\n" \
           "print(len(w), w[0].category.__name__, w[0].message)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.startswith("1 UserWarning The given buffer is not writable, and PyTorch does not support non-writable ")


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python 3.12 lets programs ask for a buffer")
@pytest.mark.parametrize("flags", [0, 1, 8, 16, 64, 2 ** 30, -2 ** 31])
def test_buffers_of_every_kind(flags):
    x = corten.arange(6).view(2, 3)
    with x.__buffer__(flags) as view:
        assert view.nbytes == 48
