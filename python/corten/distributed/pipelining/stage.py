# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.pipelining.stage: the layers of one pipeline stage.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_class, missing_function

__all__ = ["PipelineStage", "build_stage"]

_INSTEAD = "train with DistributedDataParallel, or move parts of a model between devices by hand"
PipelineStage = missing_class("torch.distributed.pipelining.stage.PipelineStage", _INSTEAD)
build_stage = missing_function("torch.distributed.pipelining.stage.build_stage", _INSTEAD)
