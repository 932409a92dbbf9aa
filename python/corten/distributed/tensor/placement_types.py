# SPDX-License-Identifier: BSD-3-Clause
"""Placements of a distributed tensor along a mesh dimension: sharded, replicated, or partial."""
from dataclasses import dataclass, field

__all__ = ["Partial", "Placement", "Replicate", "Shard"]


class Placement:
    """Base class of Shard, Replicate and Partial."""

    def is_shard(self, dim=None):
        """Returns whether this is a Shard (along `dim`, if given)."""
        return isinstance(self, Shard) and dim in (None, self.dim)

    def is_replicate(self):
        """Returns whether this is Replicate."""
        return isinstance(self, Replicate)

    def is_partial(self, reduce_op=None):
        """Returns whether this is Partial (with this reduction, if given)."""
        return isinstance(self, Partial) and reduce_op in (None, self.reduce_op)


@dataclass(frozen=True)
class Shard(Placement):
    """Sharded along a tensor dimension."""
    dim: int

    def __str__(self):
        return f"S({self.dim})"


@dataclass(frozen=True)
class Replicate(Placement):
    """Replicated: every process has the whole tensor."""

    def __str__(self):
        return "R"


@dataclass(frozen=True, repr=False)
class Partial(Placement):
    """Every process has a partial value; `reduce_op` combines them."""
    reduce_op: str = "sum"

    def __repr__(self):
        return f"Partial({self.reduce_op})"

    def __str__(self):
        return f"P({self.reduce_op})"


@dataclass(frozen=True, repr=False)
class _StridedShard(Shard):
    """Sharded twice along one dimension."""
    split_factor: int = field(kw_only=True)

    def __repr__(self):
        return f"_StridedShard(dim={self.dim}, sf={self.split_factor})"

    def __str__(self):
        return f"_S({self.dim}, {self.split_factor})"
