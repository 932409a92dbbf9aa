# SPDX-License-Identifier: BSD-3-Clause
"""Tables that compare measurements."""
from ..._compare import Colorize, Compare  # noqa: F401

__all__ = ["Colorize", "Compare"]
