# SPDX-License-Identifier: BSD-3-Clause
"""Views with the negative bit: reading, writing, and use as `out=` give the same values as a negated copy."""
import os
import subprocess
import sys

import pytest

import corten


def negative():
    """Returns [-1, 1, -0] as a view with the negative bit."""
    v = corten.tensor([1 + 1j, 2 - 1j, 3 + 0j]).conj().imag
    assert v.is_neg()
    return v


@pytest.mark.parametrize("name", ["gt_", "lt_", "ge_", "le_", "eq_", "ne_", "logical_and_", "logical_or_", "logical_xor_"])
def test_truths_in_place_of_a_negative_view(name):
    other = corten.tensor([0., 1., -1.])
    plain = negative().clone()
    assert getattr(negative(), name)(other).tolist() == getattr(plain, name)(other).tolist()


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "float16", "float64"])
def test_negative_views_of_every_type(dtype):
    """Integers are negated arithmetically, not by flipping the highest bit."""
    dtype = getattr(corten, dtype)
    x = corten.arange(100).remainder(50).to(dtype)
    view, want = corten._neg_view(x), -x
    assert view.tolist() == want.tolist() and view[3].item() == want[3].item()
    for f in (lambda t: t.clone(), lambda t: t.flip(0), lambda t: t[::2].contiguous(), lambda t: t + 1, lambda t: t.to(corten.float32),
              lambda t: corten.cat([t, t]), lambda t: t.sum(), lambda t: t.sort()[0], lambda t: t[corten.tensor([3, 1])]):
        assert corten.equal(f(view), f(want))
    assert view.fill_(3).tolist() == [3] * 100 and x.tolist() == (-corten.full((100,), 3, dtype=dtype)).tolist()
    view.copy_(want)
    assert x.tolist() == (-want).tolist()


def test_the_smallest_integer_stays_itself_in_a_negative_view():
    x = corten.tensor([-2**63, 2**53 + 1])
    assert corten._neg_view(x).tolist() == corten._neg_view(x).clone().tolist() == [-2**63, -2**53 - 1]
    corten._neg_view(x).fill_(2**53 + 1)
    assert x.tolist() == [-2**53 - 1] * 2
    with pytest.raises(NotImplementedError, match="\"neg_cpu\" not implemented for 'Bool'"):
        corten._neg_view(x > 0)


def test_out_of_a_negative_view():
    assert corten.gt(corten.ones(3), corten.zeros(3), out=negative()).tolist() == [1, 1, 1]
    wide = corten.complex(corten.arange(6.).double(), corten.arange(6.).double()).conj().imag
    assert wide.logical_or_(corten.ones(6)).tolist() == [1] * 6
    for kind in (corten.bool, corten.uint8, corten.int16, corten.float16):
        assert negative().copy_(corten.tensor([1, 0, 1], dtype=kind)).tolist() == [1, 0, 1]
    z = corten.tensor([1 + 1j, 2j]).conj()
    assert z.copy_(corten.tensor([1 + 2j, 3], dtype=corten.complex128)).tolist() == [1 + 2j, 3]


def test_shape_of_out():
    with pytest.warns(UserWarning, match="was resized"):
        assert corten.add(corten.ones(2, 3), 1, out=negative()).tolist() == [[2, 2, 2]] * 2
    with pytest.warns(UserWarning, match="was resized"):
        assert corten.max(corten.ones(4), corten.ones(4), out=negative()).shape == (4,)
    with pytest.raises(RuntimeError, match=r"output with shape \[1\] doesn't match the broadcast shape \[5\]"):
        negative()[:1].hypot_(corten.ones(5))
    with pytest.warns(UserWarning, match="was resized"):
        assert corten.kron(corten.ones(3, 1), corten.ones(2, 3).t(), out=corten.empty(3, 2)).shape == (9, 2)


def test_negative_views_of_halves_on_a_gpu():
    """Copies of half types on the fake device must flip the sign bit of a negative view."""
    program = """
import corten
for dtype in (corten.float16, corten.bfloat16, corten.float32):
    x = corten.tensor([3., -5., 0.], dtype=dtype, device="cuda")
    view = corten._neg_view(x)
    for copy in (view.clone(), view.cpu(), corten.cat([view, view])[:3], corten.nn.functional.pad(view, (1, 0))[1:], view.resolve_neg()):
        assert copy.tolist() == [-3., 5., 0.], copy
"""
    subprocess.run([sys.executable, "-c", program], env={**os.environ, "CORTEN_FAKE_CUDA": "1"}, check=True)
