# SPDX-License-Identifier: BSD-3-Clause
"""CSR and CSC tensors: the functions of COO tensors compared with dense ones, batches, copies, and invalid indices.
PyTorch's recorded results are in ../facts/sparse/sparse_compressed.txt."""
import copy
import io
import pickle
import random

import corten
import pytest
from test_sparse import REFUSED, SAME, SIZE, dense, made

CROW, COL = [0, 1, 2, 3], [1, 3, 0]  # test_sparse.INDICES, coalesced


def rows(values):
    """Makes a CSR tensor from the four values, of which two belong to the same element."""
    return corten.sparse_csr_tensor(CROW, COL, corten.stack([values[0] + values[3], values[2], values[1]]), SIZE)


def unordered(values):
    """A CSR tensor whose first row has unsorted columns and an explicit 0."""
    first = corten.stack([values[3] * 0, values[0] + values[3], values[2], values[1]])
    return corten.sparse_csr_tensor([0, 2, 3, 4], [2, 1, 3, 0], first, SIZE)


MAKE = {"rows": rows, "csr": lambda v: made(v).to_sparse_csr(), "csc": lambda v: made(v).to_sparse_csc(), "t": lambda v: made(v).t().to_sparse_csr().t(),
        "unordered": unordered}


def values():
    return corten.tensor([0.5, -1.25, 2.0, 1.75], dtype=corten.float64, requires_grad=True)


@pytest.mark.parametrize("make", MAKE)
@pytest.mark.parametrize("name", SAME)
def test_like_dense(name, make):
    """Compares values, gradients and second derivatives with the dense form."""
    sparse, full = SAME[name]
    results = []
    for start, what in ((MAKE[make], sparse), (dense, full)):
        v = values()
        y = what(start(v))
        weight = corten.arange(1, y.numel() + 1, dtype=corten.float64).reshape(y.shape)
        g, = corten.autograd.grad((y * y * weight).sum(), v, create_graph=True)
        h, = corten.autograd.grad((g * g).sum(), v, allow_unused=True)
        results.append((y, g, h))
    for mine, theirs in zip(*results):
        assert corten.allclose(mine, theirs, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("make", MAKE)
def test_softmax(make):
    there = dense(corten.ones(4, dtype=corten.float64)) > 0
    for dim in (0, 1):
        if make != "unordered":  # its explicit 0 takes part
            want = corten.softmax(dense(values()).masked_fill(~there, -float("inf")), dim).nan_to_num(0)
            assert corten.allclose(corten.sparse.softmax(MAKE[make](values()), dim).to_dense(), want)


@pytest.mark.parametrize("layout", [corten.sparse_csr, corten.sparse_csc])
def test_layout_stays(layout):
    s = made(values()).to_sparse(layout=layout)
    for t in (s * 2, -s, s.abs(), s.sin(), s + s, s + s.t().t(), s * s, s.clone(), s.detach(), s.float(), s.double(), s * corten.ones(SIZE), corten.zeros_like(s),
              s.sum(1, keepdim=True), s.sparse_mask(s), corten.ones(SIZE).sparse_mask(s), corten.nn.Parameter(s.detach()), s.t().transpose(0, 1)):
        assert t.layout == layout and not t.is_sparse and t.is_sparse_csr == (layout == corten.sparse_csr)
    assert s.t().layout == {corten.sparse_csr: corten.sparse_csc, corten.sparse_csc: corten.sparse_csr}[layout]
    assert (s @ s.t()).layout == corten.sparse_csr and (s @ corten.ones(4, 2, dtype=s.dtype)).layout == corten.strided
    assert s.to_sparse().is_sparse and s.to_sparse_coo().layout == corten.sparse_coo and s.to_sparse(layout=corten.strided).layout == corten.strided


def test_factors():
    s, w = rows(values()).detach(), corten.randn(4, 2, dtype=corten.float64, requires_grad=True)
    assert corten.autograd.gradcheck(lambda w: s @ w, (w,)) and corten.autograd.gradcheck(lambda w: s @ w[:, 0], (w,))
    assert corten.autograd.gradcheck(lambda v, w: corten.addmm(w[:3], rows(v), w, beta=2, alpha=3), (values(), w))
    assert corten.autograd.gradcheck(lambda v, w: corten.nn.functional.linear(w.t(), rows(v), w[0, :1]), (values(), w))
    many = corten.randn(2, 5, 4, dtype=corten.float64)
    assert corten.allclose(corten.nn.functional.linear(many, s), many @ s.to_dense().t())


def test_sampled_product():
    a, b = (corten.randn(n, m, dtype=corten.float64, requires_grad=True) for n, m in ((3, 2), (2, 4)))
    got = corten.sparse.sampled_addmm(rows(values()), a, b, beta=2, alpha=3)
    there = dense(corten.ones(4, dtype=corten.float64)) > 0
    assert corten.allclose(got.to_dense(), (2 * dense(values()) + 3 * (a @ b)) * there)
    assert corten.autograd.gradcheck(lambda v, a, b: corten.sparse.sampled_addmm(rows(v), a, b).to_dense(), (values(), a, b))


def test_batches():
    d = corten.tensor([[[0., 1, 0], [2, 0, 0]], [[0, 0, 3], [0, 4, 0]], [[5, 6, 0], [0, 0, 0]]], dtype=corten.float64)
    s = d.to_sparse_csr()
    assert s.crow_indices().tolist() == [[0, 1, 2], [0, 1, 2], [0, 2, 2]] and s.col_indices().tolist() == [[1, 0], [2, 1], [0, 1]]
    assert s.values().tolist() == [[1, 2], [3, 4], [5, 6]] and s._nnz() == 2 and s.sparse_dim() == 2 and s.dense_dim() == 0
    c = d.to_sparse_csc()
    assert c.ccol_indices().tolist() == [[0, 1, 2, 2], [0, 0, 1, 2], [0, 1, 2, 2]] and c.row_indices().tolist() == [[1, 0], [1, 0], [0, 0]]
    for t in (s, c, s.to_sparse_csc(), c.to_sparse_csr(), s.transpose(1, 2).transpose(2, 1)):
        assert corten.equal(t.to_dense(), d) and corten.equal((t * 2 + t).to_dense(), 3 * d) and corten.equal(t[1].to_dense(), d[1])
        assert t[1].layout == t.layout and corten.equal(t.transpose(1, 2).to_dense(), d.transpose(1, 2))
    wide = corten.randn(3, 3, 2, dtype=corten.float64)
    assert corten.allclose(s @ wide, d @ wide)
    more = corten.stack([d, 2 * d])  # a batch of batches
    assert corten.equal(more.to_sparse_csr().transpose(0, 1).to_dense(), more.transpose(0, 1)) and more.to_sparse_csr().values().shape == (2, 3, 2)
    v = s.values().clone().requires_grad_()
    assert corten.autograd.gradcheck(lambda v: (corten.sparse_csr_tensor(s.crow_indices(), s.col_indices(), v).values() ** 2), (v,))
    assert corten.autograd.gradcheck(lambda v: corten.sparse_csr_tensor(s.crow_indices(), s.col_indices(), v) @ wide, (v,))
    with pytest.raises(RuntimeError, match="same number of specified elements per batch"):
        corten.tensor([[[1., 0]], [[1, 1]]]).to_sparse_csr()
    with pytest.raises(RuntimeError, match="same number of specified elements per batch"):
        s + corten.tensor([[[1., 1, 1], [1, 1, 1]], [[0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0]]], dtype=corten.float64).to_sparse()


def test_leaf():
    leaf = rows(values()).detach().requires_grad_()
    for _ in range(2):
        corten.sparse.mm(leaf, corten.ones(4, 2, dtype=corten.float64)).sum().backward()
    assert leaf.grad.layout == corten.sparse_csr and leaf.grad.values().tolist() == [4, 4, 4] and leaf.grad.col_indices().tolist() == COL
    assert corten.sparse_csr_tensor(CROW, COL, [1., 2, 3], requires_grad=True).is_leaf
    with corten.no_grad():
        leaf.add_(leaf.grad, alpha=-0.5)
    assert corten.allclose(leaf.detach().values(), rows(values()).detach().values() - 2)


def test_in_place():
    v = values()
    s = rows(v * 2)
    s.mul_(3)
    s.to_dense().sum().backward()
    assert s.layout == corten.sparse_csr and v.grad.tolist() == [6, 6, 6, 6]
    shared = corten.tensor([1., 2, 3])
    t = corten.sparse_csr_tensor(CROW, COL, shared, SIZE)
    t.values()[0] = 7
    assert shared[0] == 7 and t.to_dense()[0, 1] == 7


@pytest.mark.parametrize("layout", [corten.sparse_csr, corten.sparse_csc])
def test_copies(layout):
    s = made(corten.tensor([1., 2, 3, 4])).to_sparse(layout=layout)
    buffer = io.BytesIO()
    corten.save({"s": s}, buffer)
    buffer.seek(0)
    for t in (copy.copy(s), copy.deepcopy(s), pickle.loads(pickle.dumps(s)), corten.load(buffer)["s"]):
        assert t.layout == layout and repr(t) == repr(s)
    assert copy.deepcopy(s).values().data_ptr() != s.values().data_ptr()


def test_narrow_indices():
    """int32 indices stay int32, also after arithmetic."""
    s = corten.sparse_csr_tensor(corten.tensor(CROW, dtype=corten.int32), corten.tensor(COL, dtype=corten.int32), [1., 2, 3], SIZE)
    for t in (s, s * 2, s + s, s.double(), s.t().t(), s.to_sparse_csc().to_sparse_csr(), pickle.loads(pickle.dumps(s))):
        assert t.crow_indices().dtype == t.col_indices().dtype == corten.int32
    assert s.to_sparse().indices().dtype == corten.int64
    mixed = corten.sparse_csr_tensor(corten.tensor(CROW), corten.tensor(COL, dtype=corten.int32), [1., 2, 3], SIZE)
    assert mixed.col_indices().dtype == corten.int64 and corten.equal(mixed.to_dense(), s.to_dense())


def test_order_is_checked_when_asked():
    wrong = ([0, 2], [1, 0], [1., 2])
    assert corten.sparse_csr_tensor(*wrong).to_dense().tolist() == [[2, 1]]
    assert corten.sparse_csr_tensor([0, 3], [1, 1, 0], [1., 2, 4]).to_dense().tolist() == [[4, 3]]
    with pytest.raises(RuntimeError, match="sorted and distinct"):
        corten.sparse_csr_tensor(*wrong, check_invariants=True)
    with corten.sparse.check_sparse_tensor_invariants():
        assert corten.sparse.check_sparse_tensor_invariants.is_enabled()
        with pytest.raises(RuntimeError, match="sorted and distinct"):
            corten.sparse_csr_tensor(*wrong)
        corten.sparse_csr_tensor(*wrong, check_invariants=False)
    assert not corten.sparse.check_sparse_tensor_invariants.is_enabled()


BROKEN = {  # Corten always refuses these; PyTorch checks only with check_invariants
    "begins at 0": (([1, 2], [0, 0], [1., 2], (1, 2)), r"`crow_indices\[..., 0\] == 0`"),
    "ends at nnz": (([0, 1], [0, 1], [1., 2], (1, 2)), r"`crow_indices\[..., -1\] == nnz`"),
    "ascends": (([0, 2, 1, 2], [0, 1], [1., 2], (3, 2)), r"`0 <= crow_indices\[..., 1:\] - crow_indices\[..., :-1\] <= ncols`"),
    "beyond the end": (([0, 9, 2], [0, 1], [1., 2], (2, 2)), r"`0 <= crow_indices\[..., 1:\] - crow_indices\[..., :-1\] <= ncols`"),
    "too great": (([0, 2], [0, 2], [1., 2], (1, 2)), "`0 <= col_indices < ncols`"),
    "negative": (([0, 2], [-1, 1], [1., 2], (1, 2)), "`0 <= col_indices < ncols`"),
    "negative, no size": (([0, 2], [-1, 1], [1., 2]), "`0 <= col_indices < ncols`"),
    "few rows": (([0, 2], [0, 1], [1., 2], (2, 2)), r"crow_indices.shape\[-1\] must be equal to the number of rows \+ 1 \(=3\), but got 2"),
    "no rows": (([], [], []), r"crow_indices.shape\[-1\] must be equal to the number of rows \+ 1 \(=1\), but got 0"),
    "few columns": (([0, 2], [0], [1., 2], (1, 2)), r"col_indices.shape\[-1\] must be equal to nnz \(=2\)"),
    "dims of size": (([0, 2], [0, 1], [1., 2], (2,)), "tensor dimensionality must be sum of batch, base, and dense"),
    "dims": (([0, 2], [[0, 1]], [1., 2]), "dimensionalities must be equal but got 1 and 2"),
    "a number": ((0, 0, 1.), "crow_indices must have dimensionality >= 1 but got 0"),
    "batches": (([[0, 1]], [[0]], [[1.]], (2, 1, 1)), r"must be equal to tensor batch dimensions \(=\[2\]\)"),
    "dense dims": (([0, 1], [0], [[1., 2]], (1, 1, 3)), "values has incorrect size"),
    "types": ((corten.tensor([0., 1]), [0], [1.]), "dtype must be Int or Long, but got Float"),
    "sparse values": (([0, 1], [0], corten.ones(1).to_sparse()), "expected values to be a strided tensor but got Sparse tensor"),
    "sparse indices": ((corten.tensor([0, 1]).to_sparse_coo(), [0], [1.]), "expected crow_indices to be a strided tensor but got Sparse tensor"),
    "great": (([0], [], [], (0, 2 ** 63 - 1)), "."),
    "negative size": (([0, 1], [0], [1.], (1, -1)), "negative dimension"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken(name):
    given, text = BROKEN[name]
    with pytest.raises(RuntimeError, match=text):
        corten.sparse_csr_tensor(*given)


def test_random_indices():
    """Random indices are refused, or give the same tensor as a plain loop."""
    r = random.Random(3)
    for _ in range(400):
        n, m, nnz = r.randrange(4), r.randrange(4), r.randrange(5)
        crow = sorted(r.randrange(nnz + 1) for _ in range(n + 1))
        if r.random() < 0.8:
            crow[0], crow[-1] = 0, nnz if n else crow[-1]
        col = [r.randrange(-1 if r.random() < 0.1 else 0, m + (r.random() < 0.1) or 1) for _ in range(nnz)]
        try:
            s = corten.sparse_csr_tensor(crow, col, corten.arange(1., nnz + 1), (n, m))
        except RuntimeError:
            continue
        want = corten.zeros(n, m)
        for row in range(n):
            for i in range(crow[row], crow[row + 1]):
                want[row, col[i]] += i + 1
        for t in (s, s.to_sparse_csc(), s.t().t(), s.to_sparse().to_sparse_csr(), s + corten.zeros_like(s)):
            assert corten.equal(t.to_dense(), want), (crow, col)


@pytest.mark.parametrize("use", [lambda s: s.to_dense(), lambda s: s @ corten.ones(4, 2), lambda s: s.crow_indices(), lambda s: s.t() @ corten.ones(3, 2), lambda s: s + s.t().t(),
                                 lambda s: s.to_sparse_csc(), lambda s: s.to_sparse_csc().ccol_indices(), lambda s: s[0], repr, lambda s: s.sum(1, keepdim=True), lambda s: s * s])
@pytest.mark.parametrize("bad", [-(10 ** 12), 10 ** 12, 77])
def test_changed_indices(use, bad):
    """Indices can be overwritten after they were validated, so each use checks them again."""
    for s in (made(corten.ones(4)).to_sparse_csr(), made(corten.ones(4)).t().to_sparse_csr().t()):
        (s.col_indices() if s.is_sparse_csr else s.row_indices())[1] = bad
        try:
            use(s)
        except (IndexError, RuntimeError, MemoryError):
            pass


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text):
    """Functions without sparse support raise; none reads the storage as dense elements."""
    for make in (MAKE["csr"], MAKE["csc"]):
        s = make(corten.ones(4))
        try:
            result = eval(text, {"corten": corten, "s": s})
        except (RuntimeError, NotImplementedError, TypeError, BufferError, IndexError, ValueError):
            result = None
        if isinstance(result, corten.Tensor):
            repr(result)
        assert repr(s)


def test_meta():
    with pytest.raises(NotImplementedError, match="meta"):
        corten.sparse_csr_tensor([0, 1], [0], corten.ones(1, device="meta"))
