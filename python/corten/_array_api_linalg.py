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
    """The triangular factor of positive matrices."""
    return _linalg.cholesky(x, upper=upper)


def cross(x1, x2, /, *, axis=-1):
    """The cross products of vectors of three numbers along an axis."""
    if not x1.shape[axis] == x2.shape[axis] == 3:
        raise ValueError("cross: vectors have three elements")
    return _linalg.cross(*_broadcast_tensors(*_pair(x1, x2)), dim=axis)


def det(x, /):
    """The determinants of square matrices."""
    return _linalg.det(x)


def diagonal(x, /, *, offset=0):
    """The diagonals of matrices."""
    return _linalg.diagonal(x, offset=offset)


def eig(x, /):
    """The eigenvalues and eigenvectors of square matrices."""
    return _linalg.eig(x)


def eigh(x, /):
    """The eigenvalues and eigenvectors of matrices that equal their adjoint."""
    return _linalg.eigh(x)


def eigvals(x, /):
    """The eigenvalues of square matrices."""
    return _linalg.eigvals(x)


def eigvalsh(x, /):
    """The eigenvalues of matrices that equal their adjoint."""
    return _linalg.eigvalsh(x)


def inv(x, /):
    """The inverses of square matrices."""
    return _linalg.inv(x)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """The norms of matrices."""
    return _linalg.matrix_norm(x, ord, (-2, -1), keepdims)


def matrix_power(x, n, /):
    """Square matrices multiplied by themselves."""
    return _linalg.matrix_power(x, n)


def matrix_rank(x, /, *, rtol=None):
    """The ranks of matrices."""
    return _linalg.matrix_rank(x, rtol=rtol)


def outer(x1, x2, /):
    """The products of all elements of one vector with all of another."""
    return _outer(*_pair(x1, x2))


def pinv(x, /, *, rtol=None):
    """The pseudoinverses of matrices."""
    return _linalg.pinv(x, rtol=rtol)


def qr(x, /, *, mode="reduced"):
    """Orthonormal columns Q and a triangular R whose product is the matrix."""
    return _linalg.qr(x, mode)


def slogdet(x, /):
    """The sign of determinants, and the logarithm of their absolute value."""
    return _linalg.slogdet(x)


def solve(x1, x2, /):
    """The solution of x1 x = x2; x2 is a vector only where it has one axis."""
    x1, x2 = _pair(x1, x2)
    if 1 < x2.ndim < x1.ndim:  # PyTorch would take it for a stack of vectors
        x2 = x2[(None,) * (x1.ndim - x2.ndim)]
    return _linalg.solve(x1, x2)


def svd(x, /, *, full_matrices=True):
    """The singular values of matrices, with their vectors."""
    return _linalg.svd(x, full_matrices)


def svdvals(x, /):
    """The singular values of matrices."""
    return _linalg.svdvals(x)


def trace(x, /, *, offset=0, dtype=None):
    """The sums of the diagonals of matrices."""
    return _sum(_linalg.diagonal(x, offset=offset), axis=-1, dtype=dtype)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """The norms of vectors; over no axes, of each element."""
    if axis == ():
        return _linalg.vector_norm(x.unsqueeze(-1), ord, -1)
    return _linalg.vector_norm(x, ord, axis, keepdims)
