# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.nnpack: the library is not used."""
import contextlib as _contextlib

__all__ = ["flags", "is_available", "set_flags"]


def is_available():
    """Whether it is part of this build."""
    return False


def set_flags(_enabled):
    """Sets the switch; returns what it was."""
    return (False,)


def flags(enabled=False):
    """The switch for a block."""
    return _contextlib.nullcontext()
