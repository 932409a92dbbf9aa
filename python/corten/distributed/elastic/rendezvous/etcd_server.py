# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.rendezvous.etcd_server: an etcd server for tests.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ...._missing import missing_class

__all__ = ["EtcdServer"]

_INSTEAD = "start the launcher with --rdzv-backend=c10d or static"
EtcdServer = missing_class("torch.distributed.elastic.rendezvous.etcd_server.EtcdServer", _INSTEAD)
