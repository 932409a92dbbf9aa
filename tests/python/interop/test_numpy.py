# SPDX-License-Identifier: BSD-3-Clause
"""NumPy arrays and tensors that share memory, whichever of them lives longer."""
import subprocess
import sys
import threading
import warnings
import weakref

import numpy as np
import pytest

import corten

TYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16", "float32",
         "float64", "complex64", "complex128"]


def raises(kind, text):
    return pytest.raises(kind, match="^" + text.translate({ord(c): "\\" + c for c in "().'[]*+?"}) + r"(\n.*)?$")  # a note may follow


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_numpy_is_not_imported():
    code = "import corten, sys; x = corten.ones(2); x + 1; print(x); print('numpy' in sys.modules); x.numpy(); " \
           "print('numpy' in sys.modules)"
    assert run(code).split()[-2:] == ["False", "True"]


@pytest.mark.parametrize("name", TYPES)
def test_every_type_both_ways(name):
    a = np.array([[0, 1, 2], [3, 4, 5]]).astype(name)
    t = corten.from_numpy(a)
    assert t.dtype is getattr(corten, name) and t.tolist() == a.tolist()
    assert t.data_ptr() == a.ctypes.data
    b = t.numpy()
    assert b.dtype == a.dtype and b.ctypes.data == a.ctypes.data
    np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(np.asarray(t), a)
    c = corten.tensor(a)
    assert c.data_ptr() != t.data_ptr() and c.tolist() == a.tolist() and c.dtype is t.dtype


def test_writes_are_seen_on_the_other_side():
    t = corten.zeros(2, 3)
    a = t.numpy()
    a[1, 2] = 7
    t[0, 0] = -1
    assert t.tolist() == [[-1, 0, 0], [0, 0, 7]] and a[0, 0] == -1
    b = np.zeros(3)
    s = corten.as_tensor(b)
    s += 1
    assert b.tolist() == [1, 1, 1]


@pytest.mark.parametrize("view", [
    lambda a: a.T, lambda a: a[::2], lambda a: a[:, ::-1], lambda a: a[::-1, ::-2], lambda a: a[1:1], lambda a: a[1],
    lambda a: a[0, 0, None], lambda a: np.broadcast_to(a[0], (3, 4)), lambda a: a.reshape(1, 4, 3)[0, :, 1:]])
def test_strides_are_taken_as_they_are(view):
    a = view(np.arange(12.).reshape(3, 4))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        t = corten.from_numpy(a)
    assert t.shape == a.shape and t.tolist() == a.tolist()
    if a.size:
        assert [s * 8 for s in t.stride()] == list(a.strides)
    back = t.numpy()
    np.testing.assert_array_equal(back, a)
    np.testing.assert_array_equal((t + 1).numpy(), a + 1)


def test_scalars_and_empty():
    assert corten.from_numpy(np.array(2.5)).item() == 2.5
    assert corten.tensor(3).numpy().shape == ()
    assert corten.from_numpy(np.zeros((0, 3))).shape == (0, 3)
    assert corten.zeros(2, 0).numpy().shape == (2, 0)
    assert corten.tensor(np.float64(2)).dtype is corten.float64
    assert corten.tensor([np.float32(1), np.float64(2)]).dtype is corten.float64
    assert corten.tensor([np.arange(2), np.arange(2)]).tolist() == [[0, 1], [0, 1]]


def test_subclasses_of_arrays():
    class Mine(np.ndarray):
        pass
    assert corten.from_numpy(np.arange(3).view(Mine)).tolist() == [0, 1, 2]


# ---- lifetime of shared memory ----

def test_array_keeps_the_memory():
    t = corten.arange(1000.)
    a = t.numpy()
    where = t.data_ptr()
    del t
    junk = [corten.zeros(1000) for _ in range(20)]
    assert a.ctypes.data == where and a[999] == 999 and type(a.base) is corten.Tensor
    del junk


def test_tensor_keeps_the_array():
    a = np.arange(1000.)
    gone = weakref.ref(a)
    t = corten.from_numpy(a)[10:20]
    del a
    assert gone() is not None and t[0] == 10
    del t
    assert gone() is None


def test_array_keeps_its_memory_when_the_tensor_turns_away():
    t = corten.zeros(3)
    a = t.numpy()
    t.data = corten.ones(3)
    t.set_(corten.full((3,), 2.))
    assert a.tolist() == [0, 0, 0] and t.tolist() == [2, 2, 2]


def test_last_view_may_die_on_another_thread():
    a = np.zeros(10)
    gone = weakref.ref(a)
    box = [corten.from_numpy(a)]
    del a
    worker = threading.Thread(target=box.clear)
    worker.start()
    worker.join()
    assert gone() is None


def test_tensors_may_outlive_the_interpreter():
    run("import numpy as np, corten, sys\nx = corten.from_numpy(np.ones(5))\nsys.modules['keep'] = x\n"
        "y = corten.ones(3).requires_grad_()\ny.grad = corten.from_numpy(np.ones(3, 'f4'))\nz = x.numpy()\n")


def test_no_reference_is_lost():
    a = np.zeros(4)
    before = sys.getrefcount(a)
    for _ in range(100):
        t = corten.from_numpy(a)
        t.numpy()
        np.asarray(t)
        corten.tensor(a)
        corten.as_tensor(a)
        a + corten.ones(4)
        memoryview(t)
    del t
    assert sys.getrefcount(a) == before


def test_memory_in_use_elsewhere_is_not_resized():
    t = corten.zeros(3)
    assert t.untyped_storage().resizable()
    t.numpy()
    assert not t.untyped_storage().resizable()
    with raises(RuntimeError, "Trying to resize storage that is not resizable"):
        t.untyped_storage().resize_(1 << 20)


# ---- errors, with PyTorch's texts ----

def test_numpy_refuses():
    x = corten.ones(2, requires_grad=True)
    for call in (x.numpy, x.__array__, lambda: np.asarray(x)):
        with raises(RuntimeError, "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() "
                                  "instead."):
            call()
    c = corten.tensor([1 + 2j]).conj()
    with raises(RuntimeError, "Can't call numpy() on Tensor that has conjugate bit set. Use "
                              "tensor.resolve_conj().numpy() instead."):
        c.numpy()
    with raises(RuntimeError, "Can't call numpy() on Tensor that has negative bit set. Use "
                              "tensor.resolve_neg().numpy() instead."):
        c.imag.numpy()
    with raises(TypeError, "Got unsupported ScalarType BFloat16"):
        corten.ones(1, dtype=corten.bfloat16).numpy()
    with raises(TypeError, "can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to "
                           "host memory first."):
        corten.empty(2, device="meta").numpy()
    with raises(TypeError, "numpy() takes 0 positional arguments but 1 was given"):
        x.numpy(True)
    with raises(TypeError, "numpy(): argument 'force' must be bool, not int"):
        x.numpy(force=1)


def test_force():
    assert corten.ones(2, requires_grad=True).numpy(force=True).tolist() == [1, 1]
    c = corten.tensor([1 + 2j]).conj()
    assert c.numpy(force=True).tolist() == [1 - 2j] and c.imag.numpy(force=True).tolist() == [-2]
    with corten.no_grad():
        assert corten.ones(2, requires_grad=True).numpy().tolist() == [1, 1]


@pytest.mark.parametrize("array, name", [
    (np.array([None]), "object_"), (np.array(["a"]), "str_"), (np.zeros(2, "S3"), "bytes_"),
    (np.zeros(2, "M8[s]"), "datetime64"), (np.zeros(2, "m8[s]"), "timedelta64"), (np.zeros(2, "g"), "longdouble"),
    (np.zeros(2, [("a", "f4")]), "void")])
def test_types_without_a_tensor(array, name):
    text = f"can't convert np.ndarray of type numpy.{name}. The only supported types are: float64, float32, float16, " \
           "complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and bool."
    for make in (corten.from_numpy, corten.tensor, corten.as_tensor):
        with raises(TypeError, text):
            make(array)


def test_from_numpy_refuses():
    with raises(TypeError, "expected np.ndarray (got list)"):
        corten.from_numpy([1])
    with raises(TypeError, "expected np.ndarray (got numpy.float32)"):
        corten.from_numpy(np.float32(1))
    with raises(ValueError, "given numpy array has byte order different from the native byte order. Conversion "
                            "between byte orders is currently not supported."):
        corten.from_numpy(np.array([1], ">i4"))
    with raises(ValueError, "given numpy array strides not a multiple of the element byte size. Copy the numpy array "
                            "to reallocate the memory."):
        corten.from_numpy(np.zeros(3, [("a", "u1"), ("b", "f4")])["b"])


def test_read_only_arrays_warn_once():
    code = "import numpy as np, corten, warnings\na = np.ones(2); a.flags.writeable = False\n" \
           "with warnings.catch_warnings(record=True) as w:\n" \
           "    warnings.simplefilter('always')\n    corten.tensor(a)\n    assert not w\n" \
           "    corten.from_numpy(a); corten.from_numpy(a)\n" \
           "print(len(w), w[0].category.__name__, w[0].message)"
    assert run(code).strip() == (
        "1 UserWarning The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This "
        "means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its "
        "data or make it writable before converting it to a tensor. This type of warning will be suppressed for the "
        "rest of this program.")


# ---- NumPy's protocols ----

def test_array_protocol():
    t = corten.arange(3.)
    assert t.__array__().ctypes.data == t.data_ptr()
    assert t.__array__(np.float64).dtype == np.float64
    assert t.__array__(np.float32).ctypes.data == t.data_ptr()
    assert t.__array__(copy=True).ctypes.data != t.data_ptr()
    assert t.__array__(np.float32, copy=False).ctypes.data == t.data_ptr()
    with raises(ValueError, "Unable to avoid copy while creating an array as requested."):
        t.__array__(np.float64, copy=False)
    assert np.array(t).ctypes.data != t.data_ptr()
    assert np.concatenate([t, t]).shape == (6,) and np.array([t, t]).shape == (2, 3)


@pytest.mark.parametrize("operator", ["+", "-", "*", "/", "//", "%", "**", "<", "<=", "==", "!=", ">", ">="])
def test_array_and_tensor_in_either_order(operator):
    a, t = np.array([1., 2., 3.]), corten.tensor([[3., 2., 1.]])
    for left, right in ((a, t), (t, a)):
        got = eval(f"left {operator} right")
        want = eval(f"np.asarray(left) {operator} np.asarray(right)")
        assert type(got) is corten.Tensor
        np.testing.assert_allclose(got.numpy(), want)


def test_matrix_products_with_arrays():
    a, t = np.arange(6.).reshape(2, 3), corten.ones(3, 2, dtype=corten.float64)
    for got in (a @ t, t @ a):
        assert type(got) is corten.Tensor
    np.testing.assert_array_equal((a @ t).numpy(), a @ t.numpy())


def test_numpy_scalars_are_numbers():
    t = corten.tensor([1, 2])
    assert (np.int64(2) * t).dtype is corten.int64 and (t * np.int64(2)).tolist() == [2, 4]
    f = corten.ones(2)
    for got in (np.float64(2) * f, f * np.float64(2), np.float32(2) + f):
        assert type(got) is corten.Tensor and got.dtype is corten.float32
    assert f.clamp(min=np.float64(1.5)).tolist() == [1.5, 1.5]
    assert corten.zeros(np.int64(2), np.int32(3)).shape == (2, 3)
    assert t[np.int64(1)].item() == 2


def test_numpy_functions_answer_with_tensors():
    t = corten.arange(3.)
    got = np.sin(t)
    assert type(got) is corten.Tensor and got.dtype is corten.float32
    np.testing.assert_array_equal(got.numpy(), np.sin(t.numpy()))
    assert np.isnan(t).dtype is corten.uint8  # as PyTorch's
    assert corten.Tensor.__array_priority__ == 1000


def test_as_tensor_shares_where_it_can():
    a = np.arange(3)
    assert corten.as_tensor(a).data_ptr() == a.ctypes.data
    assert corten.as_tensor(a, dtype=corten.float32).tolist() == [0., 1., 2.]
    t = corten.ones(2)
    assert corten.as_tensor(t) is t


def test_arrays_as_indices():
    t = corten.arange(6.).view(2, 3)
    t[:, 0] = np.float32(9)
    assert t[np.array([1, 0])].tolist() == [[9, 4, 5], [9, 1, 2]]
    assert t[np.array([True, False])].tolist() == [[9, 1, 2]]
    assert np.arange(3)[corten.tensor([2, 1])].tolist() == [2, 1]
    with raises(TypeError, "can't assign a numpy.ndarray to a torch.FloatTensor"):
        t[0] = np.ones(3)
