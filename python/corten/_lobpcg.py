# SPDX-License-Identifier: BSD-3-Clause
"""torch.lobpcg: translates dictionaries of parameters into the arguments of the C function."""
from ._C import _submodules

__all__ = ["lobpcg"]
_ORTHO = (("ortho_i_max", "ortho_j_max"), ("ortho_tol", "ortho_tol_drop", "ortho_tol_replace"))


def lobpcg(A, k=None, B=None, X=None, n=None, iK=None, niter=None, tol=None, largest=None, method=None, tracker=None,
           ortho_iparams=None, ortho_fparams=None, ortho_bparams=None):
    """Returns the k largest (or smallest) eigenvalues of A x = lambda B x, and their eigenvectors.

    LOBPCG (Knyazev, 2001). X: initial approximations; otherwise n random vectors. iK: preconditioner. method: "ortho" or
    "basic". tracker: must be None, because the iterations run inside the C library.
    """
    if tracker is not None:
        raise TypeError("lobpcg(): tracker must be None, because the iterations run inside the C library")
    given = [None if own is None else [own.get(name, -1) for name in names]  # -1: default
             for own, names in zip((ortho_iparams, ortho_fparams), _ORTHO)]
    drop = None if ortho_bparams is None else bool(ortho_bparams.get("ortho_use_drop", False))
    return tuple(_submodules["_lobpcg"].lobpcg(A, k, B, X, n, iK, niter, tol, largest, method, *given, drop))
