# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.pipelining.schedules: pipeline schedules such as GPipe and 1F1B.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_class, missing_function

__all__ = ["PipelineScheduleMulti", "PipelineScheduleSingle", "Schedule1F1B", "ScheduleDualPipeV", "ScheduleGPipe",
           "ScheduleInterleaved1F1B", "ScheduleInterleavedZeroBubble", "ScheduleLoopedBFS", "ScheduleZBVZeroBubble",
           "get_schedule_class"]

_INSTEAD = "train with DistributedDataParallel, or move parts of a model between devices by hand"
(PipelineScheduleMulti, PipelineScheduleSingle, Schedule1F1B, ScheduleDualPipeV, ScheduleGPipe, ScheduleInterleaved1F1B,
 ScheduleInterleavedZeroBubble, ScheduleLoopedBFS, ScheduleZBVZeroBubble) = (
    missing_class(f"torch.distributed.pipelining.schedules.{name}", _INSTEAD) for name in (
        "PipelineScheduleMulti", "PipelineScheduleSingle", "Schedule1F1B", "ScheduleDualPipeV", "ScheduleGPipe",
        "ScheduleInterleaved1F1B", "ScheduleInterleavedZeroBubble", "ScheduleLoopedBFS", "ScheduleZBVZeroBubble"))
get_schedule_class = missing_function("torch.distributed.pipelining.schedules.get_schedule_class", _INSTEAD)
