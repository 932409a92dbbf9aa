# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.opt_einsum: that package is not used; einsum works from left to right."""
import contextlib as _contextlib

enabled, strategy = False, None


def is_available():
    """Whether the package is used."""
    return False


def get_opt_einsum():
    """The package, or None."""
    return None


def flags(enabled=None, strategy=None):
    """Switches for a block."""
    return _contextlib.nullcontext()
