# SPDX-License-Identifier: BSD-3-Clause
"""record(): the decorator around main functions of scripts for torchrun."""

__all__ = ["ChildFailedError", "record"]


class ChildFailedError(Exception):
    """A process that was started has failed."""


def record(fn, error_handler=None):
    """The function itself: Python prints its traceback, and the launcher sees its code."""
    return fn
