# SPDX-License-Identifier: BSD-3-Clause
"""torch._utils: the functions that PyTorch's files call to rebuild tensors, and helpers that libraries use."""
import copy
import copyreg
from collections import OrderedDict

from . import _C


def _element_size(dtype):
    """Returns the size of an element in bytes."""
    return dtype.itemsize


def _untyped(storage):
    return storage._untyped_storage, storage.dtype


def _rebuild_tensor(storage, storage_offset, size, stride):
    untyped, dtype = _untyped(storage)
    return _C._rebuild_tensor(untyped, dtype, storage_offset, tuple(size), tuple(stride), False, False, None)


def _finish(tensor, requires_grad, backward_hooks, metadata):
    if metadata and metadata.get("neg"):
        tensor = tensor._neg_view()
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
    if layout in (_C.sparse_csr, _C.sparse_csc, _C.sparse_bsr, _C.sparse_bsc):
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
    """Sets the attributes of an object from a dict, or from a pair of dicts with attributes and slots."""
    if isinstance(state, tuple) and len(state) != 2:
        raise RuntimeError(f"Invalid serialized state: {state}")
    attributes, slots = state if isinstance(state, tuple) else (state, None)
    for name, value in (*(attributes or {}).items(), *(slots or {}).items()):
        setattr(obj, name, value)
    return obj


def _get_obj_state(obj):
    """Returns the state of an object for pickle: the result of `__getstate__`, otherwise its attributes and slots."""
    getstate = getattr(obj, "__getstate__", None)
    if getstate is not None:  # in Python 3.11 and later, every object has one
        return getstate()
    slots = {name: getattr(obj, name) for name in copyreg._slotnames(type(obj)) if hasattr(obj, name)}
    return (obj.__dict__, slots) if slots else obj.__dict__ or None


def _copy_slots(source, target, memo):
    """The part of copy.deepcopy that copies `__slots__` of Tensor subclasses."""
    for name in copyreg._slotnames(type(source)):
        if hasattr(source, name):
            setattr(target, name, copy.deepcopy(getattr(source, name), memo))


def _import_dotted_name(name):
    """Imports the object with a dotted name such as "torch.nn.Linear"."""
    first, *rest = name.split(".")
    obj = __import__("corten" if first == "torch" else first)
    for part in rest:
        obj = getattr(obj, part)
    return obj


class ExceptionWrapper:
    """Carries an exception to another thread or process, with its traceback as text."""

    def __init__(self, exc_info=None, where="in background"):
        import sys
        import traceback
        exc_info = exc_info or sys.exc_info()
        self.exc_type = exc_info[0]
        self.exc_msg = "".join(traceback.format_exception(*exc_info))
        self.where = where

    def reraise(self):
        """Raises the exception again, with the original traceback in its text."""
        text = f"Caught {self.exc_type.__name__} {self.where}.\nOriginal {self.exc_msg}"
        if self.exc_type is KeyError:
            text = _KeyText(text)  # KeyError shows the repr of its text
        elif getattr(self.exc_type, "message", None):
            raise self.exc_type(message=text)
        try:
            error = self.exc_type(text)
        except Exception:
            raise RuntimeError(text) from None  # the class takes other arguments
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


def _take_tensors(tensors, size_limit):
    """Divides tensors into lists of one dtype with at most `size_limit` bytes (or a single tensor), keeping the order per dtype."""
    groups = {}
    for tensor in tensors:
        kind = tensor.type()
        held = (tensor._indices(), tensor._values()) if tensor.is_sparse else (tensor,)
        size = sum(t.numel() * t.element_size() for t in held)
        group, total = groups.get(kind, ([], 0))
        if group and total + size > size_limit:
            yield group
            group, total = [], 0
        groups[kind] = [*group, tensor], total + size
    yield from (group for group, _ in groups.values() if group)


def _reorder_tensors_as(tensors, ordered_tensors):
    """Undoes the regrouping of _take_tensors: reorders tensors by the dtypes of `ordered_tensors`."""
    kinds = {}
    for tensor in tensors:
        kinds.setdefault(tensor.type(), []).append(tensor)
    kinds = {kind: iter(group) for kind, group in kinds.items()}
    return tuple(next(kinds[tensor.type()]) for tensor in ordered_tensors)


def _get_device_index(device, optional=False, allow_cpu=False):
    """Returns the index of a device given as an int, str or torch.device; -1 for the CPU, if `allow_cpu`.

    With `optional`, a device without an index means the current GPU.
    """
    if isinstance(device, str):
        device = _C.device(device)
    index = device if isinstance(device, int) else None
    if isinstance(device, _C.device):
        if device.type == "cpu" and not allow_cpu:
            raise ValueError(f"Expected a non cpu device, but got: {device}")
        index = -1 if device.type == "cpu" else device.index
    if index is None and optional:
        from . import cuda
        return cuda.current_device()
    if index is None:
        raise ValueError(f"Expected a torch.device with a specified index or an integer, but got:{device}")
    return index


def _get_available_device_type():
    """Returns the type of the available accelerator, or None."""
    from . import cuda
    return "cuda" if cuda.is_available() else None


def _get_device_module(device_type):
    """Returns the module of a device type: torch.cuda for "cuda"."""
    import corten
    module = getattr(corten, device_type, None)
    if module is None:
        raise RuntimeError(f"Device '{device_type}' does not have a corresponding module registered as 'torch.{device_type}'.")
    return module
