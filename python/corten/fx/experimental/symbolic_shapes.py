# SPDX-License-Identifier: BSD-3-Clause
"""torch.fx.experimental.symbolic_shapes: queries about symbolic sizes; in Corten all sizes are ints."""
__all__ = ["GuardOnDataDependentSymNode", "free_symbols", "free_unbacked_symbols", "guard_or_false", "guard_or_true",
           "guard_size_oblivious", "has_free_symbols", "is_concrete_bool", "is_concrete_int", "statically_known_true"]


class GuardOnDataDependentSymNode(RuntimeError):
    """Raised in PyTorch by a branch on a data-dependent size; never raised here."""


def guard_or_false(a):
    """Returns bool(a): no value is symbolic."""
    return bool(a)


guard_or_true = guard_size_oblivious = statically_known_true = guard_or_false


def free_symbols(value):
    """Returns an empty set: no value has symbols."""
    return set()


free_unbacked_symbols = free_symbols


def has_free_symbols(value):
    """Returns False: no value has symbols."""
    return False


def is_concrete_int(a):
    """Returns True: every int is concrete."""
    return True


is_concrete_bool = is_concrete_int
