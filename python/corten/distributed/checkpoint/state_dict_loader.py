# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.checkpoint.state_dict_loader: loading of sharded checkpoints.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_function

__all__ = ["load", "load_state_dict"]

_INSTEAD = "save the state_dict() with torch.save in one process, and read it with torch.load in all"
(load, load_state_dict) = (
    missing_function(f"torch.distributed.checkpoint.state_dict_loader.{name}", _INSTEAD) for name in (
        "load", "load_state_dict"))
