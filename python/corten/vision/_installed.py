# SPDX-License-Identifier: BSD-3-Clause
"""The torchvision package itself, running on Corten.

Its Python code needs nothing but PyTorch's names. Its compiled parts (`_C*.so`, `image*.so`) are linked to PyTorch's C++
library and cannot be loaded, so the modules that load them and register facts about them have stand-ins here:

    torchvision.extension                 says that the operators are there; they are torch.ops.torchvision.* and torch.ops.image.*
    torchvision._meta_registrations       nothing to register: our operators answer for tensors without values themselves
    torchvision._autograd_registrations   nothing to register: our operators have derivatives, and cast under autocast
    torchvision.ops._register_onnx_ops    nothing to register: there is no export to ONNX

The import hook (_run.py) asks here for every module whose name begins with torchvision. Where the package is not installed,
`corten.vision` answers instead.
"""
import importlib.machinery
import sys

_STAND_INS = {"torchvision.extension": "corten.vision._extension",
              "torchvision._meta_registrations": "corten.vision._registrations",
              "torchvision._autograd_registrations": "corten.vision._registrations",
              "torchvision.ops._register_onnx_ops": "corten.vision._registrations"}


def package():
    """The spec of an installed torchvision, or None."""
    spec = importlib.machinery.PathFinder.find_spec("torchvision")
    return spec if spec is not None and spec.origin else None  # a folder without __init__.py is no package


def answers(name):
    """Whether an installed torchvision answers for a module. What was imported first decides for the modules in it."""
    known = sys.modules.get("torchvision")
    if known is None or name == "torchvision":
        return package() is not None
    return known.__name__ == "torchvision"


def find_spec(finder, name, path):
    """The spec of a module of the installed package, or of its stand-in, which `finder` loads."""
    home = _STAND_INS.get(name)
    if home is None:
        return importlib.machinery.PathFinder.find_spec(name, path)
    spec = importlib.machinery.ModuleSpec(name, finder, origin=home)
    spec.loader_state = home
    return spec
