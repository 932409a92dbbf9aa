# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.rendezvous.registry: ways in which launchers meet.

Corten does not have this; each name says what to use instead.
"""
from ...._missing import missing_function

__all__ = ["get_rendezvous_handler"]

_INSTEAD = "start the launcher with --rdzv-backend=c10d or static"
get_rendezvous_handler = missing_function("torch.distributed.elastic.rendezvous.registry.get_rendezvous_handler", _INSTEAD)
