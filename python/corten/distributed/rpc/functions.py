# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.rpc.functions: the decorator for asynchronous RPC functions.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_function

__all__ = ["async_execution"]

_INSTEAD = "exchange tensors and objects with torch.distributed.send, recv and broadcast_object_list"
async_execution = missing_function("torch.distributed.rpc.functions.async_execution", _INSTEAD)
