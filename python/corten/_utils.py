# SPDX-License-Identifier: BSD-3-Clause
"""The functions that PyTorch's files name: each makes a tensor again from what was saved of it."""
from collections import OrderedDict

from . import _C


def _element_size(dtype):
    """Bytes of one element."""
    return dtype.itemsize


def _untyped(storage):
    return storage._untyped_storage, storage.dtype


def _rebuild_tensor(storage, storage_offset, size, stride):
    untyped, dtype = _untyped(storage)
    return _C._rebuild_tensor(untyped, dtype, storage_offset, tuple(size), tuple(stride), False, False, None)


def _finish(tensor, requires_grad, backward_hooks, metadata):
    if metadata and metadata.get("neg"):
        tensor = tensor.neg()
    if requires_grad:
        tensor.requires_grad_(True)
    if backward_hooks:
        tensor._backward_hooks = backward_hooks
    return tensor


def _rebuild_tensor_v2(storage, storage_offset, size, stride, requires_grad, backward_hooks, metadata=None):
    untyped, dtype = _untyped(storage)
    conj = bool(metadata and metadata.get("conj"))
    tensor = _C._rebuild_tensor(untyped, dtype, storage_offset, tuple(size), tuple(stride), False, conj, None)
    return _finish(tensor, requires_grad, backward_hooks, metadata)


def _rebuild_tensor_v3(storage, storage_offset, size, stride, requires_grad, backward_hooks, dtype, metadata=None):
    conj = bool(metadata and metadata.get("conj"))
    tensor = _C._rebuild_tensor(_untyped(storage)[0], dtype, storage_offset, tuple(size), tuple(stride), False, conj, None)
    return _finish(tensor, requires_grad, backward_hooks, metadata)


def _rebuild_meta_tensor_no_storage(dtype, size, stride, requires_grad):
    return _C.empty_strided(size, stride, dtype=dtype, device="meta", requires_grad=requires_grad)


def _rebuild_device_tensor_from_numpy(data, dtype, device, requires_grad):
    return _C.from_numpy(data).to(dtype=dtype, device=device).requires_grad_(requires_grad)


def _rebuild_device_tensor_from_cpu_tensor(data, dtype, device, requires_grad):
    return data.to(dtype=dtype, device=device).requires_grad_(requires_grad)


def _rebuild_sparse_tensor(layout, data):
    if layout in (_C.sparse_csr, _C.sparse_csc):
        return _C.sparse_compressed_tensor(*data, layout=layout)
    if layout != _C.sparse_coo:
        raise NotImplementedError(f"rebuilding sparse tensor for layout {layout}")
    indices, values, size, *coalesced = data
    return _C.sparse_coo_tensor(indices, values, size, is_coalesced=bool(coalesced and coalesced[0]))


def _rebuild_parameter(data, requires_grad, backward_hooks):
    from .nn import Parameter
    parameter = Parameter(data, requires_grad)
    if backward_hooks:
        parameter._backward_hooks = backward_hooks
    return parameter


def _rebuild_parameter_with_state(data, requires_grad, backward_hooks, state):
    return _set_obj_state(_rebuild_parameter(data, requires_grad, backward_hooks), state)


def _set_obj_state(obj, state):
    """Attributes of a dict, or of a dict and slots."""
    attributes, slots = state if isinstance(state, tuple) else (state, None)
    for name, value in (*(attributes or {}).items(), *(slots or {}).items()):
        setattr(obj, name, value)
    return obj


def _get_obj_state(obj):
    """What pickle keeps of an object beside its class."""
    return getattr(obj, "__dict__", {})


def _import_dotted_name(name):
    """The object of a name like "torch.nn.Linear"."""
    first, *rest = name.split(".")
    obj = __import__("corten" if first == "torch" else first)
    for part in rest:
        obj = getattr(obj, part)
    return obj


class ExceptionWrapper:
    """An exception on its way to another thread or process: what it was, and its traceback as text."""

    def __init__(self, exc_info=None, where="in background"):
        import sys
        import traceback
        exc_info = exc_info or sys.exc_info()
        self.exc_type = exc_info[0]
        self.exc_msg = "".join(traceback.format_exception(*exc_info))
        self.where = where

    def reraise(self):
        """Raises it again, with the other traceback in its text."""
        text = f"Caught {self.exc_type.__name__} {self.where}.\nOriginal {self.exc_msg}"
        if self.exc_type is KeyError:
            text = _KeyText(text)  # which would be shown by its repr
        try:
            error = self.exc_type(text)
        except Exception:
            raise RuntimeError(text) from None  # a class that takes other arguments
        raise error


class _KeyText(str):
    def __repr__(self):
        return self


def _flatten_dense_tensors(tensors):
    return _C.cat([t.contiguous().view(-1) for t in tensors]) if len(tensors) != 1 else tensors[0].contiguous().view(-1)


def _unflatten_dense_tensors(flat, tensors):
    result, at = [], 0
    for t in tensors:
        result.append(flat[at:at + t.numel()].view(t.shape))
        at += t.numel()
    return tuple(result)


REBUILDERS = {function.__name__: function for function in (
    _rebuild_tensor, _rebuild_tensor_v2, _rebuild_tensor_v3, _rebuild_meta_tensor_no_storage, _rebuild_sparse_tensor,
    _rebuild_parameter, _rebuild_parameter_with_state, _rebuild_device_tensor_from_numpy, _rebuild_device_tensor_from_cpu_tensor)}
NO_HOOKS = OrderedDict()
