# SPDX-License-Identifier: BSD-3-Clause
"""`torch.save(..., pickle_module=M)`: writes with M.Pickler, using the class names that PyTorch's files have.

Without pickle_module the C core writes the pickle. Here a subclass of M.Pickler does, because M may support objects that the
C core does not: dill and cloudpickle pickle lambdas and local classes. The subclass writes tensors as calls of PyTorch's
rebuild functions and storages as references, because a file keeps the bytes of storages outside the pickle.
"""
import io
import pickletools
import re
from collections import OrderedDict

from . import _C, _utils
from .serialization import location_tag
from .storage import _TYPES, TypedStorage, UntypedStorage, typed

# A pickler checks that a class can be imported from the module it names, and "torch" may not be importable. So classes are
# pickled with names in this package, and _with_torch_names rewrites the names in the pickle.
_STAND_IN = "stand_in_for_"
_STAND_INS = {name: type(_STAND_IN + name, (), {"__module__": __name__})
              for name in ("Size", "device", "Tensor", "UntypedStorage", *(f"{kind}Storage" for kind in _TYPES))}
globals().update({_STAND_IN + name: cls for name, cls in _STAND_INS.items()})


def _reduce_dense(tensor):
    """Returns (function, arguments) that rebuild a dense tensor, without its class and attributes."""
    size, stride, requires_grad = tuple(tensor.size()), tensor.stride(), tensor.requires_grad
    if tensor.device.type == "meta":
        return _utils._rebuild_meta_tensor_no_storage, (tensor.dtype, size, stride, requires_grad)
    storage = tensor.untyped_storage()
    where = tensor.storage_offset(), size, stride, requires_grad, OrderedDict()
    marks = {name: True for name, on in (("conj", tensor.is_conj()), ("neg", tensor.is_neg())) if on}
    if tensor.dtype in _TYPES.values():
        function, args = _utils._rebuild_tensor_v2, (typed(storage, tensor.dtype), *where)
    else:  # dtypes without a storage class, such as uint16
        function, args = _utils._rebuild_tensor_v3, (storage, *where, tensor.dtype)
    return function, (*args, marks) if marks else args


def _reduce_tensor(tensor):
    """Returns (function, arguments) that rebuild a dense tensor with its class and attributes."""
    from ._tensor import _rebuild_from_type_v2
    from .nn import Parameter
    state = dict(vars(tensor))
    if type(tensor) is Parameter:
        args = tensor.detach(), tensor.requires_grad, OrderedDict()
        return (_utils._rebuild_parameter_with_state, (*args, state)) if state else (_utils._rebuild_parameter, args)
    function, args = _reduce_dense(tensor)
    if type(tensor) is _C.Tensor and not state:
        return function, args
    kind = _STAND_INS["Tensor"] if type(tensor) is _C.Tensor else type(tensor)
    return _rebuild_from_type_v2, (function, kind, args, state)


def _torch_name(module, name):
    if module == __name__:
        name = name.removeprefix(_STAND_IN)
        return "torch.storage" if name == "UntypedStorage" else "torch", name
    return re.sub(r"^corten(?=$|\.)", "torch", re.sub(r"^corten\.vision(?=$|\.)", "torchvision", module)), name


def _with_torch_names(data):
    """Rewrites `corten.` to `torch.` in the class and function names of a pickle, so that PyTorch can load it."""
    out, texts, memo = [], [], {}  # texts: the strings pushed last; STACK_GLOBAL takes two
    ops = list(pickletools.genops(data))
    ends = [at for _, _, at in ops[1:]] + [len(data)]
    for (op, arg, at), end in zip(ops, ends):
        piece = data[at:end]
        if op.name in ("MEMOIZE", "BINPUT", "LONG_BINPUT", "PUT"):
            memo[len(memo) if arg is None else arg] = texts[-1] if texts else None
        elif op.name in ("BINGET", "LONG_BINGET", "GET"):
            texts.append(memo.get(arg))
        elif "UNICODE" in op.name:
            texts.append(arg)
        elif op.name in ("GLOBAL", "STACK_GLOBAL"):
            old = tuple(arg.split(" ", 1)) if arg else tuple(texts[-2:])
            new = _torch_name(*old)
            if new != old:  # push the new names; STACK_GLOBAL ignores the two old strings
                piece = (b"00" if arg is None else b"") + b"c%s\n%s\n" % (new[0].encode(), new[1].encode())
            texts.append(None)
        elif op.name == "FRAME":
            continue  # drop frames: their length would be wrong, and they are optional
        else:
            texts.append(None)
        del texts[:-2]
        out.append(piece)
    return b"".join(out)


def pickled(module, obj, protocol, legacy):
    """Returns (bytes, storages): the output of module.Pickler for obj, and the storages that it refers to by number."""
    storages, numbers = [], {}
    inherited = getattr(module.Pickler, "reducer_override", None)

    class Pickler(module.Pickler):
        def persistent_id(self, o):
            if not isinstance(o, (TypedStorage, UntypedStorage)):
                return None
            untyped = getattr(o, "_untyped_storage", o)
            number = numbers.setdefault(untyped._cdata, len(storages))
            if number == len(storages):
                storages.append(o)
            elif isinstance(o, TypedStorage) and o.dtype != getattr(storages[number], "dtype", o.dtype):
                raise RuntimeError("Cannot save multiple tensors or storages that view the same data as different types")
            kind = _STAND_INS["UntypedStorage" if o is untyped else o.pickle_storage_type()]
            return ("storage", kind, str(number), location_tag(untyped), len(o), *([None] if legacy else []))

        def reducer_override(self, o):
            if isinstance(o, _C.TensorBase) and type(o).__reduce_ex__ in _ORDINARY and not o.is_sparse:
                return _reduce_tensor(o)
            if type(o) is _C.Size:
                return _STAND_INS["Size"], (tuple(o),)
            if type(o) is _C.device:
                return _STAND_INS["device"], (o.type,) if o.index is None else (o.type, o.index)
            return inherited(self, o) if inherited else NotImplemented
    from .nn import Parameter
    _ORDINARY = _C.TensorBase.__reduce_ex__, Parameter.__reduce_ex__
    file = io.BytesIO()
    Pickler(file, protocol=protocol).dump(obj)
    return _with_torch_names(file.getvalue()), storages
