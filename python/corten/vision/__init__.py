# SPDX-License-Identifier: BSD-3-Clause
"""Pictures: files, data sets, transforms, networks. Parts are imported when first asked for.

`import torchvision` under `python -m corten` means this package where torchvision is not installed; where it is, its own Python
code runs on Corten (_installed.py), and this package keeps the name `corten.vision`.
"""
from ._elsewhere import names_of

__version__ = "0.29.2"  # whose names and results these are
_PARTS = ("datasets", "io", "models", "ops", "transforms", "tv_tensors", "utils")
_more = names_of(__name__)
_backend = "PIL"


def __getattr__(name):
    if name in _PARTS:
        import importlib
        return importlib.import_module(f"{__name__}.{name}")
    return _more(name)


def __dir__():
    return sorted({*globals(), *_PARTS})


def set_image_backend(backend):
    """A name to set and get: pictures are read by the library."""
    global _backend
    if backend not in ("PIL", "accimage"):
        raise ValueError(f"Invalid backend '{backend}'. Options are 'PIL' and 'accimage'")
    _backend = backend


def get_image_backend():
    """What was set last."""
    return _backend


def disable_beta_transforms_warning():
    """Nothing: transforms.v2 no longer warns, here as in torchvision."""
