# SPDX-License-Identifier: BSD-3-Clause
"""How tensors and storages are pickled for other processes.

A message names a file in /dev/shm that is the memory itself. The receiver takes the name away when it opens it; names of
messages that nobody received are taken away by Python's resource tracker when the program ends.
"""
import os
import secrets
from multiprocessing import resource_tracker
from multiprocessing.reduction import ForkingPickler

from .. import _C

_FOLDER = "/dev/shm"


def _name_of(fd):
    """A new name for an open file without one."""
    name = f"corten-{os.getpid()}-{secrets.token_hex(8)}"
    os.link(f"/proc/self/fd/{fd}", f"{_FOLDER}/{name}", follow_symlinks=True)
    resource_tracker.register("/" + name, "shared_memory")
    return name


def _send_storage(storage):
    """(function, arguments) that make the same memory in the receiver."""
    fd, nbytes = storage._share_fd(), storage.nbytes()
    try:
        return _receive_file, (_name_of(fd), nbytes)
    except OSError:  # no /dev/shm, or one that cannot link: the descriptor itself travels
        from multiprocessing.reduction import DupFd
        return _receive_fd, (DupFd(fd), nbytes)


def _receive_file(name, nbytes):
    path = f"{_FOLDER}/{name}"
    fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    os.unlink(path)
    resource_tracker.unregister("/" + name, "shared_memory")
    return _C._open_fd(fd, nbytes)


def _receive_fd(fd, nbytes):
    return _C._open_fd(fd.detach(), nbytes)


def reduce_storage(storage):
    """An untyped storage in a message."""
    return _send_storage(storage)


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
    if tensor.device.type != "cpu":
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
