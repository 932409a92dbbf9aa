# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.rendezvous.c10d_rendezvous_backend: rendezvous in a TCP store.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ...._missing import missing_class, missing_function

__all__ = ["C10dRendezvousBackend", "create_backend"]

_INSTEAD = "start the launcher with --rdzv-backend=c10d or static"
C10dRendezvousBackend = missing_class("torch.distributed.elastic.rendezvous.c10d_rendezvous_backend.C10dRendezvousBackend", _INSTEAD)
create_backend = missing_function("torch.distributed.elastic.rendezvous.c10d_rendezvous_backend.create_backend", _INSTEAD)
