# SPDX-License-Identifier: BSD-3-Clause
"""Sparse tensors: gradients compared with dense ones, copies, files, and invalid indices."""
import copy
import io
import pickle

import corten
import pytest

INDICES = corten.tensor([[0, 2, 1, 0], [1, 0, 3, 1]])  # element (0, 1) twice
SIZE = (3, 4)


def made(values):
    return corten.sparse_coo_tensor(INDICES.clone(), values, SIZE)


def dense(values):
    return corten.zeros(SIZE, dtype=values.dtype).index_put(tuple(INDICES), values, accumulate=True)


OTHER = corten.arange(12, dtype=corten.float64).reshape(SIZE) / 3 - 1.5
WIDE = corten.arange(8, dtype=corten.float64).reshape(4, 2) - 2.5
SAME = {  # the same function of a sparse matrix and of its dense form
    "to_dense": (lambda s: s.to_dense(), lambda d: d),
    "mm": (lambda s: corten.sparse.mm(s, WIDE), lambda d: d @ WIDE),
    "matmul": (lambda s: s @ WIDE, lambda d: d @ WIDE),
    "dense_mm": (lambda s: WIDE.t()[:, :3] @ s, lambda d: WIDE.t()[:, :3] @ d),
    "sparse_mm": (lambda s: corten.sparse.mm(s, s.t()).to_dense(), lambda d: d @ d.t()),
    "mv": (lambda s: s @ WIDE[:, 0], lambda d: d @ WIDE[:, 0]),
    "addmm": (lambda s: corten.sparse.addmm(WIDE[:3], s, WIDE, beta=2, alpha=3), lambda d: 2 * WIDE[:3] + 3 * (d @ WIDE)),
    "bmm": (lambda s: corten.bmm(corten.stack([s, s]), corten.stack([WIDE, -WIDE])), lambda d: corten.stack([d @ WIDE, d @ -WIDE])),
    "sum": (lambda s: corten.sparse.sum(s), lambda d: d.sum()),
    "sum_0": (lambda s: corten.sparse.sum(s, 0).to_dense(), lambda d: d.sum(0)),
    "sum_keepdim": (lambda s: s.sum(1, keepdim=True).to_dense(), lambda d: d.sum(1, keepdim=True)),
    "add": (lambda s: (s + OTHER.to_sparse()).to_dense(), lambda d: d + OTHER),
    "add_dense": (lambda s: OTHER + s, lambda d: OTHER + d),
    "sub": (lambda s: (s - 2 * s.t().t()).to_dense(), lambda d: -d),
    "mul": (lambda s: (s * 2.5).to_dense(), lambda d: d * 2.5),
    "mul_dense": (lambda s: (s * OTHER).to_dense(), lambda d: d * OTHER),
    "mul_row": (lambda s: (s * OTHER[0]).to_dense(), lambda d: d * OTHER[0]),
    "mul_sparse": (lambda s: (s * s).to_dense(), lambda d: d * d),
    "div": (lambda s: (s / 4).to_dense(), lambda d: d / 4),
    "neg": (lambda s: (-s).to_dense(), lambda d: -d),
    "sin": (lambda s: s.sin().to_dense(), lambda d: d.sin()),
    "pow": (lambda s: (s ** 3).to_dense(), lambda d: d ** 3),
    "transpose": (lambda s: s.transpose(0, 1).to_dense(), lambda d: d.t()),
    "cat": (lambda s: corten.cat([s, s], 1).to_dense(), lambda d: corten.cat([d, d], 1)),
    "index_select": (lambda s: s.index_select(1, corten.tensor([3, 1, 1])).to_dense(), lambda d: d[:, [3, 1, 1]]),
    "select": (lambda s: s[0].to_dense(), lambda d: d[0]),
    "element": (lambda s: s[0, 1], lambda d: d[0, 1]),
    "slice": (lambda s: s[:, 1:].to_dense(), lambda d: d[:, 1:]),
    "norm": (lambda s: s.norm(), lambda d: d.norm()),
    "mask": (lambda s: s.sparse_mask(corten.eye(3, 4, dtype=corten.float64).to_sparse()).to_dense(),
             lambda d: d * corten.eye(3, 4, dtype=corten.float64)),
    "double": (lambda s: s.float().double().to_dense(), lambda d: d.float().double()),
    "clone": (lambda s: s.clone().to_dense(), lambda d: d),
}


@pytest.mark.parametrize("name", SAME)
def test_like_dense(name):
    """Compares values, gradients and second derivatives with the dense form."""
    sparse, full = SAME[name]
    results = []
    for make, what in ((made, sparse), (dense, full)):
        values = corten.tensor([0.5, -1.25, 2.0, 1.75], dtype=corten.float64, requires_grad=True)
        y = what(make(values))
        weight = corten.arange(1, y.numel() + 1, dtype=corten.float64).reshape(y.shape)
        g, = corten.autograd.grad((y * y * weight).sum(), values, create_graph=True)
        h, = corten.autograd.grad((g * g).sum(), values, allow_unused=True)
        results.append((y, g, h))
    for mine, theirs in zip(*results):
        assert corten.allclose(mine, theirs, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", SAME)
def test_finite_differences(name):
    sparse, _ = SAME[name]
    if name != "double":
        values = corten.tensor([0.5, -1.25, 2.0, 1.75], dtype=corten.float64, requires_grad=True)
        assert corten.autograd.gradcheck(lambda v: sparse(made(v)), (values,))


def test_gradients_of_the_dense_factor():
    s, w = made(corten.tensor([0.5, -1.25, 2.0, 1.75], dtype=corten.float64)), WIDE.clone().requires_grad_()
    assert corten.autograd.gradcheck(lambda w: corten.sparse.mm(s, w), (w,))
    d = OTHER.clone().requires_grad_()
    assert corten.autograd.gradcheck(lambda d: (s * d).to_dense() + (d + s) + d.sparse_mask(s.coalesce()).to_dense(), (d,))


def test_softmax():
    """Unspecified elements count as minus infinity."""
    values = corten.tensor([0.5, -1.25, 2.0, 1.75], dtype=corten.float64, requires_grad=True)
    s, d = made(values), dense(values)
    there = dense(corten.ones(4, dtype=corten.float64)) > 0
    for dim in (0, 1):
        want = corten.softmax(d.masked_fill(~there, -float("inf")), dim).nan_to_num(0)
        got = corten.sparse.softmax(s, dim).to_dense()
        assert corten.allclose(got, want)
        log = corten.sparse.log_softmax(s, dim).to_dense()
        assert corten.allclose(log, corten.where(there, want, 1).log())
        assert corten.autograd.gradcheck(lambda v: corten.sparse.softmax(made(v), dim).to_dense(), (values,))


def test_leaf():
    """The gradient of a sparse leaf has the leaf's indices, coalesced."""
    leaf = made(corten.ones(4)).requires_grad_()
    corten.sparse.mm(leaf, corten.ones(4, 2)).sum().backward()
    assert leaf.grad.is_sparse and leaf.grad.is_coalesced()
    assert leaf.grad.indices().tolist() == [[0, 1, 2], [1, 3, 0]] and leaf.grad.values().tolist() == [2, 2, 2]
    corten.sparse.mm(leaf, corten.ones(4, 2)).sum().backward()
    assert leaf.grad.to_dense().sum() == 12
    leaf.grad.zero_()
    assert leaf.grad._nnz() == 0
    with pytest.raises(RuntimeError, match="leaf Variable"):
        leaf.mul_(2)


def test_in_place_keeps_history():
    values = corten.ones(4, requires_grad=True)
    s = made(values * 2)
    s.mul_(3)
    s.to_dense().sum().backward()
    assert values.grad.tolist() == [6, 6, 6, 6]


def test_copies(tmp_path):
    s = made(corten.tensor([1., 2, 3, 4]))
    buffer = io.BytesIO()
    corten.save({"s": s, "c": s.coalesce()}, buffer)
    buffer.seek(0)
    saved = corten.load(buffer)
    for t in (copy.copy(s), copy.deepcopy(s), pickle.loads(pickle.dumps(s)), saved["s"]):
        assert t.is_sparse and repr(t) == repr(s) and t._values().data_ptr() != 0
    assert saved["c"].is_coalesced() and copy.deepcopy(s)._values().data_ptr() != s._values().data_ptr()


def test_shares_memory():
    values = corten.tensor([1., 2, 3, 4])
    s = made(values)
    values[0] = 7
    assert s._values()[0] == 7 and s.detach()._values().data_ptr() == values.data_ptr()


@pytest.mark.parametrize("use", [lambda s: s.to_dense(), lambda s: s @ corten.ones(4, 2), lambda s: s * corten.ones(SIZE), lambda s: corten.ones(SIZE) + s,
                                 lambda s: s.index_select(0, corten.tensor([0, 2])), lambda s: s.coalesce().to_dense()])
@pytest.mark.parametrize("bad", [-(10 ** 12), 10 ** 12, 77])
def test_changed_indices(use, bad):
    """Indices can be overwritten after they were validated, so each use checks them again."""
    s = made(corten.ones(4))
    s._indices()[0, 2] = bad
    try:
        use(s)
    except (IndexError, RuntimeError):
        pass


def test_wrongly_coalesced():
    s = made(corten.ones(4))._coalesced_(True)
    assert (s * s).shape == (3, 4) and s.sparse_mask(s).shape == (3, 4)


REFUSED = ["s.exp()", "s.view(12)", "s.reshape(12)", "s.max()", "s.mean()", "s == s", "corten.where(s, s, s)", "s.cumsum(0)", "s.sort()", "s.fill_(1)", "s.normal_()",
           "corten.ones(3, 4) * 2 == s", "corten.ones(3, 4).copy_(s)", "s.numpy()", "s.tolist()", "memoryview(s)", "s.__dlpack__()", "s.storage()", "s.data_ptr()",
           "corten.ones(12).scatter(0, s, s)", "corten.ones(3).index_select(0, s)", "s.as_strided((2,), (1,))", "s.unfold(0, 1, 1)", "corten.exp(corten.ones(3, 4), out=s)",
           "s.expand(2, 3, 4)", "s.set_(corten.ones(3).untyped_storage())", "corten.ones(3, 4)[s]", "s[0] if s else 0", "s.resize_(2, 2)", "s.masked_fill_(s > 0, 1)", "s.share_memory_()",
           "corten.linalg.inv(s)", "corten.conv1d(s, s)", "s.add_(1)", "s.untyped_storage()", "corten.einsum('ij,jk', s, s.t())", "corten.nn.functional.linear(s, s)"]


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text):
    """Functions without sparse support raise; none reads the storage as dense elements."""
    s = made(corten.ones(4))
    try:
        result = eval(text, {"corten": corten, "s": s})
    except (RuntimeError, NotImplementedError, TypeError, BufferError, IndexError, ValueError):
        result = None
    if isinstance(result, corten.Tensor):
        repr(result)
    assert repr(s)


def test_old_names():
    s = made(corten.ones(4))
    assert corten.equal(corten.dsmm(s, corten.ones(4, 2)), s.to_dense() @ corten.ones(4, 2)) and corten.spmm is corten.sparse.mm


def test_sparse_gradients_of_tables():
    table = corten.nn.Embedding(4, 2, padding_idx=0, sparse=True)
    weight = table.weight
    for times in (1, 2):
        table(corten.tensor([[1, 0], [3, 1]], dtype=corten.int32)).sum().backward()
        assert weight.grad.is_sparse and weight.grad._indices().tolist() == [[1, 3, 1] * times]
    (weight * 2).sum().backward()  # adds a dense gradient
    assert not weight.grad.is_sparse and weight.grad.tolist() == [[2, 2], [6, 6], [2, 2], [4, 4]]
    weight.grad = None
    (table(corten.tensor([1, 2, 1])) + (weight * weight)[:3]).sum().backward()
    corten.testing.assert_close(weight.grad, corten.tensor([[0.], [2.], [1.], [0.]]).detach() + 2 * weight.detach() * corten.tensor([[1.], [1.], [1.], [0.]]))
    weight.grad = corten.zeros(4, 2).to_sparse()
    table.zero_grad(set_to_none=False)
    assert weight.grad.is_sparse and weight.grad._nnz() == 0
    for mode, wanted in (("sum", 1), ("mean", 1 / 3)):
        weight.grad = None
        corten.nn.functional.embedding_bag(corten.tensor([[1, 2, 1]]), weight, mode=mode, sparse=True).sum().backward()
        corten.testing.assert_close(weight.grad.to_dense(), corten.tensor([[0.], [2.], [1.], [0.]]).expand(4, 2) * wanted)
        assert weight.grad.is_sparse
    out = corten.nn.functional.embedding(corten.tensor([1]), weight, scale_grad_by_freq=True, sparse=True)
    with pytest.raises(RuntimeError, match="embedding_backward: scale_grad_by_freq not supported with sparse gradients"):
        out.sum().backward()
    first, = corten.autograd.grad(table(corten.tensor([1, 2])).square().sum(), weight, create_graph=True)
    assert first.is_sparse and first.requires_grad
    given = corten.ones(2, 2)
    weight.grad = None
    table(corten.tensor([1, 2])).backward(given)
    weight.grad._values().mul_(5)
    assert given.tolist() == [[1, 1], [1, 1]]
