# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.nn.api.remote_module: modules that run in other processes.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ...._missing import missing_class

__all__ = ["RemoteModule"]

_INSTEAD = "exchange tensors and objects with torch.distributed.send, recv and broadcast_object_list"
RemoteModule = missing_class("torch.distributed.nn.api.remote_module.RemoteModule", _INSTEAD)
