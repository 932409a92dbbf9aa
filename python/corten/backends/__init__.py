# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends: the libraries below, and their switches. On the CPU Corten computes with its own code, so there most
answers are "no", and switches only read back what was set; those of cuda and cudnn are the library's own."""
import contextlib
import sys
import types

from .. import _C

_PLACES = ("cpu", "cuda", "cudnn", "cusparselt", "mha", "mkl", "mkldnn", "mps", "nnpack", "openmp", "opt_einsum", "quantized")


class Switches(types.ModuleType):
    """A module whose public names of given types may be set to a value of that type only. Some are functions below:
    (get, set)."""

    _checked, _linked = {}, {}

    def __setattr__(self, name, value):
        wanted = self._checked.get(name)
        if wanted and not isinstance(value, wanted[0]):
            raise RuntimeError(f"{wanted[1]} expects {wanted[2]}, but got {type(value).__name__}")
        if name in self._linked:
            self._linked[name][1](value)
        else:
            super().__setattr__(name, value)

    def __getattr__(self, name):  # of what is not in __dict__
        if name in self._linked:
            return self._linked[name][0]()
        raise AttributeError(f"module 'torch{self.__name__[len('corten'):]}' has no attribute '{name}'")


def guard(module, checked, below=()):
    """Makes a module of this package refuse wrong values for its switches."""
    sys.modules[module].__class__ = type("Switches", (Switches,), {"_checked": checked, "_linked": dict(below)})


def below(switch, kind=bool):
    """A switch of the library as (get, set)."""
    return lambda: kind(_C._cuda_switch(switch)), lambda value: _C._cuda_switch(switch, int(value))


# ---- how exact float32 has to be: a place says "ieee" or "tf32", or "none": what the place above it says ----

_precision = {"all": "none", "cuda": "none", "matmul": "none", "conv": "tf32", "rnn": "tf32", "mkldnn": "none"}
_above = {"cuda": "all", "matmul": "cuda", "conv": "cuda", "rnn": "cuda", "mkldnn": "all"}
_switch = {"matmul": "matmul_tf32", "conv": "cudnn_conv_tf32", "rnn": "cudnn_rnn_tf32"}


def precision(place):
    """What holds at a place."""
    while _precision[place] == "none" and place in _above:
        place = _above[place]
    return _precision[place]


def set_precision(place, value):
    """Sets a place and tells the library."""
    if value not in ("ieee", "tf32", "bf16", "none"):
        raise RuntimeError(f"Unknown precision: {value}")
    _precision[place] = value
    for name, switch in _switch.items():
        _C._cuda_switch(switch, precision(name) == "tf32")


def precision_of(place):
    """The same as (get, set)."""
    return lambda: precision(place), lambda value: set_precision(place, value)


class Precision:
    """A place with nothing but its precision: torch.backends.cudnn.conv."""

    def __init__(self, place):
        self.__dict__["_place"] = place

    def __getattr__(self, name):
        if name != "fp32_precision":
            raise AttributeError("Unknown attribute " + name)
        return precision(self._place)

    def __setattr__(self, name, value):
        if name != "fp32_precision":
            raise AttributeError("Unknown attribute " + name)
        set_precision(self._place, value)


@contextlib.contextmanager
def switched(module, **values):
    """Sets switches of a module for a block; None leaves one as it is."""
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
    """The precision for a block: `with torch.backends.flags(fp32_precision="tf32"):`"""
    return switched(__name__, fp32_precision=fp32_precision)


def set_flags(_fp32_precision="none"):
    """Sets the precision; returns what it was."""
    old = (precision("all"),)
    if _fp32_precision is not None:
        set_precision("all", _fp32_precision)
    return old


def __getattr__(name):  # asked before Switches'
    if name in _PLACES:
        import importlib
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError


def __dir__():
    return sorted({*globals(), *_PLACES, "fp32_precision"})


guard(__name__, {}, {"fp32_precision": precision_of("all")})
