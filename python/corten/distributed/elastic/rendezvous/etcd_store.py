# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.rendezvous.etcd_store: a store in etcd.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ...._missing import missing_class

__all__ = ["EtcdStore"]

_INSTEAD = "use torch.distributed.TCPStore or FileStore"
EtcdStore = missing_class("torch.distributed.elastic.rendezvous.etcd_store.EtcdStore", _INSTEAD)
