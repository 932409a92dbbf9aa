# SPDX-License-Identifier: BSD-3-Clause
"""Several measurements as a table."""
from ..._compare import Colorize, Compare  # noqa: F401

__all__ = ["Colorize", "Compare"]
