# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.nn: differentiable collectives."""
from ..._parts import parts_of
from . import functional
from .functional import *  # noqa: F403

__all__ = [*functional.__all__, "functional"]

__getattr__ = parts_of(__name__)
