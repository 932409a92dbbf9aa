# SPDX-License-Identifier: BSD-3-Clause
"""Runs an installed torchvision package on Corten.

Its Python code needs only PyTorch's names. Its compiled parts (`_C*.so`, `image*.so`) are linked to PyTorch's C++ library
and cannot be loaded, so the modules that load them or register facts about them are replaced:

        torchvision.extension                 reports the operators as present: torch.ops.torchvision.* and torch.ops.image.*
        torchvision._meta_registrations       empty: Corten's operators support meta tensors themselves
        torchvision._autograd_registrations   empty: Corten's operators are differentiable, and cast under autocast
        torchvision.ops._register_onnx_ops    empty: there is no export to ONNX

The import hook (_run.py) calls this module for every module whose name begins with torchvision. If the package is not
installed, `corten.vision` takes its name instead.
"""
import importlib.machinery
import sys

_STAND_INS = {"torchvision.extension": "corten.vision._extension",
              "torchvision._meta_registrations": "corten.vision._registrations",
              "torchvision._autograd_registrations": "corten.vision._registrations",
              "torchvision.ops._register_onnx_ops": "corten.vision._registrations"}


def package():
    """Returns the import spec of an installed torchvision, or None."""
    spec = importlib.machinery.PathFinder.find_spec("torchvision")
    return spec if spec is not None and spec.origin else None  # without __init__.py it is only a namespace package


def answers(name):
    """Returns whether the installed torchvision provides a module. The first import decides for all submodules."""
    known = sys.modules.get("torchvision")
    if known is None or name == "torchvision":
        return package() is not None
    return known.__name__ == "torchvision"


def find_spec(finder, name, path):
    """Returns the spec of a module of the installed package, or of its replacement, which `finder` loads."""
    home = _STAND_INS.get(name)
    if home is None:
        return importlib.machinery.PathFinder.find_spec(name, path)
    spec = importlib.machinery.ModuleSpec(name, finder, origin=home)
    spec.loader_state = home
    return spec
