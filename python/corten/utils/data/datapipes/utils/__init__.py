# SPDX-License-Identifier: BSD-3-Clause
"""Helpers of data pipes."""
from ....._parts import parts_of

__getattr__ = parts_of(__name__)
