# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.comm: one process copies tensors to several GPUs, sums them, splits them and joins them.

Each function is differentiable, like `Tensor.to`, so that results of networks can be passed on.
"""
import warnings

from .. import _C
from .._utils import _flatten_dense_tensors, _get_device_index, _reorder_tensors_as, _take_tensors, _unflatten_dense_tensors

__all__ = ["broadcast", "broadcast_coalesced", "gather", "reduce_add", "reduce_add_coalesced", "scatter"]


def _device(index):
    return _C.device("cpu") if index < 0 else _C.device("cuda", index)


def _devices(devices):
    return [_device(_get_device_index(d)) for d in devices]


def _parted(tensor):
    """Return a complex tensor as pairs of real numbers, as PyTorch transfers them."""
    return _C.view_as_real(tensor) if tensor.is_complex() else tensor


def broadcast(tensor, devices=None, *, out=None):
    """Copy a tensor to several GPUs.

    Args:
        tensor: the tensor, on any device. A GPU that has it already gets the tensor itself.
        devices: the GPUs. Give either this or out. Default: None
        out: tensors on GPUs to copy into. Default: None

    Returns a tuple with one tensor per device, or out as a tuple.

        >>> a, b = torch.cuda.comm.broadcast(torch.ones(3), (0, 1))  # doctest: +SKIP
    """
    tensor = _parted(tensor)
    if (devices is None) == (out is None):
        raise RuntimeError(f"Exactly one of 'devices' and 'out' must be specified, but got devices={devices} and out={out}")
    if out is None:
        return tuple(tensor.to(device) for device in _devices(devices))
    for i, t in enumerate(out):
        if not t.is_cuda:
            raise RuntimeError(f"Expected all output tensors to be CUDA tensors, but output tensor at index {i} has device "
                               f"'{t.device}'")
        if t.shape != tensor.shape:
            raise RuntimeError(f"Expected all output tensors to have same shape as the source tensor {list(tensor.shape)}, but "
                               f"output tensor at index {i} has shape {list(t.shape)}")
    for t in out:
        t.copy_(tensor)
    return tuple(out)


def broadcast_coalesced(tensors, devices, buffer_size=10485760):
    """Copy several tensors of one device to several GPUs, packing small tensors together.

    Args:
        tensors: the tensors, all on one device.
        devices: the GPUs; one that the tensors are on gets them as they are.
        buffer_size: the size of a packed transfer in bytes. Default: 10485760

    Returns a tuple with a list of copies per device.
    """
    tensors, gpus = [_parted(t) for t in tensors], _devices(devices)
    if not all(t.device == tensors[0].device for t in tensors[1:]):
        raise RuntimeError("all tensors must be on devices[0]")
    results = []
    for device in gpus:
        if tensors and tensors[0].device == device:
            results.append(list(tensors))
            continue
        copies = {}
        for chunk in _take_tensors(tensors, buffer_size):
            if any(t.is_sparse for t in chunk):
                sent = [t.to(device) for t in chunk]
            else:
                sent = _unflatten_dense_tensors(_flatten_dense_tensors(chunk).to(device), chunk)
            copies.update((id(t), copy) for t, copy in zip(chunk, sent))
        results.append([copies[id(t)] for t in tensors])
    return tuple(results)


def reduce_add(inputs, destination=None):
    """Sum tensors of equal shape on several GPUs.

    Args:
        inputs: the tensors.
        destination: the index of the GPU for the sum; one of the tensors must be there. Default: None, for the current one
    """
    destination = _get_device_index(destination, optional=True)
    size, root = inputs[0].size(), None
    for i, t in enumerate(inputs):
        if t.device.type == "cpu":
            raise AssertionError(f"reduce_add expects all inputs to be on GPUs, but input {i} is on CPU")
        if t.get_device() == destination:
            root = i
        if t.size() != size:
            got, expected = ("x".join(map(str, s)) for s in (t.size(), size))
            raise ValueError(f"input {i} has invalid size: got {got}, but expected {expected}")
    if root is None:
        raise RuntimeError("reduce_add expects destination to be on the same GPU with one of the tensors")
    result = inputs[root]
    for i, t in enumerate(inputs):
        if i != root:
            result = result + t.to(_device(destination), non_blocking=True)
    return result


def reduce_add_coalesced(inputs, destination=None, buffer_size=10485760):
    """Sum several lists of tensors, one list per GPU, element by element of the lists, packing small tensors together.

    Args:
        inputs: the lists, of equal length and shapes.
        destination: the index of the GPU for the sums. Default: None, for the current one
        buffer_size: the size of a packed addition in bytes. Default: 10485760

    Returns a tuple with one sum per position in the lists.
    """
    dense, sums, order = [[] for _ in inputs], [], []
    for group in zip(*inputs, strict=True):
        if all(t.is_sparse for t in group):
            sums.append(reduce_add(group, destination))
            order.append(group[0])
            continue
        for own, t in zip(dense, group, strict=True):
            own.append(t.to_dense() if t.is_sparse else t)
        order.append(dense[0][-1])
    for chunks in zip(*(_take_tensors(tensors, buffer_size) for tensors in dense), strict=True):
        flat = reduce_add([_flatten_dense_tensors(chunk) for chunk in chunks], destination)
        sums += [t.data for t in _unflatten_dense_tensors(flat, chunks[0])]
    return tuple(_reorder_tensors_as(sums, order))


def scatter(tensor, devices=None, chunk_sizes=None, dim=0, streams=None, *, out=None):
    """Split a tensor along a dim among several GPUs.

    Args:
        tensor: the tensor, on any device.
        devices: the GPUs. Default: None, if out is given
        chunk_sizes: the size of each part along dim. Default: None, for parts as equal as possible
        dim: the dim to split. Default: 0
        streams: for each device the stream that copies its part, or None for the current one. Default: None
        out: tensors on GPUs to copy the parts into, instead of devices and chunk_sizes. Default: None

    Returns a tuple with one part per device, or out as a tuple.
    """
    tensor = _parted(tensor)
    if out is None:
        gpus = _devices(devices)
        if chunk_sizes is None:
            parts = tensor.chunk(len(gpus), dim)
        else:
            if len(chunk_sizes) != len(gpus):
                raise RuntimeError("Expected devices and chunk_sizes to be of same length, but got len(devices) = "
                                   f"{len(gpus)} and len(chunk_sizes) = {len(chunk_sizes)}")
            parts = tensor.split(list(chunk_sizes), dim)
        return tuple(_sent(part, device, streams and streams[i]) for i, (part, device) in enumerate(zip(parts, gpus)))
    if devices is not None:
        raise RuntimeError(f"'devices' must not be specified when 'out' is specified, but got devices={devices}")
    if chunk_sizes is not None:
        raise RuntimeError(f"'chunk_sizes' must not be specified when 'out' is specified, but got chunk_sizes={chunk_sizes}")
    if not out:
        raise RuntimeError("Expected at least one output tensor to scatter to")
    total = sum(t.size(dim) for t in out)
    if total != tensor.size(dim):
        raise RuntimeError(f"Total size for output tensors along scatter dim {dim % tensor.dim()} does not match the source tensor "
                           f"size at dim {dim % tensor.dim()}: {total} instead of {tensor.size(dim)}")
    for i, (target, part) in enumerate(zip(out, tensor.split([t.size(dim) for t in out], dim))):
        with _on(streams and streams[i]):
            target.copy_(part, non_blocking=True)
    return tuple(out)


def _on(stream):
    from . import StreamContext
    return StreamContext(stream)


def _sent(part, device, stream):
    with _on(stream):
        return part.to(device, non_blocking=True)


def gather(tensors, dim=0, destination=None, *, out=None):
    """Concatenate tensors from several GPUs along a dim.

    Args:
        tensors: the tensors, each on a GPU.
        dim: the dim. Default: 0
        destination: the device for the result. Default: None, for the current GPU
        out: a tensor to write to, instead of destination. Default: None
    """
    tensors = [_parted(t) for t in tensors]
    for i, t in enumerate(tensors):
        if not t.is_cuda:
            raise RuntimeError(f"Expected all input tensors to be CUDA tensors, but tensor at index {i} has device '{t.device}'")
    if out is None:
        if destination == -1:
            warnings.warn("Using -1 to represent CPU tensor is deprecated. Please use a device object or string instead, e.g., "
                          '"cpu".', FutureWarning, stacklevel=2)
        device = _device(_get_device_index(destination, allow_cpu=True, optional=True))
        return _C.cat([t.to(device) for t in tensors], dim)
    if destination is not None:
        raise RuntimeError(f"'destination' must not be specified when 'out' is specified, but got destination={destination}")
    shape = list(tensors[0].shape)
    shape[dim] = sum(t.size(dim) for t in tensors)
    if list(out.shape) != shape:
        raise RuntimeError(f"Expected out tensor to have shape {shape}, but got {list(out.shape)}")
    for target, t in zip(out.split([t.size(dim) for t in tensors], dim), tensors):
        target.copy_(t, non_blocking=True)
    return out
