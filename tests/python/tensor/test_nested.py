# SPDX-License-Identifier: BSD-3-Clause
"""torch.nested: both layouts, repr, operations, errors, and gradients."""
import pytest

import corten as torch

PARTS = [torch.ones(2, 3), 2 * torch.ones(4, 3)]


def jagged(**options):
    return torch.nested.nested_tensor(PARTS, layout=torch.jagged, **options)


def same(nested, parts):
    return len(nested) == len(parts) and all(torch.equal(a, b) for a, b in zip(nested.unbind(), parts))


def test_jagged():
    j = jagged()
    assert j.layout is torch.jagged and j.is_nested and isinstance(j, torch.Tensor) and j.dtype is torch.float32 and j.numel() == 18
    assert j.dim() == 3 and j.size(0) == 2 and j.size(2) == 3 and repr(j.size(1))[0] == "j" and j.shape == j.size()
    assert torch.equal(j.values(), torch.cat(PARTS)) and j.offsets().tolist() == [0, 2, 6] and j.lengths() is None and same(j, PARTS)
    assert repr(j) == f"NestedTensor(size=(2, {j.size(1)}, 3), offsets=tensor([0, 2, 6]), contiguous=True)"
    assert same(j + 1, [p + 1 for p in PARTS]) and same(j * j, [p * p for p in PARTS]) and same(1 - j, [1 - p for p in PARTS])
    assert same(torch.relu(-j), [p * 0 for p in PARTS]) and same(j == 1, [p == 1 for p in PARTS]) and same(j.double(), [p.double() for p in PARTS])
    assert same(j + torch.arange(3.), [p + torch.arange(3.) for p in PARTS]) and (j * 2).size(1) == j.size(1)
    assert j.sum() == 30 and torch.equal(j.sum(1), torch.stack([p.sum(0) for p in PARTS])) and same(j.mean(-1), [p.mean(-1) for p in PARTS])
    linear = torch.nn.Linear(3, 5)
    assert same(linear(j), [linear(p) for p in PARTS]) and same(j @ torch.ones(3, 2), [p @ torch.ones(3, 2) for p in PARTS])
    assert same(torch.nn.functional.softmax(j, -1), [p.softmax(-1) for p in PARTS]) and same(torch.nn.LayerNorm(3)(j), [p * 0 for p in PARTS])


def test_strided():
    x = torch.nested.nested_tensor([torch.arange(3.), torch.arange(2.)])
    assert x.layout is torch.strided and x.is_nested and x.dim() == 2 and x.numel() == 5 and x.size(0) == 2 and len(x) == 2
    assert repr(x) == "nested_tensor([\n  tensor([0., 1., 2.]),\n  tensor([0., 1.])\n])" and torch.equal(x[1], torch.arange(2.))
    assert same(x * 2 + x, [3 * p for p in x.unbind()])
    y = torch.nested.nested_tensor(PARTS)
    assert y.size(2) == 3 and same(y.transpose(1, 2), [p.t() for p in PARTS])
    with pytest.raises(RuntimeError, match="Given dimension 1 is irregular and does not have a size."):
        y.size(1)
    with pytest.raises(RuntimeError, match="NestedTensorImpl doesn't support sizes"):
        y.shape
    assert repr(torch.nested.nested_tensor([1, 2])) == "nested_tensor([\n  tensor(1),\n  tensor(2)\n])"


def test_padded():
    x = torch.nested.nested_tensor([torch.arange(3.), torch.arange(2.)])
    assert torch.nested.to_padded_tensor(x, -1).tolist() == [[0, 1, 2], [0, 1, -1]]
    assert x.to_padded_tensor(0, (2, 5)).tolist() == [[0, 1, 2, 0, 0], [0, 1, 0, 0, 0]]
    j = jagged().to_padded_tensor(7.)
    assert j.shape == (2, 4, 3) and (j[0, 2:] == 7).all() and (j[1] == 2).all()
    with pytest.raises(RuntimeError, match="Truncation is not supported"):
        x.to_padded_tensor(0, (2, 2))


def test_made_of_parts():
    v = torch.arange(5.)
    for j in (torch.nested.nested_tensor_from_jagged(v, torch.tensor([0, 2, 5])),
              torch.nested.nested_tensor_from_jagged(v, lengths=torch.tensor([2, 3]))):
        assert same(j, [v[:2], v[2:]]) and j[0].data_ptr() == v.data_ptr()
    d = torch.arange(12.).view(3, 4)
    n = torch.nested.narrow(d, 1, torch.tensor([0, 1, 0]), torch.tensor([2, 3, 1]), layout=torch.jagged)
    assert same(n, [d[0, :2], d[1, 1:4], d[2, :1]]) and n.offsets().tolist() == [0, 5, 8, 9] and not n.is_contiguous()
    m = torch.nested.masked_select(d, d > 4)
    assert m.values().tolist() == list(range(5, 12)) and m.offsets().tolist() == [0, 0, 3, 7]
    assert same(torch.nested.as_nested_tensor(d), d) and torch.nested.as_nested_tensor(d)[0].data_ptr() == d.data_ptr()
    for call, text in [(lambda: torch.nested.nested_tensor_from_jagged(v), "At least one of offsets or lengths is required"),
                       (lambda: torch.nested.narrow(d, 1, 0, torch.tensor([1, 1, 1])), "start and length must be integers"),
                       (lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(2, 2)]), "must have the same dimension. Found dimension 2"),
                       (lambda: torch.nested.nested_tensor(PARTS, layout=torch.sparse_coo), "Specified layout is unsupported for nested tensors")]:
        with pytest.raises(RuntimeError, match=text):
            call()
    with pytest.raises(TypeError, match="Only lists"):
        torch.nested.nested_tensor(torch.ones(2))


def test_gradients():
    v = torch.arange(5., requires_grad=True)
    j = torch.nested.nested_tensor_from_jagged(v, torch.tensor([0, 2, 5]))
    (j * j).sum().backward()
    assert v.grad.tolist() == [0, 2, 4, 6, 8]
    j = jagged(requires_grad=True)
    assert j.requires_grad and j.is_leaf
    (j * j).to_padded_tensor(0.).sum().backward()
    assert same(j.grad, [2 * p for p in PARTS])
    x = torch.nested.nested_tensor(PARTS, requires_grad=True)
    (x * x).to_padded_tensor(0.).sum().backward()
    assert same(x.grad, [2 * p for p in PARTS])


def test_refusals():
    j = jagged()
    for call in (lambda: j.sort(), lambda: torch.fft.fft(j), lambda: j[0:1], lambda: j.transpose(1, 2), lambda: torch.cat([j, j]),
                 lambda: torch.nn.functional.softmax(j, 1)):
        with pytest.raises(NotImplementedError, match="nested tensor is not available in Corten: unbind"):
            call()
    with pytest.raises(RuntimeError, match="cannot call binary pointwise function add with inputs of shapes"):
        j + torch.nested.nested_tensor([torch.ones(3, 3), torch.ones(3, 3)], layout=torch.jagged)
    with pytest.raises(RuntimeError, match="not supported for NestedTensor on dim=0"):
        j.sum(0)
