# SPDX-License-Identifier: BSD-3-Clause
"""torch.testing: errors of assert_close, with PyTorch's texts, and results of make_tensor."""
import numpy as np
import pytest

import corten
from corten.testing import assert_allclose, assert_close, make_tensor

t = corten.tensor
nan = float("nan")

REFUSED = [
    (t([1., 2., 3.]), t([1., 2., 4.]), "Tensor-likes are not close!\n\nMismatched elements: 1 / 3 (33.3%)\nGreatest absolute "
     "difference: 1.0 at index (2,) (up to 1e-05 allowed)\nGreatest relative difference: 0.25 at index (2,) (up to 1.3e-06 allowed)"),
    (t(1.), t(2.), "Scalars are not close!\n\nExpected 2.0 but got 1.0.\nAbsolute difference: 1.0 (up to 1e-05 allowed)\nRelative "
     "difference: 0.5 (up to 1.3e-06 allowed)"),
    (1., 2., "Scalars are not close!\n\nExpected 2.0 but got 1.0.\nAbsolute difference: 1.0 (up to 1e-07 allowed)\nRelative "
     "difference: 0.5 (up to 1e-07 allowed)"),
    (1, 2, "Scalars are not equal!\n\nExpected 2 but got 1.\nAbsolute difference: 1\nRelative difference: 0.5"),
    (1, 1., "The (d)types do not match: <class 'int'> != <class 'float'>."),
    (t([1.]), t([1]), "The values for attribute 'dtype' do not match: torch.float32 != torch.int64."),
    (t([1.]), t([1., 2.]), "The values for attribute 'shape' do not match: torch.Size([1]) != torch.Size([2])."),
    ([t(1.), t(2.)], [t(1.), t(3.)], "Scalars are not close!\n\nExpected 3.0 but got 2.0.\nAbsolute difference: 1.0 (up to 1e-05 "
     "allowed)\nRelative difference: 0.3333333333333333 (up to 1.3e-06 allowed)\n\nThe failure occurred for item [1]"),
    ([t(1.)], [t(1.), t(3.)], "The length of the sequences mismatch: 1 != 2"),
    ({"a": t(1.)}, {"b": t(1.)}, "The keys of the mappings do not match:\nMissing keys in the actual mapping: ['b']\nAdditional keys "
     "in the actual mapping: ['a']"),
    (t([1, 2]), t([1, 3]), "Tensor-likes are not equal!\n\nMismatched elements: 1 / 2 (50.0%)\nGreatest absolute difference: 1 at "
     "index (1,)\nGreatest relative difference: 0.3333333432674408 at index (1,)"),
    (t([True]), t([False]), "Tensor-likes are not equal!\n\nMismatched elements: 1 / 1 (100.0%)\nGreatest absolute difference: 1 at "
     "index (0,)\nGreatest relative difference: inf at index (0,)"),
    (t([nan]), t([nan]), "Tensor-likes are not close!\n\nMismatched elements: 1 / 1 (100.0%)\nGreatest absolute difference: nan at "
     "index (0,) (up to 1e-05 allowed)\nGreatest relative difference: nan at index (0,) (up to 1.3e-06 allowed)"),
    (t([[1., 2], [3, 4]]), t([[1., 2], [3, 5]]), "Tensor-likes are not close!\n\nMismatched elements: 1 / 4 (25.0%)\nGreatest absolute "
     "difference: 1.0 at index (1, 1) (up to 1e-05 allowed)\nGreatest relative difference: 0.20000000298023224 at index (1, 1) (up "
     "to 1.3e-06 allowed)"),
    (None, t(1.), "None mismatch: None is not 1.0"),
    (True, False, "Booleans mismatch: True is not False"),
    (np.ones(3), np.zeros(3), "Tensor-likes are not close!\n\nMismatched elements: 3 / 3 (100.0%)\nGreatest absolute difference: 1.0 at "
     "index (0,) (up to 1e-07 allowed)\nGreatest relative difference: inf at index (0,) (up to 1e-07 allowed)"),
    ([[1., [2.]]], [[1., [3.]]], "Scalars are not close!\n\nExpected 3.0 but got 2.0.\nAbsolute difference: 1.0 (up to 1e-07 allowed)\n"
     "Relative difference: 0.3333333333333333 (up to 1e-07 allowed)\n\nThe failure occurred for item [0][1][0]"),
]


@pytest.mark.parametrize("actual, expected, text", REFUSED, ids=range(len(REFUSED)))
def test_refused(actual, expected, text):
    with pytest.raises(AssertionError) as caught:
        assert_close(actual, expected)
    assert str(caught.value) == text


def test_close_enough():
    assert_close(t([1.]), t([1. + 1e-7]))
    assert_close(t([1.]), t([1]), check_dtype=False)
    assert_close(t([nan]), t([nan]), equal_nan=True)
    assert_close(t([1.]), t([1.1]), rtol=.5, atol=0.)
    assert_close(None, None)
    assert_close({"a": [1, 2.]}, {"a": (1, 2.)})
    assert_close(t([1.], requires_grad=True), t([1.]))
    assert_close(corten.empty(0), corten.empty(0))
    assert_allclose(t([1.]), [1.])
    with pytest.raises(AssertionError, match=r"attribute 'stride\(\)' do not match"):
        assert_close(corten.ones(2, 3).t(), corten.ones(3, 2), check_stride=True)


def test_refused_at_once():
    for pair in (("a", "b"), (t([1.]), 1.), (t(1.), 1.)):
        with pytest.raises(TypeError, match="No comparison pair was able to handle inputs of type"):
            assert_close(*pair)
    with pytest.raises(ValueError, match="but got no atol"):
        assert_close(1., 1., rtol=1.)


def test_message():
    with pytest.raises(AssertionError, match="^mine$"):
        assert_close(t([1.]), t([2.]), msg="mine")
    with pytest.raises(AssertionError, match="^mine: Tensor-likes"):
        assert_close(t([1.]), t([2.]), msg=lambda text: "mine: " + text)


@pytest.mark.parametrize("dtype", [corten.float32, corten.float64, corten.float16, corten.bfloat16, corten.int64, corten.int8,
                                   corten.uint8, corten.bool, corten.complex64])
def test_make_tensor(dtype):
    x = make_tensor((20, 3), dtype=dtype, device="cpu")
    assert x.shape == (20, 3) and x.dtype == dtype and len(set(x.flatten().tolist())) > 1
    wide = make_tensor(4, 6, dtype=dtype, device="cpu", noncontiguous=True)
    assert wide.shape == (4, 6) and not wide.is_contiguous()
    if dtype.is_floating_point:
        x = make_tensor(100, dtype=dtype, device="cpu", low=1, high=2, requires_grad=True)
        assert x.requires_grad and x.min() >= 1 and x.max() <= 2
    if dtype not in (corten.bool, corten.complex64):
        assert (make_tensor(500, dtype=dtype, device="cpu", low=0, high=3, exclude_zero=True) != 0).all()
    with pytest.raises(ValueError, match="`low` must be less than `high`, but got 2 >= 1"):
        make_tensor(3, dtype=dtype, device="cpu", low=2, high=1)


@pytest.mark.parametrize("actual, expected, options, text", [
    (corten.tensor([1., 2, 3]), corten.tensor([1., 2, 4]), {}, "Tensor-likes are not close!\n\nMismatched elements: 1 / 3 (33.3%)\n"
     "Greatest absolute difference: 1.0 at index (2,) (up to 1e-05 allowed)\nGreatest relative difference: 0.25 at index (2,) (up to 1.3e-06 allowed)"),
    (corten.tensor([1.]), corten.tensor([1.], dtype=corten.float64), {},
     "The values for attribute 'dtype' do not match: torch.float32 != torch.float64."),
    (corten.tensor([1]), corten.tensor([2]), {}, "Tensor-likes are not equal!\n\nMismatched elements: 1 / 1 (100.0%)\n"
     "Greatest absolute difference: 1 at index (0,)\nGreatest relative difference: 0.5 at index (0,)"),
    (1.0, 2.0, {}, "Scalars are not close!\n\nExpected 2.0 but got 1.0.\nAbsolute difference: 1.0 (up to 1e-07 allowed)\n"
     "Relative difference: 0.5 (up to 1e-07 allowed)"),
    ([1], [1, 2], {}, "The length of the sequences mismatch: 1 != 2"), (corten.tensor([1.]), corten.tensor([2.]), {"msg": "hey"}, "hey"),
])
def test_assert_close(actual, expected, options, text):
    with pytest.raises(AssertionError) as error:
        assert_close(actual, expected, **options)
    assert str(error.value) == text


def test_assert_close_is_content():
    assert_close(corten.tensor([1.0]), corten.tensor([1.0 + 1e-6]))
    assert_close({"a": [corten.tensor([float("nan")])]}, {"a": [corten.tensor([float("nan")])]}, equal_nan=True)
