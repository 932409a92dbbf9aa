# SPDX-License-Identifier: BSD-3-Clause
"""Query whether objects come from packages."""
from types import ModuleType

__all__ = ["is_from_package"]


def is_from_package(obj):
    """Returns whether a module, or the class of an object, was loaded from a package file."""
    name = obj.__name__ if isinstance(obj, ModuleType) else type(obj).__module__
    return name.startswith("<torch_package_")
