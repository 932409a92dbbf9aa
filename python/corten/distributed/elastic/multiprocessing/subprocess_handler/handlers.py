# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.multiprocessing.subprocess_handler.handlers: processes that run commands.

Corten does not have this; each name says what to use instead.
"""
from ....._missing import missing_function

__all__ = ["get_subprocess_handler"]

_INSTEAD = "torch.distributed.launcher.api.elastic_launch starts and watches processes"
get_subprocess_handler = missing_function("torch.distributed.elastic.multiprocessing.subprocess_handler.handlers.get_subprocess_handler", _INSTEAD)
