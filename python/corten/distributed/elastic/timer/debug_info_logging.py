# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.timer.debug_info_logging: logs of workers that exceeded a deadline.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ...._missing import missing_function

__all__ = ["log_debug_info_for_expired_timers"]

_INSTEAD = "give torch.distributed calls a timeout, or end processes yourself"
log_debug_info_for_expired_timers = missing_function("torch.distributed.elastic.timer.debug_info_logging.log_debug_info_for_expired_timers", _INSTEAD)
