# SPDX-License-Identifier: BSD-3-Clause
"""Older sparse functions, composed of the current ones: products with sparse results, copies, and resizing."""
from . import _C


def _is_coo(x):
    return x.layout == _C.sparse_coo


def smm(input, mat):
    """Return the product of a sparse matrix and a dense one, as a sparse matrix that stores every row."""
    if not _is_coo(input):
        raise RuntimeError("tensor.sspaddmm(...) can only be called on sparse tensors")
    return sspaddmm(_C.sparse_coo_tensor(size=(input.shape[0], mat.shape[1]), dtype=mat.dtype, device=mat.device), input, mat)


def sspaddmm(input, mat1, mat2, *, beta=1, alpha=1):
    """Return beta * input + alpha * (mat1 @ mat2) for sparse input and mat1, as a sparse matrix that is not coalesced."""
    if not (_is_coo(input) and _is_coo(mat1)):
        raise RuntimeError("sspaddmm: the first two matrices must be sparse, in coordinates")
    rows = hspmm(mat1, mat2)
    if input.shape != rows.shape:
        raise RuntimeError(f"sspaddmm: expected an input of size {tuple(rows.shape)}, but got {tuple(input.shape)}")
    places, values, columns = rows._indices(), rows._values(), mat2.shape[1]
    row = places[0].repeat_interleave(columns)
    column = _C.arange(columns, device=row.device).repeat(places.shape[1])
    indices = _C.cat([input._indices(), _C.stack([row, column])], 1)
    return _C.sparse_coo_tensor(indices, _C.cat([input._values() * beta, values.flatten() * alpha]), input.shape)


def hspmm(mat1, mat2):
    """Return the product of a sparse matrix and a dense one, which stores a dense row for each row of mat1 that has values."""
    if not _is_coo(mat1):
        raise NotImplementedError("Could not run 'aten::hspmm' with arguments from the 'CPU' backend: the first matrix must be "
                                  "sparse, in coordinates")
    rows = mat1.coalesce().indices()[0].unique_consecutive()
    return _C.sparse_coo_tensor(rows[None], _C.mm(mat1, mat2).index_select(0, rows), (mat1.shape[0], mat2.shape[1]))


def _copy(name):
    def copy(input):
        return getattr(input, name)().clone()
    copy.__name__ = copy.__qualname__ = f"{name}_copy"
    copy.__doc__ = f"A copy of `input.{name}()`."
    return copy


crow_indices_copy, col_indices_copy = _copy("crow_indices"), _copy("col_indices")
ccol_indices_copy, row_indices_copy = _copy("ccol_indices"), _copy("row_indices")
indices_copy, values_copy = _copy("indices"), _copy("values")


def _without_values(x, size, sparse_dim, dense_dim):
    if sparse_dim + dense_dim != len(size):
        raise RuntimeError(f"number of dimensions must be sparse_dim ({sparse_dim}) + dense_dim ({dense_dim}), "
                           f"but got {len(size)}")
    return _C.sparse_coo_tensor(_C.empty((sparse_dim, 0), dtype=_C.int64, device=x.device),
                                _C.empty((0, *size[sparse_dim:]), dtype=x.dtype, device=x.device), size)


def _refuse_dense(x, name):
    if not _is_coo(x):
        raise NotImplementedError(f"Could not run 'aten::{name}' with arguments from the 'CPU' backend: only sparse tensors, in "
                                  "coordinates, can be resized so")


def sparse_resize_and_clear_(self, size, sparse_dim, dense_dim):
    """Change the shape of a sparse tensor and remove all its values."""
    _refuse_dense(self, "sparse_resize_and_clear_")
    self.data = _without_values(self, tuple(size), sparse_dim, dense_dim)
    return self


def sparse_resize_(self, size, sparse_dim, dense_dim):
    """Change the shape of a sparse tensor; if it has values, only its sparse dims can change, and only grow."""
    _refuse_dense(self, "sparse_resize_")
    size, old = tuple(size), tuple(self.shape)
    if not self._nnz():
        return sparse_resize_and_clear_(self, size, sparse_dim, dense_dim)
    for what, is_now, wanted in (("sparse", self.sparse_dim(), sparse_dim), ("dense", self.dense_dim(), dense_dim)):
        if is_now != wanted:
            raise RuntimeError(f"changing the number of {what} dimensions (from {is_now} to {wanted}) on a non-empty sparse "
                               "tensor is not supported.")
    if any(a > b for a, b in zip(old[:sparse_dim], size)):
        raise RuntimeError(f"shrinking the size of sparse dimensions (from {list(old[:sparse_dim])} to "
                           f"{list(size[:sparse_dim])}) on a non-empty sparse tensor is not supported.")
    if old[sparse_dim:] != size[sparse_dim:]:
        raise RuntimeError(f"changing the size of dense dimensions (from {list(old[sparse_dim:])} to "
                           f"{list(size[sparse_dim:])}) on a non-empty sparse tensor is not supported.")
    self.data = _C.sparse_coo_tensor(self._indices(), self._values(), size, is_coalesced=self.is_coalesced())
    return self


def resize_as_sparse_(input, the_template):
    """Change the shape of a sparse tensor, and its numbers of sparse and dense dims, to those of another one."""
    if input.shape == the_template.shape and input.layout == the_template.layout:
        return input
    return sparse_resize_(input, the_template.shape, the_template.sparse_dim(), the_template.dense_dim())
