# SPDX-License-Identifier: BSD-3-Clause
"""Tells objects of packages from others."""
from types import ModuleType

__all__ = ["is_from_package"]


def is_from_package(obj):
    """Whether a module, or the class of an object, was loaded from a file that torch.package wrote."""
    name = obj.__name__ if isinstance(obj, ModuleType) else type(obj).__module__
    return name.startswith("<torch_package_")
