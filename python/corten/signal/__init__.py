# SPDX-License-Identifier: BSD-3-Clause
"""torch.signal: window functions."""
from . import windows

__all__ = ["windows"]
