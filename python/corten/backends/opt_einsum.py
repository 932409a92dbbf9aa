# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.opt_einsum: that package is not used, as in PyTorch without it; einsum works from left to right."""
import contextlib as _contextlib

enabled, strategy = False, None


def is_available():
    """Whether the package is used."""
    return False


def get_opt_einsum():
    """The package, or None."""
    return None


def set_flags(_enabled=None, _strategy=None):
    """Sets the switches; returns what they were. Without the package, only `False` and `None` are allowed."""
    if _enabled:
        raise ValueError("opt_einsum is not available, so setting `enabled` to True will not reap the benefits of calculating an optimal "
                         "path for einsum. torch.einsum will fall back to contracting from left to right.")
    if _strategy is not None:
        raise ValueError("Trying to set strategy but opt_einsum is not available: torch.einsum contracts from left to right")
    return enabled, strategy


@_contextlib.contextmanager
def flags(enabled=None, strategy=None):
    """Switches for a block."""
    old = set_flags(enabled, strategy)
    try:
        yield
    finally:
        set_flags(*old)
