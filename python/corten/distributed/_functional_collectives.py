# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed._functional_collectives: collectives whose results are new tensors, through which gradients flow.

PyTorch begins the exchange and waits for it when the result is first used. Here a result is complete when the call returns, so
`wait_tensor` has nothing left to do.
"""
import warnings

from .. import _C
from ..autograd import Function
from . import _collectives as coll
from . import distributed_c10d as c10d
from .nn import functional as differentiable

__all__ = ["all_gather_into_tensor_coalesced", "all_gather_single", "all_gather_single_autograd", "all_gather_single_coalesced",
           "all_gather_tensor", "all_gather_tensor_autograd", "all_reduce", "all_reduce_coalesced", "all_to_all_single",
           "all_to_all_single_autograd", "broadcast", "permute_tensor", "reduce_scatter_single", "reduce_scatter_single_autograd",
           "reduce_scatter_single_coalesced", "reduce_scatter_tensor", "reduce_scatter_tensor_autograd",
           "reduce_scatter_tensor_coalesced", "wait_tensor", "wait_tensors"]
_by_ranks = {}  # (tag, ranks) -> a group that was made for them


def _group(group, tag=""):
    """The group of what PyTorch takes for one: a group, its name, or (deprecated) a list of ranks with a tag."""
    if isinstance(group, c10d.ProcessGroup):
        return group
    if isinstance(group, str):
        return c10d._resolve_process_group(group)
    if hasattr(group, "get_group"):  # a mesh with one dim
        return group.get_group()
    if isinstance(group, tuple) and len(group) == 2 and hasattr(group[0], "get_group"):
        return group[0].get_group(group[1])
    if not isinstance(group, list):
        raise ValueError(f"Unsupported group type: {type(group)}, {group}")
    warnings.warn("The combination of ranks + tag as process group identifier has been deprecated. Please switch to using "
                  "ProcessGroup, DeviceMesh, or group name instead.", FutureWarning, stacklevel=3)
    key = tag, tuple(group)
    if not tag and group == c10d._get_default_group()._ranks:
        return c10d._get_default_group()
    if _by_ranks.get(key) not in c10d._groups:
        _by_ranks[key] = c10d.new_group(group, use_local_synchronization=True, sort_ranks=False)
    return _by_ranks[key]


def _op(op):
    if not isinstance(op, str):
        return op
    try:
        return c10d.RedOpType[op.upper()]
    except KeyError:
        raise RuntimeError(f"Unknown reduce operation: {op}") from None


def wait_tensor(tensor):
    """Returns the tensor, which is complete already."""
    return tensor


def wait_tensors(tensors):
    """Returns the tensors, which are complete already."""
    return list(tensors)


class _Extremum(Function):
    """The least or greatest elements of all processes; a gradient is divided among those who have them."""

    @staticmethod
    def forward(ctx, op, group, tensor):
        result = tensor.clone()
        coll.all_reduce(result, op, group)
        ctx.group = group
        ctx.save_for_backward(tensor, result)
        return result

    @staticmethod
    def backward(ctx, grad):
        tensor, result = ctx.saved_tensors
        grad = grad.clone().contiguous()
        coll.all_reduce(grad, group=ctx.group)
        mask = (tensor == result) | (tensor.isnan() & result.isnan())
        holders = mask.to(_C.float32)  # exact where float16 could not count so far
        coll.all_reduce(holders, group=ctx.group)
        return None, None, _C.where(mask, (grad / holders).to(grad.dtype), 0)


class _WithoutGradient(Function):
    """A reduction that has no derivative here: the error comes when one is asked for."""

    @staticmethod
    def forward(ctx, call, what, tensor):
        ctx.what = what
        return call(tensor)

    @staticmethod
    def backward(ctx, grad):
        raise RuntimeError(ctx.what)


def _reduced(tensor, op, group):
    result = tensor.clone()
    coll.all_reduce(result, op, group)
    return result


def all_reduce(self, reduceOp, group, tag=""):
    """Returns the sum (or another reduction) of the tensors of all processes."""
    group, op = _group(group, tag), _op(reduceOp)
    if op in (c10d.ReduceOp.SUM, c10d.ReduceOp.AVG):
        return differentiable._AllReduce.apply(op, group, self)
    if op in (c10d.ReduceOp.MIN, c10d.ReduceOp.MAX):
        return _Extremum.apply(op, group, self)
    what = f"all_reduce backward only supports `sum`, `premul_sum`, `avg`, `max`, `min` reductions, got '{reduceOp}'"
    return _WithoutGradient.apply(lambda tensor: _reduced(tensor, op, group), what, self)


def broadcast(self, src, group, tag=""):
    """Returns the tensor of the process with rank `src` in the group."""
    result, group = self.detach().clone(), _group(group, tag)
    coll.broadcast(result, group=group, group_src=src)
    return result


def all_gather_single(self, gather_dim, group, tag=""):
    """Returns the tensors of all processes, joined along a dim."""
    return _C.cat(differentiable._AllGather.apply(_group(group, tag), self), gather_dim)


def reduce_scatter_single(self, reduceOp, scatter_dim, group, tag=""):
    """Adds the tensors of all processes, divides the sum along a dim and returns this process's part."""
    group, op = _group(group, tag), _op(reduceOp)
    if self.shape[scatter_dim] % group.size():
        raise AssertionError(f"input dimension 0 ({self.shape[0]} must be a multiple of group_size {group.size()})")
    if op is c10d.ReduceOp.SUM:
        return differentiable._ReduceScatter.apply(op, group, None, *self.chunk(group.size(), scatter_dim))

    def scattered(tensor):
        parts = [part.contiguous() for part in tensor.chunk(group.size(), scatter_dim)]
        output = _C.empty_like(parts[0])
        coll.reduce_scatter(output, parts, op, group)
        return output
    what = f"reduce_scatter_tensor backward only supports 'sum' reduction, got '{str(reduceOp).lower()}'"
    return _WithoutGradient.apply(scattered, what, self)


def all_to_all_single(self, output_split_sizes, input_split_sizes, group, tag=""):
    """Sends a part of dim 0 to each process and returns the parts that come from them, in the order of ranks."""
    group = _group(group, tag)
    if (output_split_sizes is None) != (input_split_sizes is None):
        raise AssertionError("output_split_sizes and input_split_sizes must either be specified together or both set to None")
    for name, sizes in (("output_split_sizes", output_split_sizes), ("input_split_sizes", input_split_sizes)):
        if sizes is not None and not all(isinstance(size, int) for size in sizes):
            raise AssertionError(f"All {name} must be int or SymInt, got {sizes}")
    rows = self.shape[0] if output_split_sizes is None else sum(output_split_sizes)
    output = self.new_empty((rows, *self.shape[1:]))
    return differentiable.all_to_all_single(output, self, output_split_sizes, input_split_sizes, group)


def permute_tensor(self, src_dst, group, tag=""):
    """Process m sends its tensor to src_dst[m] and returns the tensor that it receives."""
    group = _group(group, tag)
    gives, gets = [0] * group.size(), [0] * group.size()
    gives[src_dst[group.rank()]] = self.numel()
    if group.rank() in src_dst:
        gets[src_dst.index(group.rank())] = self.numel()
    return all_to_all_single(self, gets, gives, group)


def all_reduce_coalesced(self, reduceOp, group, tag=""):
    """all_reduce of several tensors."""
    group = _group(group, tag)
    return [all_reduce(tensor, reduceOp, group) for tensor in self]


def all_gather_single_coalesced(self, group, tag=""):
    """all_gather_single of several tensors along dim 0."""
    group = _group(group, tag)
    return [all_gather_single(tensor, 0, group) for tensor in self]


def reduce_scatter_single_coalesced(inputs, reduceOp, scatter_dim, group, tag=""):
    """reduce_scatter_single of several tensors, each along its own dim."""
    group = _group(group, tag)
    if len(scatter_dim) != len(inputs):
        raise AssertionError(f"Length of scatter_dim ({len(scatter_dim)}) must equal length of inputs ({len(inputs)})")
    return [reduce_scatter_single(tensor, reduceOp, dim, group) for tensor, dim in zip(inputs, scatter_dim, strict=True)]


all_gather_single_autograd, reduce_scatter_single_autograd = all_gather_single, reduce_scatter_single
all_to_all_single_autograd = all_to_all_single


def _deprecated(name, function):
    def call(*args, **kwargs):
        where = "`torch.distributed._functional_collectives."
        warnings.warn(f"{where}{name}` is deprecated. Please use {where}{function.__name__}` instead.", FutureWarning, stacklevel=2)
        return function(*args, **kwargs)
    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"The older name of {function.__name__}."
    return call


all_gather_tensor = _deprecated("all_gather_tensor", all_gather_single)
all_gather_tensor_autograd = _deprecated("all_gather_tensor_autograd", all_gather_single)
all_gather_into_tensor_coalesced = _deprecated("all_gather_into_tensor_coalesced", all_gather_single_coalesced)
reduce_scatter_tensor = _deprecated("reduce_scatter_tensor", reduce_scatter_single)
reduce_scatter_tensor_autograd = _deprecated("reduce_scatter_tensor_autograd", reduce_scatter_single)
reduce_scatter_tensor_coalesced = _deprecated("reduce_scatter_tensor_coalesced", reduce_scatter_single_coalesced)
