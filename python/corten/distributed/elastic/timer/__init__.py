# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.timer: termination of workers that exceed a deadline.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ...._missing import missing_class, missing_function
from ...._parts import parts_of

__all__ = ["FileTimerClient", "FileTimerServer", "LocalTimerClient", "LocalTimerServer", "TimerClient", "TimerRequest",
           "TimerServer", "configure", "expires"]

_INSTEAD = "give torch.distributed calls a timeout, or end processes yourself"
(FileTimerClient, FileTimerServer, LocalTimerClient, LocalTimerServer, TimerClient, TimerRequest, TimerServer) = (
    missing_class(f"torch.distributed.elastic.timer.{name}", _INSTEAD) for name in (
        "FileTimerClient", "FileTimerServer", "LocalTimerClient", "LocalTimerServer", "TimerClient", "TimerRequest",
        "TimerServer"))
(configure, expires) = (
    missing_function(f"torch.distributed.elastic.timer.{name}", _INSTEAD) for name in (
        "configure", "expires"))

__getattr__ = parts_of(__name__)
