# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.rpc.options: settings of calls. Corten does not have this; each name says what to use instead."""
from ..._missing import missing_class

__all__ = ["TensorPipeRpcBackendOptions"]

_INSTEAD = "exchange tensors and objects with torch.distributed.send, recv and broadcast_object_list"
TensorPipeRpcBackendOptions = missing_class("torch.distributed.rpc.options.TensorPipeRpcBackendOptions", _INSTEAD)
