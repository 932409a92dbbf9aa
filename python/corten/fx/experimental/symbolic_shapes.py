# SPDX-License-Identifier: BSD-3-Clause
"""Questions about sizes that may not be known; here all are numbers."""
__all__ = ["GuardOnDataDependentSymNode", "free_symbols", "free_unbacked_symbols", "guard_or_false", "guard_or_true",
           "guard_size_oblivious", "has_free_symbols", "is_concrete_bool", "is_concrete_int", "statically_known_true"]


class GuardOnDataDependentSymNode(RuntimeError):
    """Never raised."""


def guard_or_false(a):
    """bool(a)."""
    return bool(a)


guard_or_true = guard_size_oblivious = statically_known_true = guard_or_false


def free_symbols(value):
    """None."""
    return set()


free_unbacked_symbols = free_symbols


def has_free_symbols(value):
    """False."""
    return False


def is_concrete_int(a):
    """True."""
    return True


is_concrete_bool = is_concrete_int
