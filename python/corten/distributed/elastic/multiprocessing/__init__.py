# SPDX-License-Identifier: BSD-3-Clause
"""Processes of the launcher: what they report, and where their output goes."""
from ...._missing import missing_function
from . import errors
from .api import *  # noqa: F403
from .api import __all__ as _names

__all__ = [*_names, "errors", "start_processes"]

start_processes = missing_function(
    "torch.distributed.elastic.multiprocessing.start_processes",
    "use torch.multiprocessing.start_processes for functions and torch.distributed.launcher.api.elastic_launch for commands")
