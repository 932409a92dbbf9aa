# SPDX-License-Identifier: BSD-3-Clause
"""torch.multiprocessing: Python's multiprocessing, with tensors passed through shared memory.

Sending a CPU tensor through a queue or pipe moves its storage to shared memory. The receiver maps the same memory, so both
processes see each other's writes. GPU tensors are copied.
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
    """Stores "file_descriptor" or "file_system"; both use unnamed shared memory here."""
    global _strategy
    if new_strategy not in get_all_sharing_strategies():
        raise AssertionError(f"invalid sharing strategy: {new_strategy}")
    _strategy = new_strategy


def get_sharing_strategy():
    """Returns the strategy that was set."""
    return _strategy


def get_all_sharing_strategies():
    """Returns the names of the strategies."""
    return {"file_descriptor", "file_system"}


reductions.init_reductions()
