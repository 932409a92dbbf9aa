# SPDX-License-Identifier: BSD-3-Clause
"""Pictures: files, data sets, transforms, networks; also as `torchvision`. Parts are imported when first asked for."""
__version__ = "0.29.2"  # whose names and results these are
_PARTS = ("datasets", "io", "models", "ops", "transforms", "utils")
_backend = "PIL"


def __getattr__(name):
    if name in _PARTS:
        import importlib
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module 'torchvision' has no attribute '{name}'")


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
