# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.checkpoint.optimizer: states of optimizers whose parameters are divided among processes.

Corten does not have this; each name says what to use instead.
"""
from ..._missing import missing_function

__all__ = ["load_sharded_optimizer_state_dict"]

_INSTEAD = "save the state_dict() with torch.save in one process, and read it with torch.load in all"
load_sharded_optimizer_state_dict = missing_function("torch.distributed.checkpoint.optimizer.load_sharded_optimizer_state_dict", _INSTEAD)
