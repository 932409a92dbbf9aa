# SPDX-License-Identifier: BSD-3-Clause
"""Debugging aids of torch.distributed: a breakpoint in one rank, debug levels and the backend of a group."""
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

_skipped = {}  # (code, line) of a breakpoint -> number of times it was reached


class DebugLevel(enum.Enum):
    """Debug level of torch.distributed: OFF, INFO or DETAIL."""
    OFF, INFO, DETAIL = range(3)


def _level_of_environment():
    text = os.environ.get("TORCH_DISTRIBUTED_DEBUG", "OFF").upper()
    if text not in DebugLevel.__members__:
        raise RuntimeError(f"The value of TORCH_DISTRIBUTED_DEBUG must be OFF, INFO, or DETAIL, not {text}.")
    return DebugLevel[text]


_level = None  # None: use the environment variable


def get_debug_level():
    """Returns the level set by set_debug_level or the environment variable TORCH_DISTRIBUTED_DEBUG."""
    return _level_of_environment() if _level is None else _level


def set_debug_level(level):
    """Sets the debug level. It changes no behaviour: every collective checks at any level that all processes made the same call."""
    global _level
    if not isinstance(level, DebugLevel):
        raise TypeError(f"set_debug_level(): incompatible function arguments. A DebugLevel is expected, not {type(level).__name__}")
    if level is not DebugLevel.OFF:
        no_effect(f"torch.distributed.set_debug_level({level.name})", "calls are checked alike at every level")
    _level = level


def set_debug_level_from_env():
    """Resets the debug level to the value of the environment variable TORCH_DISTRIBUTED_DEBUG."""
    global _level
    _level = _level_of_environment()


def breakpoint(rank=0, skip=0, timeout_s=3600):
    """Starts pdb on rank `rank`; the other ranks wait until it continues, at most `timeout_s` seconds.

    The first `skip` calls from the same line do not stop.
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
    """A context manager that does nothing: in PyTorch it names the collectives in a profile, but Corten's profiler records none."""
    no_effect(f"torch.distributed.record_comm({name!r})", "the profiler does not record collectives")
    yield


def get_backend_impl(group=None, device=None):
    """Returns the backend of a group for tensors on `device`: the group itself, since it holds all of its backends."""
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
