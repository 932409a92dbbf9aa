# SPDX-License-Identifier: BSD-3-Clause
"""Windows of signal processing, by their formulas' names."""
from .windows import *  # noqa: F403
from .windows import __all__  # noqa: F401
