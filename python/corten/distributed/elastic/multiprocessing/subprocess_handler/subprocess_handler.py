# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.multiprocessing.subprocess_handler.subprocess_handler: processes that run commands.

Corten does not have this; each name says what to use instead.
"""
from ....._missing import missing_class

__all__ = ["SubprocessHandler"]

_INSTEAD = "torch.distributed.launcher.api.elastic_launch starts and watches processes"
SubprocessHandler = missing_class("torch.distributed.elastic.multiprocessing.subprocess_handler.subprocess_handler.SubprocessHandler", _INSTEAD)
