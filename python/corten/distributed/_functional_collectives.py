# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed._functional_collectives: results in new tensors, which are there when the call returns."""
from .. import _C
from . import _collectives as coll
from .distributed_c10d import RedOpType, _group_or_world

__all__ = ["all_gather_tensor", "all_reduce", "all_to_all_single_autograd", "wait_tensor"]


def wait_tensor(tensor):
    """The tensor, which is there already."""
    return tensor


def all_reduce(self, reduceOp, group, tag=""):
    """The sum of the tensors of all."""
    result = self.clone()
    coll.all_reduce(result, RedOpType[reduceOp.upper()], group)
    return result


def all_gather_tensor(self, gather_dim, group, tag=""):
    """The tensors of all, side by side along a dim."""
    parts = [_C.empty_like(self) for _ in range(_group_or_world(group).size())]
    coll.all_gather(parts, self.contiguous(), group)
    return _C.cat(parts, gather_dim)


def all_to_all_single_autograd(self, output_split_sizes, input_split_sizes, group, tag=""):
    """Parts of dim 0 to and from all, with gradients."""
    from .nn.functional import all_to_all_single
    rows = sum(output_split_sizes) if output_split_sizes else self.shape[0]
    return all_to_all_single(self.new_empty((rows, *self.shape[1:])), self, output_split_sizes, input_split_sizes, group)
