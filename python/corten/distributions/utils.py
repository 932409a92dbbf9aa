# SPDX-License-Identifier: BSD-3-Clause
"""What distributions share, and those that programs write themselves: broadcasting, probabilities and logits, triangles."""
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
    """The elements on and below a diagonal, row by row."""
    n = mat.shape[-1]
    if diag < -n or diag >= n:
        raise ValueError(f"diag ({diag}) provided is outside [{-n}, {n - 1}].")
    rows, columns = tril_indices(n, n, diag, device=mat.device)
    return mat[..., rows, columns]


def vec_to_tril_matrix(vec, diag=0):
    """The matrix of such elements, with zeros above."""
    # m elements are those of n rows: n (n + 1 + 2 diag) - diag (diag + 1) = 2 m.
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
