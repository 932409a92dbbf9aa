# SPDX-License-Identifier: BSD-3-Clause
"""Print options, explanations and type names; imported on first use."""
import contextlib
import os

from . import _C

_PROFILES = {
    "default": dict(precision=4, threshold=1000, edgeitems=3, linewidth=80),
    "short": dict(precision=2, threshold=1000, edgeitems=2, linewidth=80),
    "full": dict(precision=4, threshold=2**31 - 1, edgeitems=3, linewidth=80),
}


def get_printoptions():
    """Returns the current print options as a dict of the keywords of set_printoptions."""
    options = dict(zip(("precision", "threshold", "edgeitems", "linewidth", "sci_mode"), _C._get_printoptions()))
    options["sci_mode"] = None if options["sci_mode"] < 0 else bool(options["sci_mode"])
    return options


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    """Sets how tensors are printed.

    precision: digits after the point. threshold: number of elements above which output is summarized. edgeitems: elements shown at
    each end of a summarized dim. linewidth: characters per line. profile: defaults by name, "default", "short" or "full".
    sci_mode: scientific notation, None to choose automatically.
    """
    options = get_printoptions()
    options.update(_PROFILES.get(profile, {}))
    given = dict(precision=precision, threshold=threshold, edgeitems=edgeitems, linewidth=linewidth)
    options.update({name: value for name, value in given.items() if value is not None})
    order = ("precision", "threshold", "edgeitems", "linewidth")
    _C._set_printoptions(*(int(min(options[n], 2**31 - 1)) for n in order), -1 if sci_mode is None else int(sci_mode))


@contextlib.contextmanager
def printoptions(**kwargs):
    """Context manager with temporary print options; the keywords are those of set_printoptions."""
    old = get_printoptions()
    set_printoptions(**kwargs)
    try:
        yield
    finally:
        set_printoptions(**old)


class Explanation:
    """The memory layout of a tensor: prints as a text drawing, and displays as SVG in notebooks."""

    def __init__(self, tensor):
        self._text, self._svg = tensor._explain(False), tensor._explain(True)

    def __repr__(self):
        return self._text

    def _repr_svg_(self):
        return self._svg


def explain(*tensors):
    """Explains the memory layout of a tensor, or how several tensors or shapes broadcast.

    For one tensor, draws its storage with the elements in it and what follows from the layout. For several tensors or shapes,
    shows dim by dim how they broadcast, or why they do not.

        >>> corten.explain(corten.ones(4, 1), corten.ones(5))
        a      4  1
        b      .  5
        result 4  5
               ~  ~
        <BLANKLINE>
        Dims -2, -1 are stretched: a size of 1 (or none) is read again and again, nothing is copied.
    """
    if len(tensors) == 1 and isinstance(tensors[0], _C.Tensor):
        return Explanation(tensors[0])
    from ._broadcast import Broadcast
    return Broadcast(*tensors)


def typename(obj, /):
    """Return the name of the type of an object; "torch.FloatTensor" and the like for a tensor.

        >>> torch.typename(torch.ones(1))
        'torch.FloatTensor'
    """
    if isinstance(obj, _C.Tensor):
        return obj.type()
    if hasattr(obj, "_legacy_name"):
        return obj._legacy_name
    if isinstance(obj, type(os)):
        return obj.__name__
    kind = obj if hasattr(obj, "__qualname__") else type(obj)
    module = getattr(kind, "__module__", None)
    return kind.__qualname__ if module in ("builtins", None) else f"{module}.{kind.__qualname__}"


def get_include():
    """Return the folder that contains corten.h, for C extensions."""
    return os.path.join(os.path.dirname(__file__), "include")


cmake_prefix_path = os.path.join(os.path.dirname(__file__), "lib", "cmake")  # for find_package(Corten)
