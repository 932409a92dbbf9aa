# SPDX-License-Identifier: BSD-3-Clause
"""Matrices for the linear algebra tests, and the tolerances for comparison with NumPy."""
import corten as torch
import pytest

np = pytest.importorskip("numpy")
KINDS = {"float32": 2e-4, "float64": 1e-11, "complex64": 2e-4, "complex128": 1e-11}


def matrices(*shape, dtype="float64", seed=1):
    rng = np.random.default_rng(seed)
    made = rng.standard_normal(shape) + (1j * rng.standard_normal(shape) if "complex" in dtype else 0)
    return made.astype(dtype)


def definite(*shape, dtype="float64", seed=1):
    """Positive definite matrices."""
    a = matrices(*shape, dtype=dtype, seed=seed)
    return (a @ a.conj().swapaxes(-1, -2) + np.eye(shape[-1])).astype(dtype)


def close(mine, theirs, limit):
    mine, theirs = (np.asarray(t.resolve_conj().detach()) if isinstance(t, torch.Tensor) else np.asarray(t) for t in (mine, theirs))
    scale = max(1.0, float(np.abs(theirs).max(initial=0)))
    return mine.shape == theirs.shape and bool((np.abs(mine - theirs) <= limit * scale).all())
