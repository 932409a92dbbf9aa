# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.rpc: remote procedure calls.

Corten has only is_available(); other names raise an error that says what to use instead.
"""
from ..._missing import missing_class, missing_function
from ..._parts import parts_of

__all__ = ["BackendType", "PyRRef", "RRef", "RpcBackendOptions", "TensorPipeRpcBackendOptions", "WorkerInfo", "get_worker_info",
           "init_rpc", "is_available", "remote", "rpc_async", "rpc_sync", "shutdown"]

_INSTEAD = "exchange tensors and objects with torch.distributed.send, recv and broadcast_object_list"
(BackendType, PyRRef, RRef, RpcBackendOptions, TensorPipeRpcBackendOptions, WorkerInfo) = (
    missing_class(f"torch.distributed.rpc.{name}", _INSTEAD) for name in (
        "BackendType", "PyRRef", "RRef", "RpcBackendOptions", "TensorPipeRpcBackendOptions", "WorkerInfo"))
(get_worker_info, init_rpc, remote, rpc_async, rpc_sync, shutdown) = (
    missing_function(f"torch.distributed.rpc.{name}", _INSTEAD) for name in (
        "get_worker_info", "init_rpc", "remote", "rpc_async", "rpc_sync", "shutdown"))


def is_available():
    """Returns False: Corten does not have RPC."""
    return False


__getattr__ = parts_of(__name__)
