# SPDX-License-Identifier: BSD-3-Clause
"""Exchange between processes that gradients follow."""
from . import functional
from .functional import *  # noqa: F403

__all__ = [*functional.__all__, "functional"]
