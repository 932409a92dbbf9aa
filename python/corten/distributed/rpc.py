# SPDX-License-Identifier: BSD-3-Clause
"""Names of calls between processes, which cannot be made."""
from . import _refuse

__all__ = ["RRef", "init_rpc", "is_available", "remote", "rpc_async", "rpc_sync", "shutdown"]


def is_available():
    """False."""
    return False


init_rpc, rpc_async, rpc_sync, remote, shutdown, RRef = (
    _refuse(name, "RPC has not been initialized. Call torch.distributed.rpc.init_rpc first; it is not available.")
    for name in ("init_rpc", "rpc_async", "rpc_sync", "remote", "shutdown", "RRef"))


class TensorPipeRpcBackendOptions:
    """How processes would find each other."""

    def __init__(self, *args, **kwargs):
        init_rpc()
