# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.rpc.options: options of RPC backends.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_class

__all__ = ["TensorPipeRpcBackendOptions"]

_INSTEAD = "exchange tensors and objects with torch.distributed.send, recv and broadcast_object_list"
TensorPipeRpcBackendOptions = missing_class("torch.distributed.rpc.options.TensorPipeRpcBackendOptions", _INSTEAD)
