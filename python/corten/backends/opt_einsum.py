# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.opt_einsum: the package is not used; einsum contracts from left to right, like PyTorch without it."""
import contextlib as _contextlib

enabled, strategy = False, None


def is_available():
    """Returns False: the package is not used."""
    return False


def get_opt_einsum():
    """Returns None: the package is not used."""
    return None


def set_flags(_enabled=None, _strategy=None):
    """Sets the switches; returns their old values. Without the package only False and None are allowed."""
    if _enabled:
        raise ValueError("opt_einsum is not available, so setting `enabled` to True will not reap the benefits of calculating an optimal "
                         "path for einsum. torch.einsum will fall back to contracting from left to right.")
    if _strategy is not None:
        raise ValueError("Trying to set strategy but opt_einsum is not available: torch.einsum contracts from left to right")
    return enabled, strategy


@_contextlib.contextmanager
def flags(enabled=None, strategy=None):
    """Context manager that sets the switches."""
    old = set_flags(enabled, strategy)
    try:
        yield
    finally:
        set_flags(*old)
