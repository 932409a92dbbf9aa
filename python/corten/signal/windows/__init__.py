# SPDX-License-Identifier: BSD-3-Clause
"""torch.signal.windows: window functions of signal processing."""
from .windows import *  # noqa: F403
from .windows import __all__  # noqa: F401
