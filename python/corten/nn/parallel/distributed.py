# SPDX-License-Identifier: BSD-3-Clause
"""torch.nn.parallel.distributed."""
from . import DistributedDataParallel

__all__ = ["DistributedDataParallel"]
