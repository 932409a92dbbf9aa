# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.checkpoint.state_dict: state dicts of sharded models and optimizers.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_class, missing_function

__all__ = ["StateDictOptions", "get_model_state_dict", "get_optimizer_state_dict", "get_state_dict", "set_model_state_dict",
           "set_optimizer_state_dict", "set_state_dict"]

_INSTEAD = "use state_dict() and load_state_dict() of the model (net.module for DistributedDataParallel) and the optimizer"
StateDictOptions = missing_class("torch.distributed.checkpoint.state_dict.StateDictOptions", _INSTEAD)
(get_model_state_dict, get_optimizer_state_dict, get_state_dict, set_model_state_dict, set_optimizer_state_dict,
 set_state_dict) = (
    missing_function(f"torch.distributed.checkpoint.state_dict.{name}", _INSTEAD) for name in (
        "get_model_state_dict", "get_optimizer_state_dict", "get_state_dict", "set_model_state_dict",
        "set_optimizer_state_dict", "set_state_dict"))
