# SPDX-License-Identifier: BSD-3-Clause
"""torch.FloatTensor, torch.LongTensor and so on: the legacy names of tensor types.

Calling one creates a plain tensor of that dtype, and isinstance() checks device and dtype; they are not real classes.
"""
from . import _C

_TYPES = {
    "DoubleTensor": _C.float64, "FloatTensor": _C.float32, "HalfTensor": _C.float16, "BFloat16Tensor": _C.bfloat16,
    "LongTensor": _C.int64, "IntTensor": _C.int32, "ShortTensor": _C.int16, "CharTensor": _C.int8,
    "ByteTensor": _C.uint8, "BoolTensor": _C.bool,
}


class tensortype(type):
    """Metaclass of the legacy tensor types."""

    def __instancecheck__(cls, instance):
        return (isinstance(instance, _C.Tensor) and instance.dtype == cls.dtype
                and instance.device.type == cls._device)

    def __call__(cls, *args, **kwargs):
        if cls._device != "cpu":
            _C.empty(0, device=cls._device)  # without a GPU, this raises PyTorch's error
            args = [a.cpu() if isinstance(a, _C.Tensor) else a for a in args]
        made = _C._legacy_tensor(cls.dtype, *args, **kwargs)
        return made if cls._device == "cpu" else made.to(cls._device)

    def __repr__(cls):
        return f"<class '{cls._legacy_name}'>"


def make(name, device="cpu"):
    """Creates the tensor type `name` for a device."""
    module = "torch" if device == "cpu" else f"torch.{device}"
    return tensortype(name, (), {"__module__": module, "dtype": _TYPES[name], "is_cuda": device == "cuda",
                                 "layout": _C.strided, "is_sparse": False,
                                 "__doc__": f"Deprecated: the type of {_TYPES[name]} tensors. Use torch.tensor(data, dtype=...).",
                                 "_device": device, "_legacy_name": f"{module}.{name}"})


tensortype.__module__ = "torch"
globals().update({name: make(name) for name in _TYPES})
