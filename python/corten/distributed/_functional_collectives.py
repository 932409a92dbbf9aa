# SPDX-License-Identifier: BSD-3-Clause
"""Functional collectives: collectives that return new tensors and are differentiable.

PyTorch starts the exchange asynchronously and waits when the result is first used. Here every call returns a finished
result, so `wait_tensor` does nothing.
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
_by_ranks = {}  # (tag, ranks) -> group created for a list of ranks


def _group(group, tag=""):
    """Resolves PyTorch's group arguments: a group, its name, a one-dimensional mesh, or (deprecated) a list of ranks with a tag."""
    if isinstance(group, c10d.ProcessGroup):
        return group
    if isinstance(group, str):
        return c10d._resolve_process_group(group)
    if hasattr(group, "get_group"):  # a one-dimensional mesh
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
    """Returns the tensor; it is already complete."""
    return tensor


def wait_tensors(tensors):
    """Returns the tensors; they are already complete."""
    return list(tensors)


class _Extremum(Function):
    """Element-wise minimum or maximum over all processes. Ties share the gradient equally."""

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
        holders = mask.to(_C.float32)  # float16 counts exactly only up to 2048
        coll.all_reduce(holders, group=ctx.group)
        return None, None, _C.where(mask, (grad / holders).to(grad.dtype), 0)


class _WithoutGradient(Function):
    """A reduction without a derivative: backward raises the error."""

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
    """Returns the sum (or another reduction) of `self` over all processes of the group."""
    group, op = _group(group, tag), _op(reduceOp)
    if op in (c10d.ReduceOp.SUM, c10d.ReduceOp.AVG):
        return differentiable._AllReduce.apply(op, group, self)
    if op in (c10d.ReduceOp.MIN, c10d.ReduceOp.MAX):
        return _Extremum.apply(op, group, self)
    what = f"all_reduce backward only supports `sum`, `premul_sum`, `avg`, `max`, `min` reductions, got '{reduceOp}'"
    return _WithoutGradient.apply(lambda tensor: _reduced(tensor, op, group), what, self)


def broadcast(self, src, group, tag=""):
    """Returns the tensor of the process whose rank in the group is `src`."""
    result, group = self.detach().clone(), _group(group, tag)
    coll.broadcast(result, group=group, group_src=src)
    return result


def all_gather_single(self, gather_dim, group, tag=""):
    """Returns the tensors of all processes, concatenated along `gather_dim`."""
    return _C.cat(differentiable._AllGather.apply(_group(group, tag), self), gather_dim)


def reduce_scatter_single(self, reduceOp, scatter_dim, group, tag=""):
    """Reduces the tensors of all processes, splits the result along `scatter_dim` and returns this rank's part."""
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
    """Splits dim 0, sends part i to rank i, and returns the received parts concatenated in rank order."""
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
    """Rank m sends its tensor to rank src_dst[m]; returns the tensor that this rank receives."""
    group = _group(group, tag)
    gives, gets = [0] * group.size(), [0] * group.size()
    gives[src_dst[group.rank()]] = self.numel()
    if group.rank() in src_dst:
        gets[src_dst.index(group.rank())] = self.numel()
    return all_to_all_single(self, gets, gives, group)


def all_reduce_coalesced(self, reduceOp, group, tag=""):
    """all_reduce of a list of tensors; returns a list."""
    group = _group(group, tag)
    return [all_reduce(tensor, reduceOp, group) for tensor in self]


def all_gather_single_coalesced(self, group, tag=""):
    """all_gather_single of a list of tensors along dim 0; returns a list."""
    group = _group(group, tag)
    return [all_gather_single(tensor, 0, group) for tensor in self]


def reduce_scatter_single_coalesced(inputs, reduceOp, scatter_dim, group, tag=""):
    """reduce_scatter_single of a list of tensors, each along its entry of `scatter_dim`; returns a list."""
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
