# SPDX-License-Identifier: BSD-3-Clause
"""Where the parts of a tensor would be."""
from . import Partial, Placement, Replicate, Shard

__all__ = ["Partial", "Placement", "Replicate", "Shard"]


class _StridedShard(Shard):
    """Divided twice along a dim."""
