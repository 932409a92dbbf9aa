# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch and torchvision as installed packages, for libraries that ask `importlib.metadata` which version there is.

The import hook hands these out (_run.py); they are imported when somebody asks.
"""
import importlib.metadata


class _Distribution(importlib.metadata.Distribution):
    """A package of a name and a version, with one module and no files."""

    def __init__(self, name, version):
        self._texts = {"METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", "top_level.txt": name + "\n"}

    def read_text(self, filename):
        return self._texts.get(filename)

    def locate_file(self, path):
        import pathlib
        return pathlib.Path(__file__).parent / path


def distributions(name=None):
    """Those of a name, or all."""
    from .version import __version__
    from .vision import __version__ as vision_version
    from .vision._installed import package
    known = {"torch": __version__}
    if package() is None:  # an installed torchvision has a version of its own
        known["torchvision"] = vision_version
    return [_Distribution(n, v) for n, v in known.items() if name is None or name.lower() == n]
