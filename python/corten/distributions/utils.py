# SPDX-License-Identifier: BSD-3-Clause
"""Helpers shared by distributions, and used by programs that define their own."""
import math

from .. import normal, ones, tril_indices, zeros
from .derived import sum_rightmost as _sum_rightmost  # noqa: F401
from .discrete import clamp_probs, logits_to_probs, probs_to_logits
from .distribution import broadcast_all, lazy_property

__all__ = ["broadcast_all", "logits_to_probs", "clamp_probs", "probs_to_logits", "lazy_property", "tril_matrix_to_vec",
           "vec_to_tril_matrix"]
euler_constant = 0.57721566490153286060


def _standard_normal(shape, dtype, device):
    return normal(zeros(shape, dtype=dtype, device=device), ones(shape, dtype=dtype, device=device))


def tril_matrix_to_vec(mat, diag=0):
    """Return the elements on and below a diagonal, row by row, as vectors.

    Args:
        mat: square matrices, of shape (..., n, n).
        diag: the diagonal: 0 is the main one, -1 the one below. Default: 0

        >>> from corten.distributions.utils import tril_matrix_to_vec
        >>> tril_matrix_to_vec(torch.tensor([[1., 0.], [2., 3.]]))
        tensor([1., 2., 3.])
    """
    n = mat.shape[-1]
    if diag < -n or diag >= n:
        raise ValueError(f"diag ({diag}) provided is outside [{-n}, {n - 1}].")
    rows, columns = tril_indices(n, n, diag, device=mat.device)
    return mat[..., rows, columns]


def vec_to_tril_matrix(vec, diag=0):
    """Return lower triangular matrices with given elements: the inverse of tril_matrix_to_vec.

    Args:
        vec: the elements row by row, of shape (..., m), where m elements fill the triangle of some n x n matrix.
        diag: the diagonal: 0 is the main one, -1 the one below. Default: 0

        >>> from corten.distributions.utils import vec_to_tril_matrix
        >>> vec_to_tril_matrix(torch.tensor([1., 2., 3.]))
        tensor([[1., 0.],
                [2., 3.]])
    """
    # n rows have m elements, where n (n + 1 + 2 diag) - diag (diag + 1) = 2 m.
    count = vec.shape[-1]
    n = (-(1 + 2 * diag) + math.sqrt((1 + 2 * diag) ** 2 + 8 * count + 4 * abs(diag) * (diag + 1))) / 2
    if abs(round(n) - n) > 1e-7:
        raise ValueError(f"The size of last dimension is {count} which cannot be expressed as the lower triangular part of a "
                         "square D x D matrix.")
    n = round(n)
    rows, columns = tril_indices(n, n, diag, device=vec.device)
    mat = vec.new_zeros(*vec.shape[:-1], n, n)
    mat[..., rows, columns] = vec
    return mat
