# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.nn.api: its modules are not available in Corten."""
from ...._parts import parts_of

__getattr__ = parts_of(__name__)
