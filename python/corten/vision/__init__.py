# SPDX-License-Identifier: BSD-3-Clause
"""torchvision for Corten: image files, datasets, transforms and networks. Submodules are imported on first access.

Under `python -m corten`, `import torchvision` gives this package if torchvision is not installed. If it is, its own Python
code runs on Corten (_installed.py), and this package remains available as `corten.vision`.
"""
from ._elsewhere import names_of

__version__ = "0.29.2"  # the version of torchvision whose names and results this package follows
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
    """Stores the name of an image backend. It has no effect: Corten decodes images itself."""
    global _backend
    if backend not in ("PIL", "accimage"):
        raise ValueError(f"Invalid backend '{backend}'. Options are 'PIL' and 'accimage'")
    _backend = backend


def get_image_backend():
    """Returns the name that set_image_backend stored."""
    return _backend


def disable_beta_transforms_warning():
    """Does nothing: transforms.v2 does not warn, in torchvision neither."""
