# SPDX-License-Identifier: BSD-3-Clause
"""torchvision.models.feature_extraction: not available here; its names raise an error that says to install torchvision."""
from .._elsewhere import names_of

__all__ = []
__path__ = []  # makes this a package, so that importing a submodule gives the same error
__getattr__ = names_of(__name__)
