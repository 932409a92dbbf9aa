# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.multiprocessing.subprocess_handler: handles of worker processes.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ....._missing import missing_class, missing_function
from ....._parts import parts_of

__all__ = ["SubprocessHandler", "get_subprocess_handler"]

_INSTEAD = "torch.distributed.launcher.api.elastic_launch starts and watches processes"
SubprocessHandler = missing_class("torch.distributed.elastic.multiprocessing.subprocess_handler.SubprocessHandler", _INSTEAD)
get_subprocess_handler = missing_function("torch.distributed.elastic.multiprocessing.subprocess_handler.get_subprocess_handler", _INSTEAD)

__getattr__ = parts_of(__name__)
