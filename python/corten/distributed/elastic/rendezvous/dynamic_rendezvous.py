# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.rendezvous.dynamic_rendezvous: rendezvous with a changing number of nodes.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ...._missing import missing_class, missing_function

__all__ = ["DynamicRendezvousHandler", "RendezvousBackend", "RendezvousSettings", "RendezvousTimeout", "create_handler"]

_INSTEAD = "start the launcher with --rdzv-backend=c10d or static"
(DynamicRendezvousHandler, RendezvousBackend, RendezvousSettings, RendezvousTimeout) = (
    missing_class(f"torch.distributed.elastic.rendezvous.dynamic_rendezvous.{name}", _INSTEAD) for name in (
        "DynamicRendezvousHandler", "RendezvousBackend", "RendezvousSettings", "RendezvousTimeout"))
create_handler = missing_function("torch.distributed.elastic.rendezvous.dynamic_rendezvous.create_handler", _INSTEAD)
