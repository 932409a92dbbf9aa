# SPDX-License-Identifier: BSD-3-Clause
"""Python's multiprocessing, with tensors that travel by shared memory instead of being copied.

A tensor that is put into a queue or a pipe moves its storage to shared memory; the receiver maps the same bytes, so that
both see what either writes.
"""
import multiprocessing
from multiprocessing import *  # noqa: F403

from . import reductions
from .spawn import ProcessContext, ProcessException, ProcessExitedException, ProcessRaisedException, SpawnContext, spawn, start_processes

__all__ = [*multiprocessing.__all__, "get_all_sharing_strategies", "get_sharing_strategy", "set_sharing_strategy", "spawn",
           "start_processes", "ProcessContext", "ProcessException", "ProcessExitedException", "ProcessRaisedException",
           "SpawnContext"]
_strategy = "file_descriptor"


def set_sharing_strategy(new_strategy):
    """"file_descriptor" or "file_system": both mean the same here, memory without a name."""
    global _strategy
    if new_strategy not in get_all_sharing_strategies():
        raise AssertionError(f"invalid sharing strategy: {new_strategy}")
    _strategy = new_strategy


def get_sharing_strategy():
    """What was set last."""
    return _strategy


def get_all_sharing_strategies():
    """The names that can be set."""
    return {"file_descriptor", "file_system"}


reductions.init_reductions()
