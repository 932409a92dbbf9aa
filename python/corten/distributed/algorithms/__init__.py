# SPDX-License-Identifier: BSD-3-Clause
"""What is done with gradients and parameters of several processes besides averaging: hooks, averages of models, unequal inputs."""
from ..._parts import parts_of
from .join import Join, Joinable, JoinHook

__all__ = ["Join", "JoinHook", "Joinable"]

__getattr__ = parts_of(__name__)
