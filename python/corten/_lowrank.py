# SPDX-License-Identifier: BSD-3-Clause
"""Singular values of matrices of low rank, found by products with a few random vectors (N. Halko, P. Martinsson,
J. Tropp, Finding Structure with Randomness, 2009, algorithms 4.4 and 5.1)."""
from . import _C, linalg

__all__ = ["pca_lowrank", "svd_lowrank"]


def _floating(A):
    return A.dtype if A.dtype in (_C.float16, _C.float32, _C.float64) else _C.float32


def _basis(A, q, niter, M):
    """q orthonormal columns that A, or A - M, maps into; neither difference nor M is written out."""
    def times(matrix, mean, vectors):
        product = _C.matmul(matrix, vectors)
        return product if mean is None else product - _C.matmul(mean, vectors)

    Q = linalg.qr(times(A, M, _C.randn(A.shape[-1], q, dtype=A.dtype if A.is_complex() else _floating(A), device=A.device))).Q
    for _ in range(niter):
        Q = linalg.qr(times(A.mH, None if M is None else M.mH, Q)).Q
        Q = linalg.qr(times(A, M, Q)).Q
    return Q


def svd_lowrank(A, q=6, niter=2, M=None):
    """U, S and V with A, or A - M, nearly U times S on a diagonal times V's adjoint; q: a little more than the rank."""
    q, niter = 6 if q is None else q, 2 if niter is None else niter
    m, n = A.shape[-2:]
    if M is not None:
        M = M.broadcast_to(A.size())
    if m < n:  # the columns are the shorter ones
        A, M = A.mH, None if M is None else M.mH
    Q = _basis(A, q, niter, M)
    B = _C.matmul(Q.mH, A)
    if M is not None:
        B = B - _C.matmul(Q.mH, M)
    U, S, Vh = linalg.svd(B, full_matrices=False)
    U, V = Q.matmul(U), Vh.mH
    return (V, S, U) if m < n else (U, S, V)


def pca_lowrank(A, q=None, center=True, niter=2):
    """Principal components: svd_lowrank of A without the mean of its columns."""
    m, n = A.shape[-2:]
    if q is None:
        q = min(6, m, n)
    elif not 0 <= q <= min(m, n):
        raise ValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}")
    if not niter >= 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    if center:
        A = A - A.mean(dim=(-2,), keepdim=True)
    return svd_lowrank(A, q, niter)
