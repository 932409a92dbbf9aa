# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.optim: optimizers for several processes."""
from ..._missing import missing_class
from ..._parts import parts_of
from .post_localSGD_optimizer import PostLocalSGDOptimizer
from .utils import as_functional_optim
from .zero_redundancy_optimizer import ZeroRedundancyOptimizer

__all__ = ["DistributedOptimizer", "PostLocalSGDOptimizer", "ZeroRedundancyOptimizer", "as_functional_optim"]

DistributedOptimizer = missing_class("torch.distributed.optim.DistributedOptimizer",
                                     "train with DistributedDataParallel, and divide the optimizer with ZeroRedundancyOptimizer")

__getattr__ = parts_of(__name__)
