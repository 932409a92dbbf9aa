# SPDX-License-Identifier: BSD-3-Clause
"""BSR and BSC: compressed rows and columns of blocks."""
import io

import pytest

import corten as torch

D = torch.tensor([[1., 0, 0, 0, 5, 6], [0, 0, 0, 0, 7, 8], [0, 0, 3, 0, 0, 0], [0, 0, 0, 4, 0, 0]])
BLOCKS = torch.tensor([[[1., 0], [0, 0]], [[5, 6], [7, 8]], [[3, 0], [0, 4]]])


def bsr():
    return D.to_sparse_bsr((2, 2))


def test_parts():
    b, c = bsr(), D.to_sparse_bsc((2, 2))
    assert b.layout is torch.sparse_bsr and c.layout is torch.sparse_bsc and b.shape == (4, 6) and b._nnz() == 3
    assert b.crow_indices().tolist() == [0, 2, 3] and b.col_indices().tolist() == [0, 2, 1] and torch.equal(b.values(), BLOCKS)
    assert c.ccol_indices().tolist() == [0, 1, 2, 3] and c.row_indices().tolist() == [0, 1, 0]
    assert torch.equal(c.values(), BLOCKS[[0, 2, 1]]) and (b.sparse_dim(), b.dense_dim(), b.is_sparse, b.is_sparse_csr) == (2, 0, False, False)
    assert torch.equal(b.to_dense(), D) and torch.equal(c.to_dense(), D)
    assert repr(b) == ("tensor(crow_indices=tensor([0, 2, 3]),\n       col_indices=tensor([0, 2, 1]),\n       values=tensor([[[1., 0.],\n"
                       "                       [0., 0.]],\n\n                      [[5., 6.],\n                       [7., 8.]],\n\n"
                       "                      [[3., 0.],\n                       [0., 4.]]]), size=(4, 6), nnz=3,\n       layout=torch.sparse_bsr)")
    with pytest.raises(RuntimeError, match="ccol_indices expected sparse column compressed tensor layout but got SparseBsr"):
        b.ccol_indices()


@pytest.mark.parametrize("layout", [torch.sparse_bsr, torch.sparse_bsc], ids=str)
@pytest.mark.parametrize("shape, block, dense", [((4, 6), (2, 3), 0), ((4, 6), (1, 2), 0), ((2, 4, 6), (2, 2), 0), ((4, 6, 3), (4, 2), 1),
                                                 ((2, 3, 4, 4), (2, 4), 0), ((4, 4), (4, 4), 0), ((0, 4), (2, 2), 0)])
def test_there_and_back(layout, shape, block, dense):
    torch.manual_seed(0)
    x = torch.randn(shape)
    if len(shape) - dense == 2:
        x = x * (torch.rand(shape) < 0.2)
    blocks = x.to_sparse(layout=layout, blocksize=block, dense_dim=dense)
    assert blocks.layout is layout and torch.equal(blocks.to_dense(), x) and blocks.dense_dim() == dense
    batch = len(shape) - 2 - dense
    assert blocks.values().shape[batch + 1:batch + 3] == block and blocks.values().shape[:batch] == shape[:batch]
    rows = layout is torch.sparse_bsr
    begins = blocks.crow_indices() if rows else blocks.ccol_indices()
    plain = blocks.col_indices() if rows else blocks.row_indices()
    again = torch.sparse_compressed_tensor(begins, plain, blocks.values(), blocks.shape, layout=layout, check_invariants=True)
    assert torch.equal(again.to_dense(), x) and torch.equal(again.values(), blocks.values())
    file = io.BytesIO()
    torch.save(blocks, file)
    file.seek(0)
    loaded = torch.load(file)
    assert loaded.layout is layout and torch.equal(loaded.to_dense(), x) and torch.equal(loaded.values(), blocks.values())
    other = blocks.to_sparse_bsc(block) if rows else blocks.to_sparse_bsr(block)
    assert torch.equal(other.to_dense(), x) and other.layout is not layout
    turned = blocks.transpose(batch, batch + 1)
    assert torch.equal(turned.to_dense(), x.transpose(batch, batch + 1)) and turned.layout is other.layout
    assert turned.values().shape[batch + 1:batch + 3] == block[::-1]
    assert torch.equal(blocks.to_sparse().to_dense(), x)


def test_explicit_zeros_stay():
    """Conversion from another sparse layout keeps every block with a specified element, even if that element is 0."""
    coo = torch.sparse_coo_tensor([[0, 3], [0, 5]], [0., 2.], (4, 6))
    assert coo.to_sparse_bsr((2, 2))._nnz() == 2 and coo.to_dense().to_sparse_bsr((2, 2))._nnz() == 1
    assert D.to_sparse_csr().to_sparse_bsr((2, 2)).col_indices().tolist() == [0, 2, 1]
    assert D.to_sparse_csc().to_sparse_bsc((2, 2)).row_indices().tolist() == [0, 1, 0]


def test_arithmetic():
    b = bsr()
    for out, want in [(b * 2, D * 2), (b + b, D + D), (-b, -D), (b.abs(), D.abs()), (b.sin(), D.sin()), (b.double(), D.double()),
                      (b.clone(), D), (b.t().t(), D), (D.sparse_mask(b), D), (b.sparse_mask(b), D), (torch.relu(b), D.relu())]:
        assert out.layout is torch.sparse_bsr and torch.equal(out.to_dense(), want)
    assert b.sum() == 34 and b.int().values().dtype is torch.int32
    x = torch.arange(12.).view(6, 2)
    assert torch.equal(b @ x, D @ x) and torch.equal(b @ x[:, 0], D @ x[:, 0]) and torch.equal(torch.addmm(torch.ones(4, 2), b, x), 1 + D @ x)
    assert torch.equal(torch.sparse.mm(b, x), D @ x) and torch.equal(torch.nn.functional.linear(x.t(), b), x.t() @ D.t())
    with pytest.raises(RuntimeError, match=r"addmm: computation on CPU is not implemented for Strided \+ SparseBsc @ Strided"):
        D.to_sparse_bsc((2, 2)) @ x


def test_gradients():
    for layout in (torch.sparse_bsr, torch.sparse_bsc):
        w = D.clone().requires_grad_()
        blocks = w.to_sparse(layout=layout, blocksize=(2, 2))
        (blocks.to_dense() * torch.arange(24.).view(4, 6)).sum().backward()
        places = torch.kron((D.view(2, 2, 3, 2).abs().sum((1, 3)) > 0).float(), torch.ones(2, 2))
        assert torch.equal(w.grad, torch.arange(24.).view(4, 6) * places)
    v = BLOCKS.clone().requires_grad_()
    x = torch.arange(12.).view(6, 2)
    made = torch.sparse_bsr_tensor(torch.tensor([0, 2, 3]), torch.tensor([0, 2, 1]), v, (4, 6), requires_grad=True)
    (made @ x).sum().backward()
    assert made.grad.layout is torch.sparse_bsr and torch.equal(made.grad.values()[0], x[:2].sum(1).expand(2, 2))


def test_refusals():
    cases = [
        (lambda: D.to_sparse_bsr((3, 2)), r"tensor sparse size \(4,6\) must be divisible by given blocksize \(3,2\)"),
        (lambda: D.to_sparse_bsr((2,)), "blocksize needs to be a tuple of size 2, but got 1"),
        (lambda: D.to_sparse_bsc((0, 2)), r"dense_to_sparse_bsc: blocksize needs to be positive, but got \[0, 2\]"),
        (lambda: D.to_sparse(layout=torch.sparse_bsr), "conversion from Strided to SparseBsr without blocksize argument given is not supported"),
        (lambda: bsr().to_sparse_csr(), "expected SparseCsr or SparseCsc layout but got SparseBsr"),
        (lambda: torch.sparse_bsr_tensor([0, 1, 2], [0, 1], [1., 2.]), r"sum of batch and block dimensionalities \(=0 \+ 2\) but got 1"),
        (lambda: torch.sparse_bsr_tensor([0, 1, 2], [0, 1], BLOCKS[:2], (4, 5)), r"tensor shape\[1\] \(=5\) must be divisible with blocksize\[1\] \(=2\)"),
        (lambda: torch.sparse_bsr_tensor([0, 2], [1, 0], BLOCKS[:2]), "are sorted and distinct along the last dimension values` is not satisfied"),
        (lambda: torch.sparse_bsr_tensor([0, 1, 3], [0, 1], BLOCKS[:2]), "is not satisfied"),
        (lambda: torch.zeros(2, 2, layout=torch.sparse_bsr), "tensor layout but got SparseBsr"),
        (lambda: torch.stack([D, D * 0]).to_sparse_bsr((2, 2)), "Expect the same number of specified elements per batch")]
    for call, text in cases:
        with pytest.raises(RuntimeError, match=text):
            call()
