# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.mps: Apple GPUs, which Corten does not support."""
__all__ = ["is_available", "is_built", "is_macos13_or_newer", "is_macos_or_newer"]


def is_built():
    """Returns False: this build does not support MPS."""
    return False


def is_available():
    """Returns False: there is no such device."""
    return False


def is_macos_or_newer(major, minor):
    """Returns False: Corten does not support MPS on any version of macOS."""
    return False


def is_macos13_or_newer(minor=0):
    """Returns False: Corten does not support MPS on any version of macOS."""
    return False
