# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.rendezvous.registry: the registry of rendezvous handlers.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ...._missing import missing_function

__all__ = ["get_rendezvous_handler"]

_INSTEAD = "start the launcher with --rdzv-backend=c10d or static"
get_rendezvous_handler = missing_function("torch.distributed.elastic.rendezvous.registry.get_rendezvous_handler", _INSTEAD)
