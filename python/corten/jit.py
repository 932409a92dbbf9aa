# SPDX-License-Identifier: BSD-3-Clause
"""Names of PyTorch's compiler for Python. Functions run as the Python they are: `script` gives back what it is given, and
nothing is ever being traced."""
import typing

__all__ = ["Attribute", "Final", "TracerWarning", "annotate", "export", "ignore", "interface", "is_scripting", "is_tracing",
           "script", "script_if_tracing", "unused"]

Final = typing.Final


class TracerWarning(Warning):
    """Of a trace that may not hold for other inputs; never given."""


def _as_it_is(thing=None, *unused, **options):
    return thing if thing is not None else _as_it_is


def script(obj, *unused, **options):
    """obj: a function, class or module."""
    return obj


export = ignore = interface = script_if_tracing = unused = _as_it_is


def is_scripting():
    """False: code runs as Python."""
    return False


def is_tracing():
    """False: the same."""
    return False


def annotate(the_type, the_value):
    """the_value; its type is the program's own affair."""
    return the_value


def Attribute(value, type):
    """value."""
    return value
