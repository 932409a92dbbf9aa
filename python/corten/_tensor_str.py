# SPDX-License-Identifier: BSD-3-Clause
"""torch._tensor_str: where scripts find `printoptions` and PRINT_OPTS."""
from . import _C
from ._text import get_printoptions, printoptions, set_printoptions

__all__ = ["PRINT_OPTS", "printoptions", "set_printoptions"]


class _Options:
    """The settings, read when asked for and set by assignment."""

    def __getattr__(self, name):
        options = get_printoptions()
        if name not in options:
            raise AttributeError(name)
        return options[name]

    def __setattr__(self, name, value):
        options = {**get_printoptions(), name: value}
        order = ("precision", "threshold", "edgeitems", "linewidth")
        mode = options["sci_mode"]
        _C._set_printoptions(*(int(min(options[n], 2**31 - 1)) for n in order), -1 if mode is None else int(mode))


PRINT_OPTS = _Options()
