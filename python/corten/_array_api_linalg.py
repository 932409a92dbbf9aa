# SPDX-License-Identifier: BSD-3-Clause
"""The extension `linalg` of the array API standard: `corten.array_api.linalg`."""
from ._C import _submodules
from ._C import outer as _outer
from .array_api import _pair, matmul, matrix_transpose, sum as _sum, tensordot, vecdot
from .functional import broadcast_tensors as _broadcast_tensors

_linalg = _submodules["linalg"]
__all__ = ["cholesky", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "matmul", "matrix_norm",
           "matrix_power", "matrix_rank", "matrix_transpose", "outer", "pinv", "qr", "slogdet", "solve", "svd", "svdvals",
           "tensordot", "trace", "vecdot", "vector_norm"]


def cholesky(x, /, *, upper=False):
    """Cholesky factor of Hermitian positive-definite matrices, lower triangular unless `upper` is set."""
    return _linalg.cholesky(x, upper=upper)


def cross(x1, x2, /, *, axis=-1):
    """Cross product of 3-element vectors along an axis."""
    if not x1.shape[axis] == x2.shape[axis] == 3:
        raise ValueError("cross: expected vectors of 3 elements")
    return _linalg.cross(*_broadcast_tensors(*_pair(x1, x2)), dim=axis)


def det(x, /):
    """Determinant of square matrices."""
    return _linalg.det(x)


def diagonal(x, /, *, offset=0):
    """Diagonal of matrices; `offset` selects one above (positive) or below the main diagonal."""
    return _linalg.diagonal(x, offset=offset)


def eig(x, /):
    """Eigenvalues and eigenvectors of square matrices."""
    return _linalg.eig(x)


def eigh(x, /):
    """Eigenvalues and eigenvectors of symmetric or Hermitian matrices."""
    return _linalg.eigh(x)


def eigvals(x, /):
    """Eigenvalues of square matrices."""
    return _linalg.eigvals(x)


def eigvalsh(x, /):
    """Eigenvalues of symmetric or Hermitian matrices."""
    return _linalg.eigvalsh(x)


def inv(x, /):
    """Inverse of square matrices."""
    return _linalg.inv(x)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """Matrix norm; `ord` is "fro", "nuc", 1, -1, 2, -2 or an infinity."""
    return _linalg.matrix_norm(x, ord, (-2, -1), keepdims)


def matrix_power(x, n, /):
    """Raises square matrices to the integer power n."""
    return _linalg.matrix_power(x, n)


def matrix_rank(x, /, *, rtol=None):
    """Rank of matrices: the number of singular values above rtol times the largest."""
    return _linalg.matrix_rank(x, rtol=rtol)


def outer(x1, x2, /):
    """Outer product of two vectors."""
    return _outer(*_pair(x1, x2))


def pinv(x, /, *, rtol=None):
    """Moore-Penrose pseudoinverse of matrices."""
    return _linalg.pinv(x, rtol=rtol)


def qr(x, /, *, mode="reduced"):
    """QR factorization: a matrix Q with orthonormal columns and an upper triangular R with x = Q R."""
    return _linalg.qr(x, mode)


def slogdet(x, /):
    """Sign of the determinant and logarithm of its absolute value."""
    return _linalg.slogdet(x)


def solve(x1, x2, /):
    """Solves x1 x = x2 for x; x2 is treated as a vector only if it has one axis."""
    x1, x2 = _pair(x1, x2)
    if 1 < x2.ndim < x1.ndim:  # PyTorch would treat it as a stack of vectors
        x2 = x2[(None,) * (x1.ndim - x2.ndim)]
    return _linalg.solve(x1, x2)


def svd(x, /, *, full_matrices=True):
    """Singular value decomposition (U, S, Vh)."""
    return _linalg.svd(x, full_matrices)


def svdvals(x, /):
    """Singular values of matrices."""
    return _linalg.svdvals(x)


def trace(x, /, *, offset=0, dtype=None):
    """Sum of the diagonal of matrices."""
    return _sum(_linalg.diagonal(x, offset=offset), axis=-1, dtype=dtype)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """Vector norm of order `ord` along axes; axis=() gives the norm of each element."""
    if axis == ():
        return _linalg.vector_norm(x.unsqueeze(-1), ord, -1)
    return _linalg.vector_norm(x, ord, axis, keepdims)
