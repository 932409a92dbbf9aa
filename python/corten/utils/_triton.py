# SPDX-License-Identifier: BSD-3-Clause
"""Availability of Triton for a compiler backend."""
__all__ = ["has_triton", "has_triton_package"]


def has_triton_package():
    """Returns whether the package triton is installed."""
    import importlib.util
    return importlib.util.find_spec("triton") is not None


def has_triton():
    """Returns False: Corten has no compiler that uses Triton."""
    return False
