# SPDX-License-Identifier: BSD-3-Clause
"""Submodules that are there after `import torch`, although they are only imported when first asked for.

    __getattr__ = parts_of(__name__)     # in a package: `torch.autograd.profiler` imports itself
"""
import importlib
import importlib.util


def part(package, name):
    """The submodule `name` of a package; where there is none, the AttributeError that the package itself would raise."""
    if name[:2] != "__" and importlib.util.find_spec(f"{package}.{name}"):
        return importlib.import_module(f"{package}.{name}")
    shown = package.replace("corten.vision", "torchvision").replace("corten", "torch")
    raise AttributeError(f"module '{shown}' has no attribute '{name}'")


def parts_of(package):
    """A package's `__getattr__` that imports its submodules."""
    def __getattr__(name):
        return part(package, name)
    return __getattr__
