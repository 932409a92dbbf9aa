# SPDX-License-Identifier: BSD-3-Clause
"""MaskedTensor: data and mask, repr, arithmetic, reductions, and errors."""
import pytest

import corten as torch
from corten.masked import MaskedTensor, as_masked_tensor, is_masked_tensor, masked_tensor
from corten.masked.maskedtensor import core

D = torch.arange(9.).view(3, 3)


def masked(**options):
    return masked_tensor(D, D > 3, **options)


def same(m, data, mask):
    return is_masked_tensor(m) and torch.equal(m.get_mask(), mask) and torch.equal(m.to_tensor(0).to(data.dtype), data * mask)


def test_making():
    m = masked()
    assert isinstance(m, torch.Tensor) and core.is_masked_tensor(m) and not is_masked_tensor(D) and core.MaskedTensor is MaskedTensor
    assert torch.equal(m.get_data(), D) and torch.equal(m.get_mask(), D > 3) and m.shape == (3, 3) and m.dtype is torch.float32
    assert m.get_data().data_ptr() != D.data_ptr() == as_masked_tensor(D, D > 3).get_data().data_ptr()
    assert m.to_tensor(-1).tolist() == [[-1, -1, -1], [-1, 4, 5], [6, 7, 8]]
    assert repr(m) == ("MaskedTensor(\n  [\n    [      --,       --,       --],\n    [      --,   4.0000,   5.0000],\n"
                       "    [  6.0000,   7.0000,   8.0000]\n  ]\n)")
    assert repr(m.sum()) == "MaskedTensor( 30.0000, True)" and repr(m[0, 0]) == "MaskedTensor(--, False)"
    assert repr(masked_tensor(torch.arange(2), torch.tensor([False, True]))) == "MaskedTensor(\n  [      --, 1]\n)"
    for args, error, text in [((D, D), TypeError, "mask must have dtype bool."), ((D, D[0] > 3), ValueError, "data.dim\\(\\) must equal"),
                              ((D, D[:2] > 3), ValueError, "data.size\\(\\) must equal"), (([1.], D > 3), TypeError, "data must be a Tensor")]:
        with pytest.raises(error, match=text):
            masked_tensor(*args)


def test_elements():
    m, mask = masked(), D > 3
    assert same(m + m, D + D, mask) and same(m * 2, D * 2, mask) and same(1 - m, 1 - D, mask) and same(m + D, D + D, mask)
    assert same(m.sin(), D.sin(), mask) and same(torch.exp(m), D.exp(), mask) and same(-m, -D, mask) and same(m.double(), D.double(), mask)
    assert same(m > 5, D > 5, mask) and same(m == m, D == D, mask)
    assert same(m.t(), D.t(), mask.t()) and same(m.view(9), D.view(9), mask.view(9)) and same(m[1], D[1], mask[1])
    assert same(torch.cat([m, m]), torch.cat([D, D]), torch.cat([mask, mask])) and same(torch.where(D > 5, m, m), D, mask)
    with pytest.raises(ValueError, match="Input masks must match"):
        m + masked_tensor(D, D > 4)


def test_reductions():
    m = masked()
    assert same(m.sum(), torch.tensor(30.), torch.tensor(True)) and same(m.mean(), torch.tensor(6.), torch.tensor(True))
    assert same(m.sum(0), torch.tensor([6., 11, 13]), torch.tensor([True] * 3))
    assert same(m.prod(1), torch.tensor([0., 20, 336]), torch.tensor([False, True, True])) and m.amax().get_data() == 8
    assert m.amin(1, keepdim=True).get_data()[1:].tolist() == [[4], [6]] and abs(m.std().get_data().item() - 2.5 ** 0.5) < 1e-6
    assert m.argmax().get_data() == 8 and m.all().get_data() and torch.equal(m.softmax(1).to_tensor(0)[2], D[2].softmax(0))


def test_gradients():
    m = masked(requires_grad=True)
    (m * m).sum().backward()
    assert same(m.grad, 2 * D, D > 3) and m.requires_grad and m.is_leaf
    x = D.clone().requires_grad_()
    as_masked_tensor(x, D > 3).sum().backward()
    assert torch.equal(x.grad, (D > 3).float())


def test_refusals():
    for call in (lambda: masked().sort(), lambda: masked() @ masked(), lambda: torch.fft.fft(masked()), lambda: masked().cumsum(0)):
        with pytest.raises(NotImplementedError, match="of a MaskedTensor is not available in Corten: compute with get_data"):
            call()
