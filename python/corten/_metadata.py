# SPDX-License-Identifier: BSD-3-Clause
"""Package metadata of PyTorch and torchvision, for libraries that query versions through `importlib.metadata`.

The import hook returns these objects (_run.py); this module is imported on the first query.
"""
import importlib.metadata


class _Distribution(importlib.metadata.Distribution):
    """Metadata of a package with a name and a version, one module and no files."""

    def __init__(self, name, version):
        self._texts = {"METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", "top_level.txt": name + "\n"}

    def read_text(self, filename):
        return self._texts.get(filename)

    def locate_file(self, path):
        import pathlib
        return pathlib.Path(__file__).parent / path


def distributions(name=None):
    """Returns the distributions with this name, or all."""
    from .version import __version__
    from .vision import __version__ as vision_version
    from .vision._installed import package
    known = {"torch": __version__}
    if package() is None:  # an installed torchvision has its own metadata
        known["torchvision"] = vision_version
    return [_Distribution(n, v) for n, v in known.items() if name is None or name.lower() == n]
