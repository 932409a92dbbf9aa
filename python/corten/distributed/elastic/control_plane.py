# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.control_plane: an HTTP server for queries to workers.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_function

__all__ = ["worker_main"]

_INSTEAD = "send signals to the workers"
worker_main = missing_function("torch.distributed.elastic.control_plane.worker_main", _INSTEAD)
