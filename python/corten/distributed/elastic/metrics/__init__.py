# SPDX-License-Identifier: BSD-3-Clause
"""Metrics that programs report."""
from ...._parts import parts_of
from .api import *  # noqa: F403
from .api import __all__  # noqa: F401

__getattr__ = parts_of(__name__)
