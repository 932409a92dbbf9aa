# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.rendezvous.etcd_rendezvous: rendezvous through etcd.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ...._missing import missing_class

__all__ = ["EtcdRendezvousHandler"]

_INSTEAD = "start the launcher with --rdzv-backend=c10d or static"
EtcdRendezvousHandler = missing_class("torch.distributed.elastic.rendezvous.etcd_rendezvous.EtcdRendezvousHandler", _INSTEAD)
