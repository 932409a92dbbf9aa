# SPDX-License-Identifier: BSD-3-Clause
"""The preferred libraries for matrix products, linear algebra and attention (torch.backends.cuda.preferred_blas_library ...).

Corten has one implementation of each, so a choice is only stored, and choosing another library warns.
"""
import enum

from .._missing import no_effect

__all__ = ["SDPAParams", "blas_workspace_size", "can_use_cudnn_attention", "can_use_efficient_attention", "can_use_flash_attention",
           "cublas_workspace_size", "cublaslt_workspace_size", "is_ck_sdpa_available", "preferred_blas_library",
           "preferred_linalg_library", "preferred_rocm_fa_library"]


class _Backend(enum.Enum):
    def __repr__(self):
        return f"<{self}: {self.value}>"

    def __int__(self):
        return self.value


class _BlasBackend(_Backend):
    Default, Cublas, Cublaslt, Ck = range(4)


class _LinalgBackend(_Backend):
    Default, Cusolver, Magma = range(3)


class _ROCmFABackend(_Backend):
    Default, AOTriton, Ck = range(3)


_BLAS = {"default": _BlasBackend.Default, "cublas": _BlasBackend.Cublas, "hipblas": _BlasBackend.Cublas,
         "cublaslt": _BlasBackend.Cublaslt, "hipblaslt": _BlasBackend.Cublaslt, "ck": _BlasBackend.Ck}
_LINALG = {"default": _LinalgBackend.Default, "cusolver": _LinalgBackend.Cusolver, "magma": _LinalgBackend.Magma}
_ROCM = {"default": _ROCmFABackend.Default, "aotriton": _ROCmFABackend.AOTriton, "ck": _ROCmFABackend.Ck}
_chosen = {"blas": _BlasBackend.Cublas, "linalg": _LinalgBackend.Default, "rocm": _ROCmFABackend.Default}


def _choose(which, names, backend, unknown=RuntimeError):
    """Returns the enum member for a name or member; None returns the current choice."""
    kind = type(_chosen[which])
    if backend is None:
        return _chosen[which]
    if not isinstance(backend, (str, kind)):
        raise unknown("Unknown input value type." if unknown is RuntimeError
                      else f"Unknown input value. Choose from: {', '.join(names)}.")
    if isinstance(backend, str):
        if backend not in names:
            raise RuntimeError(f"Unknown input value. Choose from: {', '.join(names)}.")
        backend = names[backend]
    _chosen[which] = backend
    return backend


def preferred_blas_library(backend=None):
    """Sets the preferred BLAS library of GPUs ("default", "cublas", "cublaslt"); without an argument returns the current one."""
    old, new = _chosen["blas"], _choose("blas", _BLAS, backend)
    if new is not old:
        no_effect("torch.backends.cuda.preferred_blas_library", "cuBLASLt or Corten's own kernels multiply, whichever is faster")
    return new


def preferred_linalg_library(backend=None):
    """Sets the preferred linear algebra library of GPUs ("default", "cusolver", "magma"); without an argument returns the current one."""
    new = _choose("linalg", _LINALG, backend)
    if new is _LinalgBackend.Magma:
        no_effect("torch.backends.cuda.preferred_linalg_library('magma')", "cuSOLVER or Corten's own kernels factor matrices")
    return new


def preferred_rocm_fa_library(backend=None):
    """Sets the preferred attention library of AMD GPUs, which Corten does not support; without an argument returns the current one."""
    old, new = _chosen["rocm"], _choose("rocm", _ROCM, backend, ValueError)
    if new is not old:
        no_effect("torch.backends.cuda.preferred_rocm_fa_library", "Corten does not use AMD GPUs")
    return new


def is_ck_sdpa_available():
    """Returns False: AMD's composable_kernel is not part of this build."""
    return False


# ---- workspaces ----

_workspace = {}


def _size(name, default, size):
    if size is not None:
        if size < 0:
            raise RuntimeError(f"{name} expects a size that is not negative, but got {size}")
        _workspace[name] = size
        no_effect(f"torch.backends.cuda.{name}", "each product takes the workspace that its algorithm asks for")
    return _workspace.get(name, default)


def cublas_workspace_size(size=None):
    """Sets the workspace size of cuBLAS in bytes; without an argument returns the current or PyTorch's default size."""
    return _size("cublas_workspace_size", 8519680, size)


def cublaslt_workspace_size(size=None):
    """Sets the workspace size of cuBLASLt in bytes; without an argument returns the current or PyTorch's default size."""
    return _size("cublaslt_workspace_size", 1 << 20, size)


def blas_workspace_size(size=None, backend=None):
    """Calls cublas_workspace_size or cublaslt_workspace_size, depending on `backend` or else the preferred library."""
    if isinstance(backend, str) and backend not in _BLAS:
        raise RuntimeError(f"Unknown backend string. Choose from: {', '.join(_BLAS)}.")
    if backend is not None and not isinstance(backend, (str, _BlasBackend)):
        raise RuntimeError("Unknown backend type.")
    backend = _BLAS.get(backend, backend) or _chosen["blas"]
    if backend is _BlasBackend.Ck:
        raise RuntimeError("CK backend does not use a workspace.")
    return (cublaslt_workspace_size if backend is _BlasBackend.Cublaslt else cublas_workspace_size)(size)


# ---- attention ----

class SDPAParams:
    """The arguments of nn.functional.scaled_dot_product_attention, for the functions can_use_..._attention."""

    __module__ = "torch.backends.cuda"

    def __init__(self, query, key, value, attn_mask, dropout, is_causal, enable_gqa):
        self._facts = query, key, value, attn_mask, dropout, is_causal, enable_gqa

    query, key, value, attn_mask, dropout, is_causal, enable_gqa = (
        property(lambda self, i=i: self._facts[i], doc="An argument of the call.") for i in range(7))


def _asked(name, params, debug):
    """Returns False, since Corten has no kernel of that name; with debug, warns why."""
    if not isinstance(params, SDPAParams):
        raise TypeError(f"can_use_{name}_attention(): expected SDPAParams, but got {type(params).__name__}")
    if debug:
        import warnings
        warnings.warn(f"Corten has one kernel for attention, and none called {name}", UserWarning, stacklevel=3)
    return False


def can_use_flash_attention(params, debug=False):
    """Returns False: Corten has no kernel of this name. With `debug`, warns about it."""
    return _asked("flash", params, debug)


def can_use_efficient_attention(params, debug=False):
    """Returns False: Corten has no kernel of this name. With `debug`, warns about it."""
    return _asked("efficient", params, debug)


def can_use_cudnn_attention(params, debug=False):
    """Returns False: Corten has no kernel of this name. With `debug`, warns about it."""
    return _asked("cudnn", params, debug)
