# SPDX-License-Identifier: BSD-3-Clause
"""torch.FloatTensor, torch.LongTensor and so on: the old names of tensors of one type. Calling one makes a tensor; isinstance asks
for the type. There are no classes of that name: the tensor is a plain one."""
from . import _C

_TYPES = {
    "DoubleTensor": _C.float64, "FloatTensor": _C.float32, "HalfTensor": _C.float16, "BFloat16Tensor": _C.bfloat16,
    "LongTensor": _C.int64, "IntTensor": _C.int32, "ShortTensor": _C.int16, "CharTensor": _C.int8,
    "ByteTensor": _C.uint8, "BoolTensor": _C.bool,
}


class tensortype(type):
    """The kind of these names."""

    def __instancecheck__(cls, instance):
        return (isinstance(instance, _C.Tensor) and instance.dtype == cls.dtype
                and instance.device.type == cls._device)

    def __call__(cls, *args, **kwargs):
        if cls._device != "cpu":
            _C.empty(0, device=cls._device)  # where there is none, that is the error
            args = [a.cpu() if isinstance(a, _C.Tensor) else a for a in args]
        made = _C._legacy_tensor(cls.dtype, *args, **kwargs)
        return made if cls._device == "cpu" else made.to(cls._device)

    def __repr__(cls):
        return f"<class '{cls._legacy_name}'>"


def make(name, device="cpu"):
    """The name itself, of the CPU's memory or a GPU's."""
    module = "torch" if device == "cpu" else f"torch.{device}"
    return tensortype(name, (), {"__module__": module, "dtype": _TYPES[name], "is_cuda": device == "cuda",
                                 "layout": _C.strided, "is_sparse": False,
                                 "__doc__": f"Deprecated: the type of {_TYPES[name]} tensors. Use torch.tensor(data, dtype=...).",
                                 "_device": device, "_legacy_name": f"{module}.{name}"})


tensortype.__module__ = "torch"
globals().update({name: make(name) for name in _TYPES})
