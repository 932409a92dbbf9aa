# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.mha: whether encoders of transformers take a fast path in evaluation, which gives the same values.

Corten has one path, so that the switch, which starts as True, only reads back what was set.
"""
__all__ = ["get_fastpath_enabled", "set_fastpath_enabled"]

_enabled = True


def get_fastpath_enabled():
    """What was set."""
    return _enabled


def set_fastpath_enabled(value):
    """Sets the switch."""
    global _enabled
    _enabled = value
