# SPDX-License-Identifier: BSD-3-Clause
"""torch.return_types: the named tuples that functions return.

`return_types.max` is the class of `max(x, 0)`, and `return_types.max_out` that of the variant with `out`. A class is created on
first access, from the result of a call.
"""
import warnings

import corten

_ALONG_DIM = ("max", "min", "sort", "median", "nanmedian", "mode", "cummax", "cummin")
_OF_MATRIX = ("qr", "svd", "slogdet", "geqrf", "linalg_qr", "linalg_svd", "linalg_eigh", "linalg_eig", "linalg_slogdet",
              "linalg_lu", "linalg_lu_factor", "linalg_lu_factor_ex", "linalg_ldl_factor", "linalg_ldl_factor_ex", "linalg_inv_ex",
              "linalg_cholesky_ex", "linalg_polar", "frexp", "aminmax", "histogram")
_OTHERS = {
    "kthvalue": lambda x, **out: corten.kthvalue(x, 1, 0, **out),
    "topk": lambda x, **out: corten.topk(x, 1, **out),
    "triangular_solve": lambda x, **out: corten.triangular_solve(x, x, **out),
    "linalg_solve_ex": lambda x, **out: corten.linalg.solve_ex(x, x, **out),
    "linalg_lstsq": lambda x, **out: corten.linalg.lstsq(x, x, **out),
    "lu_unpack": lambda x, **out: corten.lu_unpack(*corten.linalg.lu_factor(x), **out),
}
_FUNCTIONS = (*_ALONG_DIM, *_OF_MATRIX, *_OTHERS)
_CLASSES = (*_FUNCTIONS, *(name + "_out" for name in _FUNCTIONS), "histogramdd")
__all__ = ["pytree_register_structseq", "all_return_types", *_CLASSES]


def _call(name, x, **out):
    if name in _OTHERS:
        return _OTHERS[name](x, **out)
    if name in _ALONG_DIM:
        return getattr(corten, name)(x, 0, **out)
    home = corten.linalg if name.startswith("linalg_") else corten
    return getattr(home, name.removeprefix("linalg_"))(x, **out)


def _class(name):
    if name == "histogramdd":
        return type(corten.histogramdd(corten.zeros(2, 1), [1]))
    x = corten.eye(2)
    if not name.endswith("_out"):
        return type(_call(name, x))
    name = name.removesuffix("_out")
    return type(_call(name, x, out=tuple(_call(name, x))))


def __getattr__(name):
    if name == "all_return_types":
        globals()[name] = found = [getattr(corten.return_types, n) for n in _CLASSES]
        return found
    if name not in _CLASSES:
        raise AttributeError(f"module 'torch.return_types' has no attribute '{name}'")
    with corten.no_grad(), corten.device("cpu"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of deprecated functions
        globals()[name] = found = _class(name)
    return found


def pytree_register_structseq(cls):
    """Registers a class with torch.utils._pytree as a container, like the classes of this module."""
    from .utils import _pytree
    _pytree.register_pytree_node(cls, lambda values: (list(values), None), lambda values, context: cls(values),
                                 serialized_type_name=f"{cls.__module__}.{cls.__qualname__}")


def __dir__():
    return sorted(__all__)
