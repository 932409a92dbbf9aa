# SPDX-License-Identifier: BSD-3-Clause
"""Measurements, units and significant digits."""
from ..._measurement import (Measurement, TaskSpec, ordered_unique, select_unit, set_torch_threads, trim_sigfig,  # noqa: F401
                             unit_to_english)

__all__ = ["Measurement", "TaskSpec", "ordered_unique", "select_unit", "set_torch_threads", "trim_sigfig", "unit_to_english"]
