# SPDX-License-Identifier: BSD-3-Clause
"""Trainings whose processes have unequal inputs: not there."""
from .._absent import absent

__all__ = ["Join", "JoinHook", "Joinable"]

Join, JoinHook, Joinable = absent("algorithms", *__all__)
