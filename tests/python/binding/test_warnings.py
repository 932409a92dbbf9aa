# SPDX-License-Identifier: BSD-3-Clause
"""Each warning is issued by the call that causes it: some on every call, others once per process."""
import subprocess
import sys
import warnings

import corten
import pytest

ONCE = """
import warnings, corten
calls = [lambda: corten.searchsorted(corten.tensor([1., 2]), corten.ones(4, 2).t()), lambda: corten.ones(3).T,
         lambda: corten.where(corten.ones(2, dtype=corten.uint8), 1, 2), lambda: (corten.ones(2) + 1j).to(corten.float32),
         lambda: corten.meshgrid(corten.ones(2), corten.ones(2)), lambda: corten.ones(()).H,
         lambda: corten.frombuffer(b"abcd", dtype=corten.uint8), lambda: corten.ones(1).storage(),
         lambda: corten.asarray(corten.ones(2, requires_grad=True)), lambda: corten.add(corten.ones(2), 2, corten.ones(2))]
for call in calls:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        call(), call(), call()
    print(len(heard), end=" ")
corten.set_warn_always(True)
with warnings.catch_warnings(record=True) as heard:
    warnings.simplefilter("always")
    corten.ones(3).T, corten.ones(3).T
    print(len(heard), end=" ")
for call in calls[6:]:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        call(), call(), call()
    print(len(heard), end=" ")
"""


def heard(call):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    return [str(w.message) for w in found]


def test_once_in_a_program():
    done = subprocess.run([sys.executable, "-c", ONCE], capture_output=True, text=True)
    assert done.stdout.split() == ["1"] * 10 + ["2"] + ["3"] * 4, done.stderr


def test_with_the_call_that_causes_them():
    x = corten.ones(2, 3)
    assert "was resized since it had shape [9, 2]" in heard(
        lambda: corten.nonzero(x, out=corten.ones(9, 2, dtype=corten.int64)))[0]
    assert heard(lambda: corten.ones(2)) == []
    texts = heard(lambda: corten.arange(5, out=corten.ones(3, dtype=corten.int64)))
    assert len(texts) == 1 and "was resized since it had shape [3]" in texts[0]


def test_grad_of_no_leaf():
    y = corten.ones(2, requires_grad=True) * 2
    assert [text[:70] for text in heard(lambda: y.grad)] == [
        "The .grad attribute of a Tensor that is not a leaf Tensor is being acc"]
    y.retain_grad()
    assert heard(lambda: y.grad) == [] and heard(lambda: y.detach().grad) == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            (y * 1).grad  # noqa: B018


def test_meta_tensors_have_no_address():
    m = corten.empty(2, 3, device="meta")
    assert m.data_ptr() == m.untyped_storage().data_ptr() == 0


def test_warnings_come_beside_an_error():
    """A call that warns and then raises does not leave its warning to the next call."""
    with pytest.warns(UserWarning, match="indexing with dtype torch.uint8 is now deprecated"):
        with pytest.raises(IndexError, match="The shape of the mask"):
            corten.zeros(4)[corten.tensor([1, 0], dtype=corten.uint8)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        corten.zeros(4)[None]


@pytest.mark.parametrize("index", [[None], [slice(0, 1)], [[0], [1]], [...], [range(2)], "ab"])
def test_lists_of_indices(index):
    with pytest.warns(UserWarning, match="Using a non-tuple sequence for multidimensional indexing is deprecated"):
        try:
            corten.zeros(2, 3)[index]
        except TypeError as e:
            assert str(e) == "new(): invalid data type 'str'"


def test_names_of_what_is_expanded():
    x = corten.zeros(3).expand(2, 3)
    with pytest.warns(UserWarning, match=r"Use of index_fill_ on .* tensor\[mask\] = scalar"):
        x[[0]] = 3
    with pytest.warns(UserWarning, match=r"Use of index_put_ on .* tensor\[indices\] = tensor"):
        x[[0]] = corten.zeros(3)


def test_backward_through_complex_numbers_is_quiet():
    x = corten.ones(2, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x.to(corten.complex64).real.sum().backward()
    assert x.grad.tolist() == [1, 1]
