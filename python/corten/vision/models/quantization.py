# SPDX-License-Identifier: BSD-3-Clause
"""torchvision.models.quantization, of which only the torchvision package has anything: its names are here and say so (_elsewhere.py)."""
from .._elsewhere import names_of

__all__ = []
__path__ = []  # so that a module inside of it is asked for, and the answer says where it is
__getattr__ = names_of(__name__)
