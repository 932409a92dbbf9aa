# SPDX-License-Identifier: BSD-3-Clause
"""torch.profiler: records which operations ran, how long, and on which shapes, as tables and traces."""
from . import itt, profiler
from .profiler import (ExecutionTraceObserver, ProfilerAction, ProfilerActivity, _KinetoProfile, kineto_available, profile,
                       record_function, schedule, supported_activities, tensorboard_trace_handler)

__all__ = ["ExecutionTraceObserver", "ProfilerAction", "ProfilerActivity", "kineto_available", "profile", "record_function",
           "schedule", "supported_activities", "tensorboard_trace_handler"]


from .._parts import parts_of  # noqa: E402

__getattr__ = parts_of(__name__)
