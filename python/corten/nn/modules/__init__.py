# SPDX-License-Identifier: BSD-3-Clause
"""The layers, a file for each family."""
from . import activation, container, distance, dropout, linear, loss, module
from .module import Module

__all__ = ["Module"]
for _family in (activation, container, distance, dropout, linear, loss):
    globals().update({name: getattr(_family, name) for name in _family.__all__})
    __all__ += _family.__all__
