# SPDX-License-Identifier: BSD-3-Clause
"""How a tensor lies in several processes: divided along a dim, whole in each, or as terms of a sum."""
from dataclasses import dataclass, field

__all__ = ["Partial", "Placement", "Replicate", "Shard"]


class Placement:
    """Base class of Shard, Replicate and Partial."""

    def is_shard(self, dim=None):
        """Whether it is divided (along this dim)."""
        return isinstance(self, Shard) and dim in (None, self.dim)

    def is_replicate(self):
        """Whether each process has all of it."""
        return isinstance(self, Replicate)

    def is_partial(self, reduce_op=None):
        """Whether each process has a term of it (which are combined so)."""
        return isinstance(self, Partial) and reduce_op in (None, self.reduce_op)


@dataclass(frozen=True)
class Shard(Placement):
    """Divided along a dim."""
    dim: int

    def __str__(self):
        return f"S({self.dim})"


@dataclass(frozen=True)
class Replicate(Placement):
    """Whole in each process."""

    def __str__(self):
        return "R"


@dataclass(frozen=True, repr=False)
class Partial(Placement):
    """Each process has a term, which `reduce_op` combines."""
    reduce_op: str = "sum"

    def __repr__(self):
        return f"Partial({self.reduce_op})"

    def __str__(self):
        return f"P({self.reduce_op})"


@dataclass(frozen=True, repr=False)
class _StridedShard(Shard):
    """Divided twice along a dim."""
    split_factor: int = field(kw_only=True)

    def __repr__(self):
        return f"_StridedShard(dim={self.dim}, sf={self.split_factor})"

    def __str__(self):
        return f"_S({self.dim}, {self.split_factor})"
