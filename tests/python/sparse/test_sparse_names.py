# SPDX-License-Identifier: BSD-3-Clause
"""Rarer sparse operations and older names: sparse products, narrow_copy, resizing, spdiags, gradcheck."""
import pytest

import corten as torch

S = torch.tensor([[1., 0, 2], [0, 3, 0], [4, 0, 0]]).to_sparse()
D = torch.arange(9.).view(3, 3)


def test_products():
    product = S.to_dense() @ D
    for p in (torch.smm(S, D), S.smm(D)):
        assert p.layout is torch.sparse_coo and p._nnz() == 9 and torch.equal(p.to_dense(), product)
    h = torch.hspmm(S, D)
    assert (h.sparse_dim(), h.dense_dim()) == (1, 1) and not h.is_coalesced() and torch.equal(h.to_dense(), product)
    for p in (torch.sspaddmm(S, S, D, beta=2, alpha=3), S.sspaddmm(S, D, beta=2, alpha=3)):
        assert p._nnz() == 13 and torch.equal(p.to_dense(), 2 * S.to_dense() + 3 * product)
    with pytest.raises(RuntimeError, match="can only be called on sparse tensors"):
        torch.smm(D, D)


def test_copies():
    c = S.to_sparse_csr()
    for name in ("crow_indices", "col_indices", "values"):
        copy = getattr(torch, name + "_copy")(c)
        assert torch.equal(copy, getattr(c, name)())
    assert torch.values_copy(c).data_ptr() != c.values().data_ptr() and torch.equal(torch.indices_copy(S), S.indices())
    assert torch.row_indices_copy(S.to_sparse_csc()).tolist() == [0, 2, 1, 0] and torch.ccol_indices_copy(S.to_sparse_csc()).tolist() == [0, 2, 3, 4]


def test_resizing():
    s = S.clone()
    assert s.sparse_resize_((4, 5), 2, 0) is s and s.shape == (4, 5) and torch.equal(s.to_dense()[:3, :3], S.to_dense()) and s._nnz() == 4
    for size, dims, text in [((2, 2), (2, 0), r"shrinking the size of sparse dimensions \(from \[3, 3\] to \[2, 2\]\)"),
                             ((2, 2), (1, 1), r"changing the number of sparse dimensions \(from 2 to 1\)")]:
        with pytest.raises(RuntimeError, match=text):
            S.clone().sparse_resize_(size, *dims)
    s = S.clone().sparse_resize_and_clear_((2, 3), 1, 1)
    assert s.shape == (2, 3) and (s.sparse_dim(), s.dense_dim(), s._nnz()) == (1, 1, 0)
    s = torch.resize_as_sparse_(torch.zeros(2, 2).to_sparse(), S)
    assert s.shape == (3, 3) and s._nnz() == 0
    with pytest.raises(NotImplementedError, match="only sparse tensors"):
        D.clone().sparse_resize_((2, 2), 2, 0)


def test_diagonals():
    rows = torch.tensor([[1., 2, 3], [4, 5, 6]])
    assert torch.sparse.spdiags(rows, torch.tensor([0, 1]), (3, 3)).to_dense().tolist() == [[1, 5, 0], [0, 2, 6], [0, 0, 3]]
    assert torch.sparse.spdiags(rows, torch.tensor([0, -1]), (3, 4)).to_dense().tolist() == [[1, 0, 0, 0], [4, 2, 0, 0], [0, 5, 3, 0]]
    assert torch.sparse.spdiags(rows[0], torch.tensor([1]), (3, 3), layout=torch.sparse_csr).crow_indices().tolist() == [0, 1, 2, 2]
    for args, text in [((rows, torch.tensor([0, 0]), (3, 3)), "duplicate values"), ((rows, torch.tensor([0]), (3, 3)), "does not match the number"),
                       ((rows[0], torch.tensor([1.]), (3, 3)), "Offset Tensor must have dtype Long but got Float"),
                       ((rows[0], torch.tensor([1]), (3,)), "Output shape must be 2d"),
                       ((rows[0], torch.tensor([1]), (3, 3), torch.strided), "are supported, got Strided")]:
        with pytest.raises(RuntimeError, match=text):
            torch.sparse.spdiags(*args)
    with pytest.raises(NotImplementedError, match="torch.sparse.spsolve is not available in Corten"):
        torch.sparse.spsolve(S.to_sparse_csr(), torch.ones(3))


def test_gradcheck():
    check = torch.sparse.as_sparse_gradcheck(torch.autograd.gradcheck)
    for x in (S.double(), S.double().to_sparse_csr(), S.double().to_sparse_csc()):
        assert check(lambda x: x * x, (x.detach().requires_grad_(),), masked=True)
        assert check(lambda x: (x.to_dense() @ D.double()).sin(), (x.detach().requires_grad_(),), masked=True)
    with pytest.raises(NotImplementedError, match="masked=False"):
        check(lambda x: x, (S.double().requires_grad_(),), masked=False)
