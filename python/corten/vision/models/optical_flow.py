# SPDX-License-Identifier: BSD-3-Clause
"""torchvision.models.optical_flow: not available here; its names raise an error that says to install torchvision (_elsewhere.py)."""
from .._elsewhere import names_of

__all__ = []
__path__ = []  # makes this a package, so that importing a submodule gives the same error
__getattr__ = names_of(__name__)
