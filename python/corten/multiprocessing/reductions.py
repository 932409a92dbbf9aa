# SPDX-License-Identifier: BSD-3-Clause
"""How tensors and storages are pickled for other processes.

A message names shared memory by its file descriptor. Python's resource sharer, a thread of the sender, hands the descriptor over
when the message is received, so the sender has to live until then; `dumps` and `loads` are for those who send descriptors
themselves. Each receiver maps the same bytes.

A tensor that is made of others (sparse layouts) sends those. Memory of a GPU is copied: the sender puts it into shared memory of
the host, the receiver puts it onto the same GPU, so a write on one side is not seen on the other. Meta tensors have no memory.
"""
import os
import threading
from multiprocessing.reduction import DupFd, ForkingPickler

from .. import _C

_listed = threading.local()  # sent: the storages of the message that dumps makes; received: descriptors of that of loads


def dumps(obj):
    """Returns (bytes, storages) of an object: the descriptors of the storages (_share_fd) are for loads."""
    _listed.sent = []
    try:
        return bytes(ForkingPickler.dumps(obj)), _listed.sent
    finally:
        _listed.sent = None


def loads(data, fds):
    """The object of what dumps gave, with descriptors that belong to this process; they are used or closed."""
    _listed.received = dict(enumerate(fds))
    try:
        return ForkingPickler.loads(data)
    finally:
        for fd in _listed.received.values():
            os.close(fd)
        _listed.received = None


def _send_storage(storage):
    """(function, arguments) that make the same memory in the receiver."""
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
    """An untyped storage in a message."""
    if storage.device.type == "cpu":
        return _send_storage(storage)
    if storage.device.type == "meta":
        return storage.__reduce_ex__(2)
    return _receive_for_device, (storage.cpu(), storage.device)


def rebuild_tensor(cls, send, arguments, dtype, offset, size, stride, requires_grad, conj):
    """The tensor of a message."""
    tensor = _C._rebuild_tensor(send(*arguments), dtype, offset, size, stride, False, conj, None)
    if cls == "Parameter":
        from ..nn import Parameter
        return Parameter(tensor, requires_grad)
    if cls is not None:
        tensor = tensor.as_subclass(cls)
    return tensor.requires_grad_() if requires_grad else tensor


def reduce_tensor(tensor):
    """A tensor in a message: its storage, and where it lies in it."""
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
    known = {"Tensor": None, "Parameter": "Parameter"}  # whose modules have PyTorch's names
    cls = known.get(kind.__name__, kind) if kind.__module__.partition(".")[0] in ("torch", "corten") else kind
    return rebuild_tensor, (cls, send, arguments, tensor.dtype, plain.storage_offset(), tuple(plain.shape),
                            tuple(plain.stride()), tensor.requires_grad, plain.is_conj())


def rebuild_typed_storage(storage, dtype):
    """The typed storage of a message."""
    from ..storage import TypedStorage
    return TypedStorage(wrap_storage=storage, dtype=dtype, _internal=True)


def reduce_typed_storage(storage):
    """A typed storage in a message."""
    return rebuild_typed_storage, (storage._untyped_storage, storage.dtype)


def init_reductions():
    """Tells Python's multiprocessing of tensors."""
    from ..storage import TypedStorage, UntypedStorage
    ForkingPickler.register(_C.Tensor, reduce_tensor)
    ForkingPickler.register(UntypedStorage, reduce_storage)
    ForkingPickler.register(TypedStorage, reduce_typed_storage)


def register_class(cls):
    """Makes tensors of a subclass travel the same way."""
    ForkingPickler.register(cls, reduce_tensor)
