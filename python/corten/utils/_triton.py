# SPDX-License-Identifier: BSD-3-Clause
"""Whether kernels in the language Triton can be compiled by PyTorch's compiler: no."""
__all__ = ["has_triton", "has_triton_package"]


def has_triton_package():
    """Whether the package triton is installed."""
    import importlib.util
    return importlib.util.find_spec("triton") is not None


def has_triton():
    """Whether PyTorch's compiler could use it: there is no such compiler."""
    return False
