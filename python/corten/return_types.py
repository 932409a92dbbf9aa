# SPDX-License-Identifier: BSD-3-Clause
"""The classes of results with names: `return_types.max` is what `max(x, 0)` gives. Each is found when it is asked for, from a
call of its function."""
import corten

_ALONG_DIM = ("max", "min", "sort", "median", "nanmedian", "mode", "cummax", "cummin")
_OF_MATRIX = ("qr", "svd", "slogdet", "geqrf", "linalg_qr", "linalg_svd", "linalg_eigh", "linalg_eig", "linalg_slogdet",
              "linalg_lu", "linalg_lu_factor", "linalg_lu_factor_ex", "linalg_ldl_factor", "linalg_ldl_factor_ex", "linalg_inv_ex",
              "linalg_cholesky_ex", "frexp", "aminmax", "histogram")
_OTHERS = {
    "kthvalue": lambda x: corten.kthvalue(x, 1, 0),
    "topk": lambda x: corten.topk(x, 1),
    "triangular_solve": lambda x: corten.triangular_solve(x, x),
    "linalg_solve_ex": lambda x: corten.linalg.solve_ex(x, x),
    "linalg_lstsq": lambda x: corten.linalg.lstsq(x, x),
    "lu_unpack": lambda x: corten.lu_unpack(*corten.linalg.lu_factor(x)),
}
__all__ = [*_ALONG_DIM, *_OF_MATRIX, *_OTHERS]


def _call(name, x):
    if name in _OTHERS:
        return _OTHERS[name](x)
    if name in _ALONG_DIM:
        return getattr(corten, name)(x, 0)
    home, _, short = name.rpartition("linalg_")
    return getattr(corten.linalg if name.startswith("linalg_") else corten, short)(x)


def __getattr__(name):
    if name not in __all__:
        raise AttributeError(f"module 'torch.return_types' has no attribute '{name}'")
    with corten.no_grad():
        kind = type(_call(name, corten.eye(2)))
    globals()[name] = kind
    return kind


def __dir__():
    return sorted(__all__)
