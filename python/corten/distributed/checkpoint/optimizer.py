# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.checkpoint.optimizer: loading of sharded optimizer states.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_function

__all__ = ["load_sharded_optimizer_state_dict"]

_INSTEAD = "save the state_dict() with torch.save in one process, and read it with torch.load in all"
load_sharded_optimizer_state_dict = missing_function("torch.distributed.checkpoint.optimizer.load_sharded_optimizer_state_dict", _INSTEAD)
