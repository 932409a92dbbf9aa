# SPDX-License-Identifier: BSD-3-Clause
"""torch._tensor_str: the module in which scripts look for `printoptions` and PRINT_OPTS."""
from . import _C
from ._text import get_printoptions, printoptions, set_printoptions

__all__ = ["PRINT_OPTS", "printoptions", "set_printoptions"]


class _Options:
    """The print settings; attributes read and write the current values."""

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


def _tensor_str(self, indent):
    """Formats the elements of a tensor; lines after the first are indented."""
    text = repr(self.detach())[len("tensor("):-1]
    text = text[:text.rindex("]") + 1] if self.dim() else text.partition(",")[0]
    return text.replace("\n" + " " * len("tensor("), "\n" + " " * indent)


def _add_suffixes(tensor_str, suffixes, indent, force_newline):
    """Joins formatted elements, suffixes and the closing parenthesis, breaking lines that get too long."""
    parts, width = [tensor_str], len(tensor_str) - tensor_str.rfind("\n") + 1
    for suffix in suffixes:
        if force_newline or width + len(suffix) + 2 > PRINT_OPTS.linewidth:
            parts.append(",\n" + " " * indent + suffix)
            width, force_newline = indent + len(suffix), False
        else:
            parts.append(", " + suffix)
            width += len(suffix) + 2
    return "".join(parts) + ")"


def _str(self, *, tensor_contents=None):
    """Returns repr of a tensor; `tensor_contents` replaces the formatted elements."""
    text = repr(self)
    if tensor_contents is None:
        return text
    start = text.index("(") + 1
    return text[:start] + tensor_contents + text[text.rindex("]") + 1 if "]" in text else -1:]


_str_intern = _str
