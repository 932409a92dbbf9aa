# SPDX-License-Identifier: BSD-3-Clause
"""Averages of parameters instead of gradients."""
from ...._parts import parts_of

__getattr__ = parts_of(__name__)
