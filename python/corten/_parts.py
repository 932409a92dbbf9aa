# SPDX-License-Identifier: BSD-3-Clause
"""Lazy submodules: available as attributes after `import torch`, but imported on first access.

    __getattr__ = parts_of(__name__)     # in a package: `torch.autograd.profiler` imports itself
"""
import importlib
import importlib.util


def part(package, name):
    """Returns the submodule `name` of a package; raises the package's AttributeError if there is none."""
    if name[:2] != "__" and importlib.util.find_spec(f"{package}.{name}"):
        return importlib.import_module(f"{package}.{name}")
    shown = package.replace("corten.vision", "torchvision").replace("corten", "torch")
    raise AttributeError(f"module '{shown}' has no attribute '{name}'")


def parts_of(package):
    """Returns a `__getattr__` for a package that imports its submodules on first access."""
    def __getattr__(name):
        return part(package, name)
    return __getattr__
