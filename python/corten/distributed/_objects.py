# SPDX-License-Identifier: BSD-3-Clause
"""Collectives for Python objects, which travel as pickles.

With weights_only=True received pickles go through the restricted unpickler of corten.load, which runs no code.
"""
import io
import pickle

from .. import _C
from . import _collectives as coll
from . import distributed_c10d as c10d  # noqa: F401

__all__ = ["all_gather_object", "broadcast_object_list", "gather_object", "recv_object_list", "scatter_object_list", "send_object_list"]


def _device_for(group, device=None):
    """Returns the device on which tensors of this group have to be."""
    return device or ((group.bound_device_id or "cuda") if group.name() == "nccl" else "cpu")


def _pack(obj, weights_only):
    """Pickles `obj` into a uint8 tensor."""
    if not weights_only:
        return _C.frombuffer(bytearray(pickle.dumps(obj)), dtype=_C.uint8)
    from ..serialization import save
    file = io.BytesIO()
    save(obj, file)
    return _C.frombuffer(bytearray(file.getvalue()), dtype=_C.uint8)


def _unpack(tensor, size, weights_only):
    data = tensor[:size].cpu().numpy().tobytes()
    if not weights_only:
        return pickle.loads(data)
    from ..serialization import load
    return load(io.BytesIO(data), weights_only=True)


def _sizes(tensors):
    return _C.tensor([tensor.numel() for tensor in tensors], dtype=_C.int64)


def _padded(tensor, size, group):
    whole = _C.zeros(size, dtype=_C.uint8)
    whole[:tensor.numel()] = tensor
    return whole.to(_device_for(group))


def _all_sizes(tensor, group):
    """Returns the number of bytes that each rank of the group contributes."""
    sizes = _C.zeros(group.size(), dtype=_C.int64, device=_device_for(group))
    coll.all_gather_into_tensor(sizes, _sizes([tensor]).to(_device_for(group)), group)
    return sizes.tolist()


def all_gather_object(object_list, obj, group=None, weights_only=False):
    """Gathers picklable objects: object_list[i] becomes the object of rank i, on every process."""
    group = coll._joined(group, "all_gather_object")
    if group is None:
        return
    mine = _pack(obj, weights_only)
    sizes = _all_sizes(mine, group)
    parts = [_C.empty(max(sizes), dtype=_C.uint8, device=_device_for(group)) for _ in sizes]
    coll.all_gather(parts, _padded(mine, max(sizes), group), group)
    for i, (part, size) in enumerate(zip(parts, sizes, strict=True)):
        object_list[i] = _unpack(part, size, weights_only)


def gather_object(obj, object_gather_list=None, dst=None, group=None, group_dst=None, weights_only=False):
    """Gathers picklable objects into object_gather_list on rank `dst`."""
    group = coll._joined(group, "gather_object")
    if group is None:
        return
    root = coll._root(group, dst, group_dst, "dst", False)
    if root == group.rank() and not object_gather_list:
        raise ValueError("Argument ``gather_list`` must be specified on destination rank.")
    if root != group.rank() and object_gather_list:
        raise ValueError("Argument ``gather_list`` must NOT be specified on non-destination ranks.")
    mine = _pack(obj, weights_only)
    sizes = _all_sizes(mine, group)
    parts = [_C.empty(max(sizes), dtype=_C.uint8, device=_device_for(group)) for _ in sizes] if root == group.rank() else None
    coll.gather(_padded(mine, max(sizes), group), parts, group=group, group_dst=root)
    for i, part in enumerate(parts or ()):
        object_gather_list[i] = _unpack(part, sizes[i], weights_only)


def _send_all(device, objects, exchange, sends, weights_only):
    """Exchanges the sizes first, then the bytes of all objects in one tensor; the receiver fills `objects`."""
    packed = [_pack(obj, weights_only) for obj in objects] if sends else []
    sizes = (_sizes(packed) if sends else _C.zeros(len(objects), dtype=_C.int64)).to(device)
    exchange(sizes)
    sizes = sizes.tolist()
    whole = (_C.cat(packed) if sends else _C.empty(sum(sizes), dtype=_C.uint8)).to(device)
    exchange(whole)
    for i, size in enumerate(() if sends else sizes):
        objects[i] = _unpack(whole, size, weights_only)
        whole = whole[size:]


def broadcast_object_list(object_list, src=None, group=None, device=None, group_src=None, weights_only=False):
    """Replaces the objects in object_list on every process with those of rank `src`."""
    group = coll._joined(group, "broadcast_object_list")
    if group is None:
        return
    root = coll._root(group, src, group_src, "src", False)
    _send_all(_device_for(group, device), object_list, lambda tensor: coll.broadcast(tensor, group=group, group_src=root), root == group.rank(),
              weights_only)


def _batched(op, tensor, group, peer):
    for work in coll.batch_isend_irecv([coll.P2POp(op, tensor, group=group, group_peer=peer)]):
        work.wait()


def send_object_list(object_list, dst=None, group=None, device=None, group_dst=None, use_batch=False, weights_only=False):
    """Sends a list of picklable objects to rank `dst`."""
    group = coll._joined(group, "send_object_list")
    if group is not None:
        root = coll._root(group, dst, group_dst, "dst")
        if root == group.rank():
            raise ValueError("Invalid destination rank: destination rank should not be the same as the rank of the current process.")

        def send(tensor):
            if use_batch:
                _batched(coll.isend, tensor, group, root)
            else:
                coll.send(tensor, group=group, group_dst=root)
        _send_all(_device_for(group, device), object_list, send, True, weights_only)


def recv_object_list(object_list, src=None, group=None, device=None, group_src=None, use_batch=False, weights_only=False):
    """Receives a list of objects into object_list and returns the rank of the sender."""
    group = coll._joined(group, "recv_object_list")
    if group is None:
        return -1
    source = [None if src is None and group_src is None else coll._root(group, src, group_src, "src")]

    def receive(tensor):
        if source[0] is None:  # src=None: receive the bytes from the rank that sent the sizes
            source[0] = group._local(coll.recv(tensor, group=group))
        elif use_batch:
            _batched(coll.irecv, tensor, group, source[0])
        else:
            coll.recv(tensor, group=group, group_src=source[0])
    _send_all(_device_for(group, device), object_list, receive, False, weights_only)
    return group._global(source[0])


def scatter_object_list(scatter_object_output_list, scatter_object_input_list=None, src=None, group=None, group_src=None,
                        weights_only=False):
    """Sends object i of scatter_object_input_list on rank `src` to rank i, which finds it in scatter_object_output_list[0]."""
    group = coll._joined(group, "scatter_object_list")
    if group is None:
        return
    if not isinstance(scatter_object_output_list, list) or len(scatter_object_output_list) < 1:
        raise ValueError("Expected argument scatter_object_output_list to be a list of size at least 1.")
    root = coll._root(group, src, group_src, "src", False)
    packed = None
    if root == group.rank():
        if scatter_object_input_list is None:
            raise ValueError("source rank must provide non-None scatter_object_input_list")
        if not isinstance(scatter_object_input_list, list) or len(scatter_object_input_list) != group.size():
            raise ValueError("scatter_object_input_list must be a list of size world_size on the source rank")
        packed = [_pack(obj, weights_only) for obj in scatter_object_input_list]
    sizes = (_sizes(packed) if packed else _C.zeros(group.size(), dtype=_C.int64)).to(_device_for(group))
    coll.broadcast(sizes, group=group, group_src=root)
    most = max(sizes.tolist())
    mine = _C.empty(most, dtype=_C.uint8, device=_device_for(group))
    coll.scatter(mine, [_padded(part, most, group) for part in packed] if packed else None, group=group, group_src=root)
    scatter_object_output_list[0] = _unpack(mine, sizes.tolist()[group.rank()], weights_only)
