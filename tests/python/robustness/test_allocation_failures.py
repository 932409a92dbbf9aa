# SPDX-License-Identifier: BSD-3-Clause
"""Runs each call from Python with the first, second, third ... allocation of the library failing."""
import copy
import ctypes
import glob
import os
import pickle

import corten as ct
import numpy as np
import pytest

LIBRARY = ctypes.CDLL(glob.glob(os.path.join(os.path.dirname(ct.__file__), "libcorten.so*"))[0])
fail_alloc = LIBRARY.ct_test_fail_alloc
fail_alloc.argtypes = [ctypes.c_int64]

CALLS = [
    "ct.tensor([[1.0, 2.0], [3.0, 4.0]])", "ct.zeros(3, 4)", "x + y", "x + 1", "x[0]", "x[:, 1:]", "x[[0, 1]]",
    "x[x > 2]", "x.sum()", "x.sum(0)", "x.max(1)", "x.view(6)", "x.T.contiguous()", "x @ y.T", "ct.cat([x, y])",
    "x.sort()", "repr(x)", "x.tolist()", "x.to(ct.int64)", "list(x)", "x.clone().add_(1)", "ct.arange(10)",
    "x == y", "(w * x).sum().backward()", "copy.deepcopy(x)", "ct.Tensor([1, 2])", "x.split(1)", "set_item(x)",
    # memory shared with other objects
    "x.numpy()", "ct.from_numpy(a)", "ct.tensor(a)", "ct.as_tensor(a)", "a + x", "np.sin(x)", "np.asarray(x)",
    "x.numpy(force=True)", "memoryview(x).tolist()", "ct.frombuffer(bytearray(8), dtype=ct.int32)",
    "ct.from_dlpack(x)", "ct.from_dlpack(a)", "np.from_dlpack(x)", "x.__dlpack__(copy=True)", "x.storage().tolist()",
    "x.untyped_storage()[1:3]", "ct.FloatStorage([1, 2])", "ct.UntypedStorage(100).resize_(5000)",
    "ct.tensor(0.).set_(x.storage(), 1, (2, 2))", "ct.tensor(0.).set_()", "ct.LongTensor([1, 2])",
    "pickle.loads(pickle.dumps([x, x[0], x.t()]))", "pickle.loads(pickle.dumps(x, protocol=5))", "copy.copy(x)",
    "copy.deepcopy([w, x, x[1]])", "x.new(2, 3)",
]


def set_item(x):
    x = x.clone()
    x[0] = 5
    x[[1]] = ct.ones(3)


@pytest.mark.parametrize("call", CALLS)
def test_every_allocation_may_fail(call):
    values = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    names = {"ct": ct, "copy": copy, "np": np, "pickle": pickle, "a": np.ones((2, 3)), "set_item": set_item, "x": ct.tensor(values), "y": ct.tensor(values),
             "w": ct.tensor(values, requires_grad=True)}
    for n in range(1, 200):
        fail_alloc(n)
        try:
            eval(call, names)
        except (RuntimeError, MemoryError):
            continue
        else:
            break
        finally:
            fail_alloc(0)
    else:
        pytest.fail("still failing after 200 allocations")
    assert names["x"].tolist() == names["y"].tolist() == values
    eval(call, names)  # the call succeeds again
