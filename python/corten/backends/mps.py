# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.mps: Apple's GPUs are no devices here."""
__all__ = ["is_available", "is_built", "is_macos13_or_newer", "is_macos_or_newer"]


def is_built():
    """Whether this build could use such a device."""
    return False


def is_available():
    """Whether there is such a device."""
    return False


def is_macos_or_newer(major, minor):
    """Whether the system is macOS of that version."""
    return False


def is_macos13_or_newer(minor=0):
    """Whether the system is macOS 13."""
    return False
