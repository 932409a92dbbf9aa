# SPDX-License-Identifier: BSD-3-Clause
"""Object collectives that raise on every rank if one rank fails."""
from dataclasses import dataclass
from typing import Generic, Optional, TypeVar

from . import distributed_c10d as c10d
from ._objects import all_gather_object, broadcast_object_list

__all__ = ["SyncPayload", "all_gather", "all_gather_object_enforce_type", "broadcast"]

T = TypeVar("T")


@dataclass
class SyncPayload(Generic[T]):
    """The message of one rank: an object, or the exception that it raised."""
    stage_name: Optional[str]
    success: bool
    payload: T
    exception: Optional[Exception] = None


def _made(data_or_fn, stage_name, success=True):
    if not callable(data_or_fn):
        return SyncPayload(stage_name, success, data_or_fn)
    try:
        return SyncPayload(stage_name, success, data_or_fn())
    except Exception as error:
        return SyncPayload(stage_name, False, None, error)


def broadcast(data_or_fn, *, success=True, stage_name=None, rank=0, pg=None):
    """Sends the object of rank `rank` (or the result of a function called there) to all ranks of `pg`.

    If the function fails, all ranks raise RuntimeError. `stage_name` appears in its text.
    """
    if not success and data_or_fn is not None:
        raise AssertionError("Data or Function is expected to be None if not successful")
    mine = (rank if pg is None else pg.rank()) == rank
    sent = _made(data_or_fn, stage_name, success) if mine else SyncPayload(stage_name, success, None)
    if pg is not None:
        held = [sent]
        broadcast_object_list(held, group=pg, group_src=rank)
        sent = held[0]
    if not sent.success:
        stage = "" if stage_name is None else f": stage {sent.stage_name}"
        cause = "" if sent.exception is None else f": exception {sent.exception}"
        raise RuntimeError(f"Rank {rank} failed{stage}{cause}") from sent.exception
    return sent.payload


def all_gather(data_or_fn, stage_name=None, pg=None):
    """Gathers the objects of all ranks of `pg` (or the results of a function); if one rank fails, all raise RuntimeError."""
    mine = _made(data_or_fn, stage_name)
    if pg is None:
        if not mine.success:
            raise RuntimeError(f"all_gather failed with exception {mine.exception}") from mine.exception
        return [mine.payload]
    everything = [None] * c10d.get_world_size(pg)
    all_gather_object_enforce_type(pg, everything, mine)
    text = "".join(f"Unexpected stage name received from rank {i}: {each.stage_name} " for i, each in enumerate(everything)
                   if each.stage_name != everything[0].stage_name)
    failed = [(i, each.exception) for i, each in enumerate(everything) if not each.success]
    if failed or text:
        raise RuntimeError(text, failed) from (failed[0][1] if failed else None)
    return [each.payload for each in everything]


def all_gather_object_enforce_type(pg, object_list, obj, type_checker=lambda x, y: type(x) is type(y)):
    """Calls all_gather_object, then raises TypeError if type_checker(first object, object) is false for any object."""
    all_gather_object(object_list, obj, group=pg)
    for i, other in enumerate(object_list[1:], 1):
        if not type_checker(object_list[0], other):
            raise TypeError(f"Object type at index {i} is {type(other)}, while first object type is {type(object_list[0])}")
