# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.rpc.functions: functions that answer calls later.

Corten does not have this; each name says what to use instead.
"""
from ..._missing import missing_function

__all__ = ["async_execution"]

_INSTEAD = "exchange tensors and objects with torch.distributed.send, recv and broadcast_object_list"
async_execution = missing_function("torch.distributed.rpc.functions.async_execution", _INSTEAD)
