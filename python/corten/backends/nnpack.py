# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.nnpack: the library is not used, so that its switch stays off."""
import contextlib as _contextlib

from .._missing import no_effect as _no_effect

__all__ = ["flags", "is_available", "set_flags"]


def is_available():
    """Whether the library is part of this build."""
    return False


def set_flags(_enabled):
    """Sets the switch; returns what it was."""
    if _enabled:
        _no_effect("torch.backends.nnpack.set_flags(True)", "NNPACK is not used; Corten has its own convolutions")
    return (False,)


@_contextlib.contextmanager
def flags(enabled=False):
    """The switch for a block."""
    old = set_flags(enabled)
    try:
        yield
    finally:
        set_flags(*old)
