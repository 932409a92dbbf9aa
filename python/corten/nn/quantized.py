# SPDX-License-Identifier: BSD-3-Clause
"""torch.nn.quantized, the old name of torch.ao.nn.quantized."""
from ..ao.nn.quantized import *  # noqa: F401,F403
from ..ao.nn.quantized import __all__  # noqa: F401
