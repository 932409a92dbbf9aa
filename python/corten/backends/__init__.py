# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends: availability and switches of libraries.

On the CPU Corten computes with its own code, so most libraries are not available and their switches only store values. The
switches of cuda and cudnn take effect.
"""
import contextlib
import sys
import types

from .. import _C

_PLACES = ("cpu", "cuda", "cudnn", "cusparselt", "mha", "mkl", "mkldnn", "mps", "nnpack", "openmp", "opt_einsum", "quantized")


class Switches(types.ModuleType):
    """A module whose attributes of given types only accept values of that type. A switch may be a pair of functions (get, set)."""

    _checked, _linked = {}, {}

    def __setattr__(self, name, value):
        wanted = self._checked.get(name)
        if wanted and not isinstance(value, wanted[0]):
            raise RuntimeError(f"{wanted[1]} expects {wanted[2]}, but got {type(value).__name__}")
        if name in self._linked:
            self._linked[name][1](value)
        else:
            super().__setattr__(name, value)

    def __getattr__(self, name):  # called for names that are not in __dict__
        if name in self._linked:
            return self._linked[name][0]()
        raise AttributeError(f"module 'torch{self.__name__[len('corten'):]}' has no attribute '{name}'")


def guard(module, checked, below=()):
    """Makes a module of this package check the values assigned to its switches."""
    sys.modules[module].__class__ = type("Switches", (Switches,), {"_checked": checked, "_linked": dict(below)})


def below(switch, kind=bool):
    """Returns the functions (get, set) of a switch in the C library."""
    return lambda: kind(_C._cuda_switch(switch)), lambda value: _C._cuda_switch(switch, int(value))


# ---- precision of float32: "ieee" or "tf32" at each level; "none" takes the setting of the level above ----

_precision = {"all": "none", "cuda": "none", "matmul": "none", "conv": "tf32", "rnn": "tf32", "mkldnn": "none"}
_above = {"cuda": "all", "matmul": "cuda", "conv": "cuda", "rnn": "cuda", "mkldnn": "all"}
_switch = {"matmul": "matmul_tf32", "conv": "cudnn_conv_tf32", "rnn": "cudnn_rnn_tf32"}


def precision(level):
    """Returns the precision in effect at a level."""
    while _precision[level] == "none" and level in _above:
        level = _above[level]
    return _precision[level]


def set_precision(level, value):
    """Sets the precision of a level and passes the result to the C library."""
    if value not in ("ieee", "tf32", "bf16", "none"):
        raise RuntimeError(f"Unknown precision: {value}")
    _precision[level] = value
    for name, switch in _switch.items():
        _C._cuda_switch(switch, precision(name) == "tf32")


def precision_of(level):
    """Returns the precision of a level as a switch (get, set)."""
    return lambda: precision(level), lambda value: set_precision(level, value)


class Precision:
    """A level with only a precision, such as torch.backends.cudnn.conv."""

    def __init__(self, level):
        self.__dict__["_level"] = level

    def __getattr__(self, name):
        if name != "fp32_precision":
            raise AttributeError("Unknown attribute " + name)
        return precision(self._level)

    def __setattr__(self, name, value):
        if name != "fp32_precision":
            raise AttributeError("Unknown attribute " + name)
        set_precision(self._level, value)


@contextlib.contextmanager
def switched(module, **values):
    """Context manager that sets switches of a module; None leaves a switch unchanged."""
    module = sys.modules[module]
    old = {name: getattr(module, name) for name in values}
    for name, value in values.items():
        if value is not None:
            setattr(module, name, value)
    try:
        yield
    finally:
        for name, value in old.items():
            setattr(module, name, value)


def flags(fp32_precision="none"):
    """Context manager that sets the global precision: `with torch.backends.flags(fp32_precision="tf32"):`."""
    return switched(__name__, fp32_precision=fp32_precision)


def set_flags(_fp32_precision="none"):
    """Sets the global precision; returns the old value as a tuple."""
    old = (precision("all"),)
    if _fp32_precision is not None:
        set_precision("all", _fp32_precision)
    return old


def __getattr__(name):  # called before Switches.__getattr__
    if name in _PLACES:
        import importlib
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError


def __dir__():
    return sorted({*globals(), *_PLACES, "fp32_precision"})


guard(__name__, {}, {"fp32_precision": precision_of("all")})
