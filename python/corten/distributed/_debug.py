# SPDX-License-Identifier: BSD-3-Clause
"""What helps to look into a program of several processes: a debugger in one of them, levels of checks, what a group is made of."""
import contextlib
import enum
import os
import sys
from datetime import timedelta

from .. import _C
from .._missing import missing_function, no_effect
from . import distributed_c10d as c10d
from ._collectives import barrier

__all__ = ["DebugLevel", "breakpoint", "get_backend_impl", "get_debug_level", "record_comm", "set_debug_level",
           "set_debug_level_from_env", "shrink_group"]

_skipped = {}  # (code, line) of a breakpoint -> how often it was passed


class DebugLevel(enum.Enum):
    """How much torch.distributed checks and reports: OFF, INFO or DETAIL."""
    OFF, INFO, DETAIL = range(3)


def _level_of_environment():
    text = os.environ.get("TORCH_DISTRIBUTED_DEBUG", "OFF").upper()
    if text not in DebugLevel.__members__:
        raise RuntimeError(f"The value of TORCH_DISTRIBUTED_DEBUG must be OFF, INFO, or DETAIL, not {text}.")
    return DebugLevel[text]


_level = None  # None: that of the environment


def get_debug_level():
    """Returns the level that set_debug_level or the variable TORCH_DISTRIBUTED_DEBUG chose."""
    return _level_of_environment() if _level is None else _level


def set_debug_level(level):
    """Stores the level. Every collective checks that all processes mean the same one, at any level."""
    global _level
    if not isinstance(level, DebugLevel):
        raise TypeError(f"set_debug_level(): incompatible function arguments. A DebugLevel is expected, not {type(level).__name__}")
    if level is not DebugLevel.OFF:
        no_effect(f"torch.distributed.set_debug_level({level.name})", "calls are checked alike at every level")
    _level = level


def set_debug_level_from_env():
    """Goes back to the level of the variable TORCH_DISTRIBUTED_DEBUG."""
    global _level
    _level = _level_of_environment()


def breakpoint(rank=0, skip=0, timeout_s=3600):
    """Starts Python's debugger in one process; the others wait until it goes on, at most `timeout_s` seconds.

    The first `skip` calls at the same line pass.
    """
    frame = sys._getframe(1)
    line = frame.f_code, frame.f_lineno
    _skipped[line] = _skipped.get(line, 0) + 1
    if _skipped[line] <= skip:
        return
    if timeout_s is not None:
        for group in c10d._groups:
            c10d.set_timeout(timedelta(seconds=timeout_s), group)
    if c10d.get_rank() == rank:
        import pdb
        print(f"torch.distributed.breakpoint: process {rank} stops here, the others wait", file=sys.stderr, flush=True)
        pdb.Pdb().set_trace(frame)
    barrier()


@contextlib.contextmanager
def record_comm(name):
    """A block whose collectives would have this name in a profile; Corten's profiler does not record them."""
    no_effect(f"torch.distributed.record_comm({name!r})", "the profiler does not record collectives")
    yield


def get_backend_impl(group=None, device=None):
    """Returns what does the work of a group for tensors on `device`: the group itself, which holds its engines."""
    if c10d._rank_not_in_group(group):
        raise ValueError("Invalid process group specified")
    group = c10d._resolve_process_group(group) if isinstance(group, str) else c10d._group_or_world(group)
    if device is not None:
        group._engine(_C.device(device).type)
    elif group.bound_device_id is None and len(set(group._plan.values())) > 1:
        raise ValueError("Process group has multiple backend implementations; pass the device argument to select one.")
    return group


shrink_group = missing_function("torch.distributed.shrink_group",
                                "make a group of the ranks that remain with new_group(ranks, use_local_synchronization=True)")
