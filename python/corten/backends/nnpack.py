# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.nnpack: NNPACK, which Corten does not use; the switch stays off."""
import contextlib as _contextlib

from .._missing import no_effect as _no_effect

__all__ = ["flags", "is_available", "set_flags"]


def is_available():
    """Returns False: NNPACK is not part of this build."""
    return False


def set_flags(_enabled):
    """Stores the switch; returns its old value as a tuple."""
    if _enabled:
        _no_effect("torch.backends.nnpack.set_flags(True)", "NNPACK is not used; Corten has its own convolutions")
    return (False,)


@_contextlib.contextmanager
def flags(enabled=False):
    """Context manager that stores the switch."""
    old = set_flags(enabled)
    try:
        yield
    finally:
        set_flags(*old)
