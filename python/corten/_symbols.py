# SPDX-License-Identifier: BSD-3-Clause
"""Names around symbolic sizes and quantized tensors, which Corten has not got: sizes are plain ints here, so functions on
them are Python's, and no object is an instance of these classes."""
__all__ = ["SymBool", "SymFloat", "SymInt", "classproperty", "qscheme", "sym_float", "sym_int", "sym_ite", "sym_max",
           "sym_min", "sym_not", "sym_sqrt", "sym_sum"]


class classproperty:
    """A property of a class: `@classproperty def name(cls)`."""

    def __init__(self, get):
        self.get = get if isinstance(get, (classmethod, staticmethod)) else classmethod(get)

    def __get__(self, instance, owner=None):
        return self.get.__get__(instance, owner if owner is not None else type(instance))()


class _Absent:
    def __new__(cls, *args, **kwargs):
        raise TypeError(f"cannot create '{cls.__name__}' instances")


class SymInt(_Absent):
    """A size that is not known yet."""


class SymFloat(_Absent):
    """A number that is not known yet."""


class SymBool(_Absent):
    """A truth value that is not known yet."""


class qscheme(_Absent):
    """How a tensor is quantized."""


def sym_int(a):
    """A number without what is behind the point."""
    return int(a)


def sym_float(a):
    """A number as a float."""
    return float(a)


def sym_max(a, b):
    """The greater of two numbers; a float if one of them is."""
    return _like(max(a, b), a, b)


def sym_min(a, b):
    """The lesser."""
    return _like(min(a, b), a, b)


def _like(value, a, b):
    return float(value) if isinstance(a, float) or isinstance(b, float) else value


def sym_not(a):
    """not a."""
    return not a


def sym_ite(b, t, f):
    """t if b else f."""
    return t if b else f


def sym_sum(args):
    """The sum of a list of numbers."""
    return sum(args)


def sym_sqrt(a):
    """The square root."""
    return float(a) ** 0.5


def refused(name, why):
    """A function that PyTorch has and Corten has not got: calling it says why."""
    def refuse(*args, **kwargs):
        raise RuntimeError(f"{name}: {why}")
    refuse.__name__ = refuse.__qualname__ = name.rpartition(".")[2]
    refuse.__doc__ = f"An error: {why}."
    return refuse
