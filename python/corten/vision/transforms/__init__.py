# SPDX-License-Identifier: BSD-3-Clause
"""Image transforms, for tensors (..., C, H, W), PIL images, and arrays (H, W, C)."""
from .._elsewhere import names_of
from . import functional
from .functional import InterpolationMode
from .transforms import *  # noqa: F403
from .transforms import __all__ as _names

__all__ = [*_names, "InterpolationMode", "functional"]
__getattr__ = names_of(__name__)
