# SPDX-License-Identifier: BSD-3-Clause
"""Timing of statements."""
from .. import Timer, timer  # noqa: F401

__all__ = ["Timer", "timer"]
