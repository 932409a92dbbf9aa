# SPDX-License-Identifier: BSD-3-Clause
"""Neural networks: modules, their parameters, first values, and functions."""
from . import functional, init, modules, parameter
from .modules import *  # noqa: F401,F403
from .parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter

__all__ = ["Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter", "functional", "init", "modules", "parameter",
           *modules.__all__]
