# SPDX-License-Identifier: BSD-3-Clause
"""Differentiable collectives: the backward of each is the adjoint exchange."""
from ... import _C
from ...autograd import Function
from .. import _collectives as coll
from .. import distributed_c10d as c10d

__all__ = ["all_gather", "all_reduce", "all_to_all", "all_to_all_single", "broadcast", "gather", "reduce", "reduce_scatter", "scatter"]


def _like(tensor, count):
    return [_C.empty_like(tensor) for _ in range(count)]


class _AllReduce(Function):
    @staticmethod
    def forward(ctx, op, group, tensor):
        ctx.op, ctx.group = op, group
        tensor = tensor.clone().contiguous()
        coll.all_reduce(tensor, op, group)
        return tensor

    @staticmethod
    def backward(ctx, grad):
        return None, None, _AllReduce.apply(ctx.op, ctx.group, grad)


class _Broadcast(Function):
    @staticmethod
    def forward(ctx, root, group, tensor):
        ctx.root, ctx.group = root, group
        tensor = tensor.clone().contiguous()
        coll.broadcast(tensor, group=group, group_src=root)
        return tensor

    @staticmethod
    def backward(ctx, grad):
        return None, None, _Reduce.apply(ctx.root, c10d.ReduceOp.SUM, ctx.group, grad)


class _Reduce(Function):
    @staticmethod
    def forward(ctx, root, op, group, tensor):
        ctx.root, ctx.group = root, group
        tensor = tensor.clone().contiguous()
        coll.reduce(tensor, op=op, group=group, group_dst=root)
        return tensor if group.rank() == root else tensor.zero_()

    @staticmethod
    def backward(ctx, grad):
        return None, None, None, _Broadcast.apply(ctx.root, ctx.group, grad)


class _AllToAll(Function):
    @staticmethod
    def forward(ctx, group, outputs, *tensors):
        ctx.group, ctx.shapes = group, [tensor.shape for tensor in tensors]
        coll.all_to_all(outputs, [tensor.contiguous() for tensor in tensors], group)
        return tuple(outputs)

    @staticmethod
    def backward(ctx, *grads):
        outputs = [_C.empty(shape, dtype=grads[0].dtype, device=grads[0].device) for shape in ctx.shapes]
        return None, None, *_AllToAll.apply(ctx.group, outputs, *grads)


class _AllToAllSingle(Function):
    @staticmethod
    def forward(ctx, group, output, output_sizes, input_sizes, tensor):
        ctx.group, ctx.sizes, ctx.shape = group, (input_sizes, output_sizes), tensor.shape
        coll.all_to_all_single(output, tensor.contiguous(), output_sizes, input_sizes, group)
        return output

    @staticmethod
    def backward(ctx, grad):
        output = _C.empty(ctx.shape, dtype=grad.dtype, device=grad.device)
        return None, None, None, None, _AllToAllSingle.apply(ctx.group, output, *ctx.sizes, grad.contiguous())


class _AllGather(Function):
    @staticmethod
    def forward(ctx, group, tensor):
        ctx.group = group
        outputs = _like(tensor.contiguous(), group.size())
        coll.all_gather(outputs, tensor.contiguous(), group)
        return tuple(outputs)

    @staticmethod
    def backward(ctx, *grads):
        return None, _ReduceScatter.apply(c10d.ReduceOp.SUM, ctx.group, None, *grads)


class _ReduceScatter(Function):
    @staticmethod
    def forward(ctx, op, group, output, *tensors):
        ctx.group = group
        output = _C.empty_like(tensors[group.rank()].contiguous()) if output is None else output
        coll.reduce_scatter(output, [tensor.contiguous() for tensor in tensors], op, group)
        return output

    @staticmethod
    def backward(ctx, grad):
        return None, None, None, *_AllGather.apply(ctx.group, grad)


class _Gather(Function):
    @staticmethod
    def forward(ctx, root, group, tensor):
        ctx.root, ctx.group = root, group
        outputs = [_C.zeros_like(tensor) for _ in range(group.size())]
        coll.gather(tensor.contiguous(), outputs if group.rank() == root else None, group=group, group_dst=root)
        return tuple(outputs)

    @staticmethod
    def backward(ctx, *grads):
        return None, None, _Scatter.apply(ctx.root, ctx.group, *grads)


class _Scatter(Function):
    @staticmethod
    def forward(ctx, root, group, *tensors):
        ctx.root, ctx.group = root, group
        output = _C.zeros_like(tensors[0])
        inputs = [tensor.contiguous() for tensor in tensors] if group.rank() == root else None
        coll.scatter(output, inputs, group=group, group_src=root)
        return output

    @staticmethod
    def backward(ctx, grad):
        return None, None, *_Gather.apply(ctx.root, ctx.group, grad)


def _group(group):
    return c10d._group_or_world(group)


def all_reduce(tensor, op=c10d.ReduceOp.SUM, group=None):
    """Returns the sum (or another reduction) of the tensors of all processes."""
    return _AllReduce.apply(op, _group(group), tensor)


def broadcast(tensor, src, group=None):
    """Returns the tensor of rank `src`."""
    return _Broadcast.apply(_group(group)._local(src), _group(group), tensor)


def reduce(tensor, dst, op=c10d.ReduceOp.SUM, group=None):
    """Returns the reduction on rank `dst` and zeros on the other ranks."""
    return _Reduce.apply(_group(group)._local(dst), op, _group(group), tensor)


def gather(tensor, dst=0, group=None):
    """Returns the tensors of all processes on rank `dst` and zeros on the other ranks."""
    return _Gather.apply(_group(group)._local(dst), _group(group), tensor)


def scatter(tensors, src=0, group=None):
    """Returns this rank's entry of `tensors` on rank `src`."""
    return _Scatter.apply(_group(group)._local(src), _group(group), *tensors)


def reduce_scatter(output, input_list, op=c10d.ReduceOp.SUM, group=None):
    """Reduces the entries for this rank of all processes into `output` and returns it with gradients."""
    return _ReduceScatter.apply(op, _group(group), output.detach(), *input_list)


def all_gather(tensor, group=None):
    """Returns the tensors of all processes as a tuple, in rank order."""
    return _AllGather.apply(_group(group), tensor)


def all_to_all(output_tensor_list, input_tensor_list, group=None):
    """Writes one tensor from each process to `output_tensor_list` and returns them with gradients."""
    return _AllToAll.apply(_group(group), [tensor.detach() for tensor in output_tensor_list], *input_tensor_list)


def all_to_all_single(output, input, output_split_sizes=None, input_split_sizes=None, group=None):
    """Sends part i of `input` (split along dim 0) to rank i, writes the received parts to `output` and returns it with gradients."""
    return _AllToAllSingle.apply(_group(group), output.detach(), output_split_sizes, input_split_sizes, input)
