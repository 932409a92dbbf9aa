# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.multiprocessing.subprocess_handler.subprocess_handler: one worker process.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ....._missing import missing_class

__all__ = ["SubprocessHandler"]

_INSTEAD = "torch.distributed.launcher.api.elastic_launch starts and watches processes"
SubprocessHandler = missing_class("torch.distributed.elastic.multiprocessing.subprocess_handler.subprocess_handler.SubprocessHandler", _INSTEAD)
