# SPDX-License-Identifier: BSD-3-Clause
"""embedding and embedding_bag: ties, padding, offsets, indices out of range, max_norm."""
import numpy as np
import pytest

import corten as torch

F = torch.nn.functional
DTYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
inf, nan = float("inf"), float("nan")


def gradient(rows, bags, **more):
    w = torch.tensor(rows, requires_grad=True)
    y = F.embedding_bag(torch.tensor(bags), w, mode="max", **more)
    return y.tolist(), torch.autograd.grad(y.sum(), w)[0].tolist()


@pytest.mark.parametrize("rows, bags, top, grad", [
    ([[0.], [1.]], [[0]], [[0.]], [[1.], [0.]]),  # the maximum is the 0 of an empty bag
    ([[1.], [1.], [2.], [2.]], [[2, 3, 0]], [[2.]], [[0.], [0.], [1.], [0.]]),  # the gradient goes to the first of equal rows
    ([[1.], [0.]], [[1, 1, 1, 1]], [[0.]], [[0.], [1.]]),
    ([[1.], [1.], [2.], [2.]], [[3, 3, 2, 2]], [[2.]], [[0.], [0.], [0.], [1.]]),
    ([[1., 4.], [3., 4.]], [[0, 1], [1, 0]], [[3., 4.], [3., 4.]], [[0., 1.], [2., 1.]]),
    ([[-inf], [nan]], [[0, 1]], [[-inf]], [[1.], [0.]]),  # a later NaN does not compare greater
])
def test_maximum_of_a_bag_is_of_its_first_greatest_row(rows, bags, top, grad):
    assert gradient(rows, bags) == (top, grad)


def test_maximum_of_bags_with_nan_padding_and_nothing():
    w = torch.tensor([[nan, 1.], [5., 2.]], requires_grad=True)
    y, of, size, row = torch.embedding_bag(w, torch.tensor([0, 1]), torch.tensor([0, 2, 2]), False, 2)
    assert y[0].isnan().tolist() == [True, False] and y[:, 1].tolist() == [2, 0, 0]  # a NaN in the first row stays the maximum
    assert row.tolist() == [[0, 1], [0, 0], [0, 0]] and size.tolist() == [2, 0, 0] and of.tolist() == [0, 0]
    assert y.grad_fn.name() == "EmbeddingBagBackward0"
    y, _, size, row = torch.embedding_bag(w, torch.tensor([0, 1]), torch.tensor([0]), False, 2, False, None, False, -2)
    assert y.tolist() == [[5, 2]] and size.tolist() == [1] and row.tolist() == [[1, 1]]
    g, = torch.autograd.grad(y.sum(), w)
    assert g.tolist() == [[0, 0], [1, 1]]
    assert F.embedding_bag(torch.zeros(0, 3, dtype=torch.long), w, mode="max").shape == (0, 2)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("mode, want", [("sum", [[1], [110], [0]]), ("mean", [[1], [55], [0]]), ("max", [[1], [100], [0]])])
def test_the_last_offset_ends_the_last_bag(mode, want, dtype):
    w = torch.tensor([[1], [10], [100]], dtype=dtype, requires_grad=True)
    index, offsets = torch.tensor([0, 1, 2, 2, 2]), torch.tensor([0, 1, 3, 3])
    y = F.embedding_bag(index, w, offsets, mode=mode, include_last_offset=True)
    assert y.tolist() == want
    y.sum().backward()
    assert w.grad.sum() == {"sum": 3, "mean": 2, "max": 2}[mode]
    padded = F.embedding_bag(index, w, offsets, mode=mode, include_last_offset=True, padding_idx=2)
    assert padded.tolist() == [[1], [10], [0]]


def test_weights_of_samples_behind_the_last_offset():
    w, scale = torch.tensor([[1.], [10.]]), torch.tensor([2., 3., 5.], requires_grad=True)
    y = F.embedding_bag(torch.tensor([0, 1, 1]), w, torch.tensor([0, 2]), mode="sum", per_sample_weights=scale, include_last_offset=True)
    assert y.tolist() == [[32]]
    y.sum().backward()
    assert scale.grad.tolist() == [1, 10, 0]
    with pytest.raises(RuntimeError, match="number of offset should be at least 1"):
        F.embedding_bag(torch.tensor([0]), w, torch.tensor([], dtype=torch.long), include_last_offset=True)


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_what_bags_refuse(mode, dtype):
    w = torch.arange(6.).reshape(3, 2).to(dtype)

    def bag(index, offsets=(0,), **more):
        return F.embedding_bag(torch.tensor(index), w, torch.tensor(offsets), mode=mode, **more)
    for padding in (3, -4, 5):
        with pytest.raises(RuntimeError, match=f"padding_idx must be within the number of embeddings, -3 through 2, but got {padding}"):
            bag([1, 2], padding_idx=padding)
    assert bag([1, 2], padding_idx=-3).tolist() == bag([1, 2]).tolist()
    for index in (5, -1):
        with pytest.raises(RuntimeError, match=str(index)):
            bag([0, index])
        with pytest.raises(RuntimeError):
            F.embedding_bag(torch.tensor([[0, index]]), w, mode=mode)
    with pytest.raises(RuntimeError, match=r"offsets\[0\] has to be 0"):
        bag([0, 1], (1,))
    with pytest.raises(RuntimeError, match="greater than input's length 2 but got offsets"):
        bag([0, 1], (0, 3))
    with pytest.raises(RuntimeError, match="must not decrease"):
        bag([0, 1], (0, 2, 1))
    with pytest.raises(RuntimeError, match="Long, Int; but got torch.FloatTensor"):
        bag([0., 1.])
    with pytest.raises(RuntimeError, match="Half, BFloat16, Float, Double; but got torch.LongTensor"):
        torch.embedding_bag(w.long(), torch.tensor([0]), torch.tensor([0]))


def test_weights_of_samples_that_do_not_fit():
    w, index, offsets = torch.ones(3, 2), torch.tensor([0, 1]), torch.tensor([0])
    for scale, mode, text in [(torch.ones(2), 1, "only supported with mode='sum'"), (torch.ones(2).double(), 0, "same type"),
                              (torch.ones(3), 0, "numel"), (torch.ones(2, 1), 0, "dim")]:
        with pytest.raises(RuntimeError, match=text):
            torch.embedding_bag(w, index, offsets, False, mode, False, scale)
    with pytest.raises(RuntimeError, match="`mode` must be"):
        torch.embedding_bag(w, index, offsets, False, 3)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("index", [torch.int32, torch.int64])
@pytest.mark.parametrize("p", [.5, 1., 2., 3., inf])
def test_rows_get_at_most_a_norm(p, index, dtype):
    rows = np.array([[3, -4], [.1, .1], [0, 0], [8, 6]])
    norm = np.linalg.norm(rows, p, axis=1, keepdims=True) if p != .5 else (np.abs(rows) ** .5).sum(1, keepdims=True) ** 2
    want = np.where(norm > 1, rows / np.where(norm > 1, norm, 1), rows)
    named = torch.tensor([[0, 1], [0, 2]], dtype=index)
    w = torch.tensor(rows, dtype=dtype)
    y = F.embedding(named, w, max_norm=1., norm_type=p)
    assert w[3].tolist() == [8, 6] and w._version == 1  # no index refers to row 3
    close = {"atol": {torch.float16: 2e-3, torch.bfloat16: 2e-2}.get(dtype, 1e-6)}
    assert np.allclose(w[:3].double().numpy(), want[:3], **close) and torch.equal(y, w[named.long()])
    again = torch.tensor(rows, dtype=dtype)
    bags = F.embedding_bag(named, again, max_norm=1., norm_type=p, mode="sum")
    assert torch.equal(again, w) and bags.shape == (2, 2)
    assert torch.equal(torch.embedding_renorm_(torch.tensor(rows, dtype=dtype), named, 1., p), w)


def test_norms_are_kept_without_a_gradient():
    w = torch.tensor([[3., 4.], [0., 1.]], requires_grad=True)
    F.embedding(torch.tensor([0], dtype=torch.int32), w, max_norm=1.).sum().backward()
    assert w.grad.tolist() == [[1, 1], [0, 0]] and torch.allclose(w[0], torch.tensor([.6, .8]))
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        torch.embedding_renorm_(w, torch.tensor([0]), 1., 2.)
    with pytest.raises(NotImplementedError, match="embedding_renorm"):
        torch.embedding_renorm_(w * 2, torch.tensor([0]), 1., 2.).sum().backward()
    with pytest.raises(RuntimeError, match="argument #2 'indices'.*Short"):
        F.embedding(torch.tensor([0], dtype=torch.int16), w.detach(), max_norm=1.)
    with pytest.raises(RuntimeError, match="Expected 2-dimensional tensor"):
        F.embedding(torch.tensor([0]), w.detach()[0], max_norm=1.)
    with pytest.raises(IndexError):
        F.embedding(torch.tensor([2]), w.detach(), max_norm=1.)
