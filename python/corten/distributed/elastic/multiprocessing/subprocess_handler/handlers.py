# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.multiprocessing.subprocess_handler.handlers: creation of subprocess handlers.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ....._missing import missing_function

__all__ = ["get_subprocess_handler"]

_INSTEAD = "torch.distributed.launcher.api.elastic_launch starts and watches processes"
get_subprocess_handler = missing_function("torch.distributed.elastic.multiprocessing.subprocess_handler.handlers.get_subprocess_handler", _INSTEAD)
