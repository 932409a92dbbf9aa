# SPDX-License-Identifier: BSD-3-Clause
"""How tensors are printed, and names of types; imported when first used."""
import os

from . import _C

_PROFILES = {
    "default": dict(precision=4, threshold=1000, edgeitems=3, linewidth=80),
    "short": dict(precision=2, threshold=1000, edgeitems=2, linewidth=80),
    "full": dict(precision=4, threshold=2**31 - 1, edgeitems=3, linewidth=80),
}


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    """Sets how tensors are printed; `profile` is "default", "short" or "full"."""
    old = dict(zip(("precision", "threshold", "edgeitems", "linewidth", "sci_mode"), _C._get_printoptions()))
    if profile is not None:
        old.update(_PROFILES[profile])
    given = dict(precision=precision, threshold=threshold, edgeitems=edgeitems, linewidth=linewidth)
    old.update({name: value for name, value in given.items() if value is not None})
    old["threshold"] = int(min(old["threshold"], 2**31 - 1))
    old["sci_mode"] = -1 if sci_mode is None else int(sci_mode)
    _C._set_printoptions(*(int(old[n]) for n in ("precision", "threshold", "edgeitems", "linewidth", "sci_mode")))


def typename(obj, /):
    """The name of an object's type, "torch.FloatTensor" for a tensor."""
    if isinstance(obj, _C.Tensor):
        return obj.type()
    kind = obj if hasattr(obj, "__qualname__") else type(obj)
    module = kind.__module__
    return kind.__qualname__ if module in ("builtins", None) else f"{module}.{kind.__qualname__}"


def get_include():
    """The folder of corten.h, for C extensions."""
    return os.path.join(os.path.dirname(__file__), "include")


cmake_prefix_path = os.path.join(os.path.dirname(__file__), "lib", "cmake")  # for find_package(Corten)
