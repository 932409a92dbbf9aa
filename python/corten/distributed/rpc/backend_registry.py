# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.rpc.backend_registry: transport backends of RPC.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_function

__all__ = ["backend_registered", "construct_rpc_backend_options", "init_backend", "register_backend"]

_INSTEAD = "exchange tensors and objects with torch.distributed.send, recv and broadcast_object_list"
(backend_registered, construct_rpc_backend_options, init_backend, register_backend) = (
    missing_function(f"torch.distributed.rpc.backend_registry.{name}", _INSTEAD) for name in (
        "backend_registered", "construct_rpc_backend_options", "init_backend", "register_backend"))
