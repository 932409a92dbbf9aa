# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.mha: the switch for the fast path of transformer encoders in evaluation mode.

Corten has a single path, so the switch, initially True, only stores its value.
"""
__all__ = ["get_fastpath_enabled", "set_fastpath_enabled"]

_enabled = True


def get_fastpath_enabled():
    """Returns the stored value."""
    return _enabled


def set_fastpath_enabled(value):
    """Stores the value of the switch."""
    global _enabled
    _enabled = value
