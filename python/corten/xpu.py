# SPDX-License-Identifier: BSD-3-Clause
"""torch.xpu: there are no such devices."""
from ._no_device import *  # noqa: F403
from ._no_device import __all__  # noqa: F401
