# SPDX-License-Identifier: BSD-3-Clause
"""Names of tensors that are spread over processes: no tensor is one."""
from ..._C import Tensor
from .. import _refuse

__all__ = ["DTensor", "Partial", "Placement", "Replicate", "Shard", "distribute_module", "distribute_tensor"]

distribute_tensor, distribute_module = (
    _refuse(name, "torch.distributed.tensor: no tensor can be spread over processes") for name in ("distribute_tensor", "distribute_module"))


class DTensor(Tensor):
    """A tensor of which each process has a part."""

    def __new__(cls, *args, **kwargs):
        distribute_tensor()

    from_local = classmethod(lambda cls, *args, **kwargs: distribute_tensor())


class Placement:
    """Where the parts of one would be."""


class Shard(Placement):
    """Divided along a dim."""

    def __init__(self, dim):
        self.dim = dim


class Replicate(Placement):
    """In each process."""


class Partial(Placement):
    """As terms of a sum."""

    def __init__(self, reduce_op="sum"):
        self.reduce_op = reduce_op
