# SPDX-License-Identifier: BSD-3-Clause
"""What DistributedDataParallel may do with a bucket instead of averaging it."""
from . import default_hooks, powerSGD_hook

__all__ = ["default_hooks", "powerSGD_hook"]
