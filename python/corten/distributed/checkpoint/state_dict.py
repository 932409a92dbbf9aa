# SPDX-License-Identifier: BSD-3-Clause
"""Names of torch.distributed.checkpoint.state_dict, which is not there."""
from .._absent import absent

__all__ = ["StateDictOptions", "get_model_state_dict", "get_optimizer_state_dict", "set_model_state_dict", "set_optimizer_state_dict"]

(StateDictOptions, get_model_state_dict, get_optimizer_state_dict,
 set_model_state_dict, set_optimizer_state_dict) = absent("checkpoint.state_dict", *__all__)
