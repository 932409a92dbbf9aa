# SPDX-License-Identifier: BSD-3-Clause
"""Pickling of tensors and storages for other processes.

Messages refer to shared memory by file descriptor. Python's resource sharer, a thread of the sender, passes the descriptor on
when the message is received, so the sender must live until then. `dumps` and `loads` serve callers that pass descriptors
themselves. Every receiver maps the same memory.

A tensor composed of others (sparse layouts) sends those. GPU memory is copied: the sender copies it to shared host memory, the
receiver to the GPU with the same index, so later writes are not shared. Meta tensors have no memory.
"""
import os
import threading
from multiprocessing.reduction import DupFd, ForkingPickler

from .. import _C

_listed = threading.local()  # sent: storages of the message in dumps; received: descriptors of the message in loads


def dumps(obj):
    """Returns (bytes, storages) of a pickled object; the storages' descriptors (_share_fd) have to be passed to loads."""
    _listed.sent = []
    try:
        return bytes(ForkingPickler.dumps(obj)), _listed.sent
    finally:
        _listed.sent = None


def loads(data, fds):
    """Unpickles what dumps returned, given the descriptors in this process, which are consumed or closed."""
    _listed.received = dict(enumerate(fds))
    try:
        return ForkingPickler.loads(data)
    finally:
        for fd in _listed.received.values():
            os.close(fd)
        _listed.received = None


def _send_storage(storage):
    """Returns (function, arguments) that map the same memory in the receiver."""
    fd, nbytes = storage._share_fd(), storage.nbytes()
    sent = getattr(_listed, "sent", None)
    if sent is None:
        return _receive_fd, (DupFd(fd), nbytes)
    sent.append(storage)
    return _receive_listed, (len(sent) - 1, nbytes)


def _receive_fd(fd, nbytes):
    return _C._open_fd(fd.detach(), nbytes)


def _receive_listed(index, nbytes):
    return _C._open_fd(_listed.received.pop(index), nbytes)


def _receive_for_device(storage, device):
    return storage.to(device=device)


def reduce_storage(storage):
    """Reduces an untyped storage for pickling."""
    if storage.device.type == "cpu":
        return _send_storage(storage)
    if storage.device.type == "meta":
        return storage.__reduce_ex__(2)
    return _receive_for_device, (storage.cpu(), storage.device)


def rebuild_tensor(cls, send, arguments, dtype, offset, size, stride, requires_grad, conj):
    """Rebuilds a tensor from a message."""
    tensor = _C._rebuild_tensor(send(*arguments), dtype, offset, size, stride, False, conj, None)
    if cls == "Parameter":
        from ..nn import Parameter
        return Parameter(tensor, requires_grad)
    if cls is not None:
        tensor = tensor.as_subclass(cls)
    return tensor.requires_grad_() if requires_grad else tensor


def reduce_tensor(tensor):
    """Reduces a tensor for pickling: its storage, offset, size and strides."""
    if tensor.requires_grad and not tensor.is_leaf:
        raise RuntimeError(
            "Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd does not support crossing "
            "process boundaries.  If you just want to transfer the data, call detach() on the tensor before serializing (e.g., "
            "putting it on the queue).")
    if tensor.device.type != "cpu" or tensor.layout != _C.strided:
        return tensor.__reduce_ex__(2)
    plain = tensor.detach()
    if plain.is_neg():
        plain = plain.resolve_neg()
    send, arguments = _send_storage(plain.untyped_storage())
    kind = type(tensor)
    known = {"Tensor": None, "Parameter": "Parameter"}  # classes with PyTorch's module names
    cls = known.get(kind.__name__, kind) if kind.__module__.partition(".")[0] in ("torch", "corten") else kind
    return rebuild_tensor, (cls, send, arguments, tensor.dtype, plain.storage_offset(), tuple(plain.shape),
                            tuple(plain.stride()), tensor.requires_grad, plain.is_conj())


def rebuild_typed_storage(storage, dtype):
    """Rebuilds a typed storage from a message."""
    from ..storage import TypedStorage
    return TypedStorage(wrap_storage=storage, dtype=dtype, _internal=True)


def reduce_typed_storage(storage):
    """Reduces a typed storage for pickling."""
    return rebuild_typed_storage, (storage._untyped_storage, storage.dtype)


def init_reductions():
    """Registers the reductions with multiprocessing."""
    from ..storage import TypedStorage, UntypedStorage
    ForkingPickler.register(_C.Tensor, reduce_tensor)
    ForkingPickler.register(UntypedStorage, reduce_storage)
    ForkingPickler.register(TypedStorage, reduce_typed_storage)


def register_class(cls):
    """Registers the reduction for a subclass of Tensor."""
    ForkingPickler.register(cls, reduce_tensor)
