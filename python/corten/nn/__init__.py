# SPDX-License-Identifier: BSD-3-Clause
"""Functions of neural networks."""
from . import functional

__all__ = ["functional"]
