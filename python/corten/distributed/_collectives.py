# SPDX-License-Identifier: BSD-3-Clause
"""Collectives and point-to-point calls of torch.distributed.

The C library does the work. This file checks arguments with PyTorch's error texts, resolves ranks and groups, and wraps
asynchronous calls in Work objects.
"""
from datetime import timedelta

from .. import _C
from .._missing import no_effect
from . import distributed_c10d as c10d

__all__ = ["P2POp", "all_gather", "all_gather_coalesced", "all_gather_into_tensor", "all_gather_single", "all_reduce",
           "all_reduce_coalesced", "all_to_all", "all_to_all_single", "barrier", "batch_isend_irecv", "broadcast", "gather",
           "gather_into_tensor", "gather_single", "irecv",
           "isend", "monitored_barrier", "recv", "reduce", "reduce_scatter", "reduce_scatter_single", "reduce_scatter_tensor",
           "scatter", "send", "_all_gather_base", "_reduce_scatter_base"]


def _one(value, name):
    if not isinstance(value, _C.Tensor):
        raise TypeError(f"Invalid function argument. Expected parameter `{name}` of type torch.Tensor\n"
                        f"             but got {type(value)} instead.")


def _several(values, name):
    if not isinstance(values, (list, tuple)):
        raise TypeError(f"Invalid function argument. Expected parameter `{name}` of type List[torch.Tensor]\n"
                        f"             but got {type(values)} instead.")
    if not all(isinstance(value, _C.Tensor) for value in values):
        raise TypeError(f"Invalid function argument. Expected parameter `{name}` of type List[torch.Tensor]\n"
                        f"             but got {type(values)} with elements of type {[type(value) for value in values]}.")


def _some(tensors, name):
    if not tensors:
        raise NotImplementedError("There were no tensor arguments to this function (e.g., you passed an empty list of Tensors), but no "
                                  f"fallback function is registered for schema c10d::{name}_.")


def _same_types(*tensors):
    first = tensors[0]
    for tensor in tensors:
        if tensor.dtype != first.dtype:
            raise ValueError(f"Invalid usage of tensors with different dtypesFound {first.dtype} and  {tensor.dtype}")


_KEYS = {"all_reduce": "allreduce_", "all_gather": "allgather_", "all_gather_into_tensor": "_allgather_base_",
         "reduce_scatter_tensor": "_reduce_scatter_base_", "all_to_all": "alltoall_", "all_to_all_single": "alltoall_base_",
         "isend": "send", "irecv": "recv_"}  # PyTorch's operators, where they have other names than "NAME_"


def _refuse_sparse(group, name, tensor):
    """Raises PyTorch's error for a tensor layout that the collective does not support."""
    if name == "all_reduce" and tensor.layout == _C.sparse_coo:
        if group.name() == "nccl":
            raise RuntimeError("NCCL does not support all_reduce with sparse tensors. Please use dense tensors instead.")
        return
    kind = ("Sparse" if tensor.layout == _C.sparse_coo else "SparseCsr") + tensor.device.type.upper()
    raise NotImplementedError(f"Could not run 'c10d::{_KEYS.get(name, name + '_')}' with arguments from the '{kind}' backend.")


def _add_sparse(tensor, op, group):
    """all_reduce of a sparse tensor: gathers the elements of all processes and adds them in rank order."""
    if op != c10d.ReduceOp.SUM:
        raise RuntimeError("ProcessGroupGloo::allreduce: unsupported reduction operation (allreduce of sparse tensors only works with "
                           "ReduceOp.SUM)")
    from ._objects import all_gather_object
    mine = tensor.detach().coalesce()
    facts = [None] * group.size()
    all_gather_object(facts, (tuple(mine.shape), mine.sparse_dim(), mine._nnz()), group)
    if any(fact[:2] != facts[group.rank()][:2] for fact in facts):
        raise RuntimeError("Sparse dimensions do not match")
    most = max(nnz for *_, nnz in facts)
    gathered = []
    for part, dim in ((mine.indices(), 1), (mine.values(), 0)):
        shape = list(part.shape)
        shape[dim] = most
        padded = part.new_zeros(shape)
        padded.narrow(dim, 0, part.shape[dim]).copy_(part)
        parts = [_C.empty_like(padded) for _ in facts]
        _run(group, "all_gather", parts, [padded], False)
        gathered.append(_C.cat([part.narrow(dim, 0, nnz) for part, (*_, nnz) in zip(parts, facts, strict=True)], dim))
    with _C.no_grad():
        tensor.copy_(_C.sparse_coo_tensor(*gathered, tuple(mine.shape), check_invariants=False).coalesce())


class _Done(c10d.Work):
    """Work that is already complete when the call returns."""

    def __init__(self, outputs):
        super().__init__(None, None, outputs)

    def wait(self, timeout=None):
        """Returns True at once: the work is complete."""
        return True

    synchronize = wait

    def is_completed(self):
        """Returns True."""
        return True

    def exception(self):
        """Returns None: a failure would have been raised by the call itself."""
        return None


def _run(group, name, outputs, inputs, async_op, rank=0, op=c10d.ReduceOp.SUM, tag=0, timeout=0., sizes=(None, None)):
    """Starts a collective on a group and, unless `async_op` is set, waits for it."""
    if not isinstance(op, c10d.RedOpType):
        raise TypeError(f"(): incompatible function arguments. A ReduceOp is expected, not {type(op).__name__}")
    tensors = outputs or inputs
    for tensor in tensors:
        if tensor.layout != _C.strided:
            _refuse_sparse(group, name, tensor)
            _add_sparse(tensor, op, group)
            return _Done(outputs) if async_op else None
    handle = group._engine(tensors[0].device.type if tensors else "cpu")
    work = c10d.Work(_C._group_call(handle, name, list(outputs), list(inputs), rank, int(op), tag, timeout, *sizes), group, outputs)
    if async_op:
        return work
    work.wait()
    return None


def _joined(group, name):
    """Returns the process group, or warns and returns None if this process is not a member."""
    if c10d._rank_not_in_group(group):
        c10d._warn_not_in_group(name)
        return None
    if group is not None and not isinstance(group, (c10d.ProcessGroup, c10d._WorldMeta)):
        raise ValueError(f"Process group {group} is not initialized in the world group map. Please initialize the group first.")
    return c10d._group_or_world(group)


def _root(group, rank, group_rank, what, required=True):
    """Translates a root rank to a rank within the group; it may be given as a global rank or as a group rank."""
    if c10d._rank_not_in_group(group):
        raise ValueError(f"Group {group} is not registered, please create group with torch.distributed.new_group API")
    if group_rank is not None:
        if rank is not None:
            raise ValueError("Can't specify both group_rank and global_rank")
        if what == "peer" and not 0 <= group_rank < group.size():
            raise ValueError(f"Group rank {group_rank} is not part of group {group}")
        return group_rank
    if rank is None:
        if required:
            raise ValueError(f"Must specify {what} or group_{what}")
        rank = group._ranks[0] if group is not c10d._get_default_group() else 0
    return group._local(rank)


def all_reduce(tensor, op=c10d.ReduceOp.SUM, group=None, async_op=False):
    """Reduces `tensor` across all processes of the group, in place; every process gets the result.

    `op` is a ReduceOp, by default SUM. With `async_op=True` the call returns a Work object to wait for.
    """
    _one(tensor, "tensor")
    group = _joined(group, "all_reduce")
    if group is None:
        return None
    if tensor.is_complex() and not c10d.supports_complex(op):
        raise ValueError(f"all_reduce does not support {op} on complex tensors")
    return _run(group, "all_reduce", [tensor], [], async_op, op=op)


def all_reduce_coalesced(tensors, op=c10d.ReduceOp.SUM, group=None, async_op=False):
    """Like all_reduce, for a list of tensors in one call."""
    _several(tensors, "tensors")
    _some(tensors, "allreduce_coalesced")
    _same_types(*tensors)
    works = [all_reduce(tensor, op, group, True) for tensor in tensors]
    if async_op:
        return works[-1] if works else None
    for work in works:
        if work is not None:
            work.wait()
    return None


def reduce(tensor, dst=None, op=c10d.ReduceOp.SUM, group=None, async_op=False, group_dst=None):
    """Reduces `tensor` across all processes; only the process with rank `dst` gets the result, in place."""
    _one(tensor, "tensor")
    group = _joined(group, "reduce")
    if group is None:
        return None
    return _run(group, "reduce", [tensor], [], async_op, _root(group, dst, group_dst, "dst"), op)


def broadcast(tensor, src=None, group=None, async_op=False, group_src=None):
    """Copies the tensor of rank `src` into `tensor` on every process of the group."""
    _one(tensor, "tensor")
    group = _joined(group, "broadcast")
    if group is None:
        return None
    return _run(group, "broadcast", [tensor], [], async_op, _root(group, src, group_src, "src"))


def all_gather(tensor_list, tensor, group=None, async_op=False):
    """Gathers the tensors of all processes: tensor_list[i] becomes the tensor of rank i, on every process."""
    _several(tensor_list, "tensor_list")
    _one(tensor, "tensor")
    _same_types(tensor, *tensor_list)
    group = _joined(group, "all_gather")
    if group is None:
        return None
    return _run(group, "all_gather", list(tensor_list), [tensor], async_op)


def all_gather_coalesced(output_tensor_lists, input_tensor_list, group=None, async_op=False):
    """Like all_gather, for several tensors: output_tensor_lists[rank][i] becomes the i-th tensor of that rank.

    With `async_op=True` the call returns a future.
    """
    group = _joined(group, "all_gather_coalesced")
    if group is None:
        return None
    _several(input_tensor_list, "input_tensor_list")
    _some(input_tensor_list, "allgather_coalesced")
    _same_types(*input_tensor_list)
    if not isinstance(output_tensor_lists, list):
        raise TypeError("Invalid function argument: output_tensor_lists should be a list")
    for outputs in output_tensor_lists:
        _several(outputs, "output_tensor_lists")
    if len(output_tensor_lists) != group.size():
        raise RuntimeError("ProcessGroupGloo::allgather_coalesced: output lists should be equal to world size")
    if any(len(outputs) != len(input_tensor_list) for outputs in output_tensor_lists):
        raise RuntimeError("ProcessGroupGloo::allgather_coalesced: invalid output size")
    works = [_run(group, "all_gather", list(outputs), [tensor], True)
             for outputs, tensor in zip(zip(*output_tensor_lists), input_tensor_list, strict=True)]
    for work in works:
        work.wait()
    if not async_op:
        return None
    from ..futures import Future
    future = Future()
    future.set_result(output_tensor_lists)
    return future


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    """Gathers the tensors of all processes into one output tensor, concatenated in rank order."""
    _one(input_tensor, "input_tensor")
    _one(output_tensor, "output_tensor")
    group = _joined(group, "all_gather_into_tensor")
    if group is None:
        return None
    return _run(group, "all_gather_into_tensor", [output_tensor], [input_tensor], async_op)


_all_gather_base = all_gather_single = all_gather_into_tensor


def _at_root(call, tensor, values, async_op, group, root, what, where):
    """Common part of gather and scatter: every process passes a tensor, and only the root passes a list."""
    _one(tensor, "tensor")
    if values:
        _several(values, f"{call}_list")
        _same_types(tensor, *values)
    group = _joined(group, call)
    if group is None:
        return None
    root = _root(group, *root, what, False)
    if root == group.rank() and not values:
        raise ValueError(f"Argument ``{call}_list`` must be specified on {where} rank.")
    if root != group.rank() and values:
        raise ValueError(f"Argument ``{call}_list`` must NOT be specified on non-{where} ranks.")
    lists = [list(values or ()), [tensor]]
    outputs, inputs = lists if call == "gather" else reversed(lists)
    return _run(group, call, outputs, inputs, async_op, root)


def gather(tensor, gather_list=None, dst=None, group=None, async_op=False, group_dst=None):
    """Gathers the tensors of all processes into `gather_list` on the process with rank `dst`."""
    return _at_root("gather", tensor, gather_list, async_op, group, (dst, group_dst), "dst", "destination")


def gather_into_tensor(tensor, gather_tensor=None, dst=None, group=None, async_op=False, group_dst=None):
    """Gathers the tensors of all processes into one tensor on rank `dst`, concatenated in rank order."""
    size = c10d.get_world_size(group)
    parts = None if gather_tensor is None else list(gather_tensor.view(size, *tensor.shape).unbind())
    return gather(tensor, parts, dst, group, async_op, group_dst)


gather_single = gather_into_tensor


def scatter(tensor, scatter_list=None, src=None, group=None, async_op=False, group_src=None):
    """Sends scatter_list[i] of the process with rank `src` to rank i, which receives it in `tensor`."""
    return _at_root("scatter", tensor, scatter_list, async_op, group, (src, group_src), "src", "source")


def reduce_scatter(output, input_list, op=c10d.ReduceOp.SUM, group=None, async_op=False):
    """Adds input_list[i] of all processes; rank i gets that sum in `output`. `op` selects another reduction."""
    _one(output, "output")
    _several(input_list, "input_list")
    _same_types(output, *input_list)
    group = _joined(group, "reduce_scatter")
    if group is None:
        return None
    return _run(group, "reduce_scatter", [output], list(input_list), async_op, op=op)


def reduce_scatter_tensor(output, input, op=c10d.ReduceOp.SUM, group=None, async_op=False):
    """Reduces `input` across all processes and scatters it: rank i gets the i-th part in `output`."""
    _one(output, "output")
    _one(input, "input")
    group = _joined(group, "reduce_scatter_tensor")
    if group is None:
        return None
    return _run(group, "reduce_scatter_tensor", [output], [input], async_op, op=op)


_reduce_scatter_base = reduce_scatter_single = reduce_scatter_tensor


def all_to_all(output_tensor_list, input_tensor_list, group=None, async_op=False):
    """Sends input_tensor_list[i] to rank i and receives output_tensor_list[i] from it."""
    group = _joined(group, "all_to_all")
    if group is None:
        return None
    _several(output_tensor_list, "output_tensor_list")
    _several(input_tensor_list, "input_tensor_list")
    _some([*output_tensor_list, *input_tensor_list], "alltoall")
    _same_types(*output_tensor_list, *input_tensor_list)
    return _run(group, "all_to_all", list(output_tensor_list), list(input_tensor_list), async_op)


def all_to_all_single(output, input, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False):
    """Splits `input` along dim 0, sends part i to rank i and concatenates the received parts in `output`.

    Split sizes default to equal parts.
    """
    group = _joined(group, "all_to_all_single")
    if group is None:
        return None
    _one(output, "output")
    _one(input, "input")
    _same_types(output, input)
    sizes = [None if not part else [int(size) for size in part] for part in (output_split_sizes, input_split_sizes)]
    return _run(group, "all_to_all_single", [output], [input], async_op, sizes=sizes)


def barrier(group=None, async_op=False, device_ids=None, timeout=None):
    """Blocks until all processes of the group have called it.

    timeout: a timedelta; None means the timeout of the group. device_ids: an NCCL group that has not run a collective yet is
    set up on the GPU device_ids[0], by default the current GPU.
    """
    group = _joined(group, "barrier")
    if group is None:
        return None
    if timeout is not None and not isinstance(timeout, timedelta):
        raise TypeError(f"barrier(): incompatible function arguments. A datetime.timedelta is expected, not {type(timeout).__name__}")
    if timeout is not None and group.name() == "nccl":
        no_effect("barrier(timeout=...) with NCCL", "the barrier waits until all processes have come")
    limit = 0. if timeout is None else timeout.total_seconds()
    device = device_ids[0] if isinstance(device_ids, list) and device_ids else group.bound_device_id
    if group.name() != "nccl" or device is None:
        return _run(group, "barrier", [], [], async_op, timeout=limit)
    from ..cuda import device as current
    with current(device):
        return _run(group, "barrier", [], [], async_op, timeout=limit)


def monitored_barrier(group=None, timeout=None, wait_all_ranks=False):
    """A barrier (gloo only) that reports the ranks that do not arrive within the timeout.

    With `wait_all_ranks` all missing ranks are collected before the error is raised, otherwise only the first.
    """
    group = _joined(group, "monitored_barrier")
    if group is None:
        return
    if group.name() != "gloo":
        raise ValueError("monitored_barrier is only implemented for GLOO backend.")
    timeout = group._timeout if timeout is None else c10d._seconds_checked(timeout)
    _run(group, "monitored_barrier", [], [], False, int(wait_all_ranks), timeout=timeout.total_seconds())


# ---- point to point ----

def isend(tensor, dst=None, group=None, tag=0, group_dst=None):
    """Starts sending `tensor` to rank `dst` and returns a Work object."""
    group = c10d._group_or_world(group)
    root = _root(group, dst, group_dst, "dst")
    _one(tensor, "tensor")
    if c10d._rank_not_in_group(group):
        return c10d._warn_not_in_group("isend")
    if root == group.rank():
        raise ValueError("Invalid destination rank: destination rank should not be the same as the rank of the current process.")
    return _run(group, "isend", [], [tensor], True, root, tag=tag)


def irecv(tensor, src=None, group=None, tag=0, group_src=None):
    """Starts receiving into `tensor` from rank `src` (None: from any rank) and returns a Work object."""
    _one(tensor, "tensor")
    if c10d._rank_not_in_group(group):
        return c10d._warn_not_in_group("irecv")
    group = c10d._group_or_world(group)
    root = -1 if src is None and group_src is None else _root(group, src, group_src, "src")
    return _run(group, "irecv", [tensor], [], True, root, tag=tag)


def send(tensor, dst=None, group=None, tag=0, group_dst=None):
    """Sends `tensor` to rank `dst` and returns when it has been sent."""
    work = isend(tensor, dst, group, tag, group_dst)
    if work is not None:
        work.wait()


def recv(tensor, src=None, group=None, tag=0, group_src=None):
    """Receives into `tensor` from rank `src` (None: from any rank); returns the rank of the sender."""
    work = irecv(tensor, src, group, tag, group_src)
    if work is None:
        return -1
    work.wait()
    if src is None and group_src is None:
        return work.source_rank()
    return src if src is not None else c10d.get_global_rank(group, group_src)


class P2POp:
    """A send or receive operation to pass to batch_isend_irecv; `op` is isend or irecv, `peer` the other rank."""

    def __init__(self, op, tensor, peer=None, group=None, tag=0, group_peer=None):
        if op not in (isend, irecv):
            raise ValueError("Invalid ``op``. Expected ``op`` to be of type ``torch.distributed.isend`` or "
                             "``torch.distributed.irecv``.")
        _one(tensor, "tensor")
        self.op, self.tensor, self.group, self.tag = op, tensor, c10d._group_or_world(group), tag
        self.group_peer = _root(self.group, peer, group_peer, "peer")
        self.peer = self.group._ranks[self.group_peer]


def batch_isend_irecv(p2p_op_list):
    """Starts a list of P2POp operations together and returns a list of Work objects."""
    if not isinstance(p2p_op_list, list) or not all(isinstance(op, P2POp) for op in p2p_op_list):
        raise ValueError("Invalid ``p2p_op_list``. Each op is expected to to be of type ``torch.distributed.P2POp``.")
    if not p2p_op_list:
        raise ValueError("p2p_op_list must not be empty")
    if not all(op.group.name() == p2p_op_list[0].group.name() for op in p2p_op_list):
        raise ValueError("All ops need to use the same group.")
    return [op.op(op.tensor, op.peer, op.group, op.tag) for op in p2p_op_list]
