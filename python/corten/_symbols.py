# SPDX-License-Identifier: BSD-3-Clause
"""Names around symbolic sizes and quantized tensors, which Corten does not have.

Sizes are plain ints, so functions of symbolic values work on Python numbers; no object is an instance of these classes.
"""
import enum

from ._missing import missing_class

__all__ = ["SymBool", "SymFloat", "SymInt", "Tag", "classproperty", "qscheme", "sym_float", "sym_int", "sym_ite", "sym_max",
           "sym_constrain_range", "sym_constrain_range_for_size", "sym_fresh_size", "sym_min", "sym_not", "sym_sqrt", "sym_sum"]


_TAGS = """core cudagraph_unsafe data_dependent_output dynamic_output_shape flexible_layout generated inplace inplace_view
    maybe_aliasing_or_mutating needs_contiguous_strides needs_exact_strides needs_fixed_stride_order nondeterministic_bitwise
    nondeterministic_seeded out out_variant pointwise pt2_compliant_tag reduction view_copy""".split()


class _Tag(enum.Enum):
    def __repr__(self):
        return f"<{self}: {self.value}>"

    def __int__(self):
        return self.value


Tag = _Tag("Tag", _TAGS, module="torch", start=0)
Tag.__doc__ = "What PyTorch's compiler is told of operations that programs add (torch.library)."


class classproperty:
    """A read-only property of a class: `@classproperty def name(cls)`."""

    def __init__(self, get):
        self.get = get if isinstance(get, (classmethod, staticmethod)) else classmethod(get)

    def __get__(self, instance, owner=None):
        return self.get.__get__(instance, owner if owner is not None else type(instance))()


SymInt = missing_class("torch.SymInt", "sizes are plain numbers; use int")
SymFloat = missing_class("torch.SymFloat", "use float")
SymBool = missing_class("torch.SymBool", "use bool")
qscheme = missing_class("torch.qscheme", "there are no quantized tensors; use the schemes of the package torchao")


def sym_int(a):
    """Truncates a number to an int."""
    return int(a)


def sym_float(a):
    """Converts a number to a float."""
    return float(a)


def sym_max(a, b):
    """Maximum of two numbers; a float if one of them is."""
    return _like(max(a, b), a, b)


def sym_min(a, b):
    """Minimum of two numbers; a float if one of them is."""
    return _like(min(a, b), a, b)


def _like(value, a, b):
    return float(value) if isinstance(a, float) or isinstance(b, float) else value


def sym_not(a):
    """Returns `not a`."""
    return not a


def sym_ite(b, t, f):
    """Returns `t if b else f`."""
    return t if b else f


def sym_sum(args):
    """Returns the sum of a list of numbers."""
    return sum(args)


def sym_sqrt(a):
    """Returns the square root."""
    return float(a) ** 0.5


def sym_constrain_range(size, *, min=None, max=None):
    """Raises RuntimeError unless min <= size <= max; bounds may be omitted."""
    _check_range("sym_constrain_range", size, min, max)


def sym_constrain_range_for_size(size, *, min=None, max=None):
    """sym_constrain_range for a tensor size."""
    _check_range("sym_constrain_range_for_size", size, min, max)


def _check_range(name, size, low, high):
    if not isinstance(size, (int, float)):
        raise TypeError(f"{name}(): argument 'size' (position 1) must be Number, not {type(size).__name__}")
    low, high = -2**63 if low is None else low, 2**63 - 1 if high is None else high
    if low > high:
        raise RuntimeError(f"Max must be greater than or equal to min. Got min={low} max={high}")
    if not low <= size <= high:
        raise RuntimeError(f"Invalid value range for {size} between [{low}, {high}].")


def sym_fresh_size(expr):
    """Returns the size unchanged: there are no symbolic sizes."""
    return int(expr)
