# SPDX-License-Identifier: BSD-3-Clause
"""Algorithms for data-parallel training: communication hooks, model averaging, and the join of uneven inputs."""
from ..._parts import parts_of
from .join import Join, Joinable, JoinHook

__all__ = ["Join", "JoinHook", "Joinable"]

__getattr__ = parts_of(__name__)
