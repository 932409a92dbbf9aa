# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends: what PyTorch can use below it, and switches of those libraries. Corten computes with its own code, so
most answers are "no"; switches may be set, read back what was set, and change nothing."""
import contextlib
import sys
import types

_PLACES = ("cpu", "cuda", "cudnn", "mkl", "mkldnn", "mps", "nnpack", "openmp", "opt_einsum", "quantized")
fp32_precision = "none"


class Switches(types.ModuleType):
    """A module whose public names of given types may be set to a value of that type only."""

    _checked = {}

    def __setattr__(self, name, value):
        wanted = self._checked.get(name)
        if wanted and not isinstance(value, wanted[0]):
            raise RuntimeError(f"{wanted[1]} expects {wanted[2]}, but got {type(value).__name__}")
        super().__setattr__(name, value)


def guard(module, checked):
    """Makes a module of this package refuse wrong values for its switches."""
    kind = type("Switches", (Switches,), {"_checked": checked})
    sys.modules[module].__class__ = kind


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


def __getattr__(name):
    if name not in _PLACES:
        raise AttributeError(f"module 'torch.backends' has no attribute '{name}'")
    import importlib
    return importlib.import_module(f"{__name__}.{name}")


def __dir__():
    return sorted({*globals(), *_PLACES})
