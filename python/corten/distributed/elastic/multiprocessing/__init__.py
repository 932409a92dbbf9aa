# SPDX-License-Identifier: BSD-3-Clause
"""Worker processes of the launcher: error reports and redirection of their output."""
from ...._missing import missing_function
from . import errors
from .api import *  # noqa: F403
from .api import __all__ as _names

__all__ = [*_names, "errors", "start_processes"]

start_processes = missing_function(
    "torch.distributed.elastic.multiprocessing.start_processes",
    "use torch.multiprocessing.start_processes for functions and torch.distributed.launcher.api.elastic_launch for commands")
