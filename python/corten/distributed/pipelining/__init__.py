# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.pipelining: pipeline parallelism.

Corten has only the enum SplitPoint; other names raise an error that says what to use instead.
"""
import enum

from ..._missing import missing_class, missing_function
from ..._parts import parts_of

__all__ = ["SplitPoint", "Pipe", "PipelineStage", "Schedule1F1B", "ScheduleDualPipeV", "ScheduleGPipe", "ScheduleInterleaved1F1B",
           "ScheduleInterleavedZeroBubble", "ScheduleLoopedBFS", "ScheduleZBVZeroBubble", "build_stage", "pipe_split",
           "pipeline"]

_INSTEAD = "train with DistributedDataParallel, or move parts of a model between devices by hand"
(Pipe, PipelineStage, Schedule1F1B, ScheduleDualPipeV, ScheduleGPipe, ScheduleInterleaved1F1B, ScheduleInterleavedZeroBubble,
 ScheduleLoopedBFS, ScheduleZBVZeroBubble) = (
    missing_class(f"torch.distributed.pipelining.{name}", _INSTEAD) for name in (
        "Pipe", "PipelineStage", "Schedule1F1B", "ScheduleDualPipeV", "ScheduleGPipe", "ScheduleInterleaved1F1B",
        "ScheduleInterleavedZeroBubble", "ScheduleLoopedBFS", "ScheduleZBVZeroBubble"))
(build_stage, pipe_split, pipeline) = (
    missing_function(f"torch.distributed.pipelining.{name}", _INSTEAD) for name in (
        "build_stage", "pipe_split", "pipeline"))


class SplitPoint(enum.Enum):
    """Where to split a model: before or after a module."""
    BEGINNING = 1
    END = 2


__getattr__ = parts_of(__name__)
