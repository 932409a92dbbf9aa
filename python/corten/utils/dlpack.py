# SPDX-License-Identifier: BSD-3-Clause
"""Tensors to and from other libraries by DLPack, without a copy."""
import enum

from .. import _C
from .._C import _to_dlpack as to_dlpack, from_dlpack

__all__ = ["DLDeviceType", "ReadOnlyTensorWrapper", "from_dlpack", "to_dlpack"]


class DLDeviceType(enum.IntEnum):
    """The kinds of devices that DLPack knows."""
    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLOpenCL = 4
    kDLVulkan = 7
    kDLMetal = 8
    kDLVPI = 9
    kDLROCM = 10
    kDLROCMHost = 11
    kDLExtDev = 12
    kDLCUDAManaged = 13
    kDLOneAPI = 14
    kDLWebGPU = 15
    kDLHexagon = 16
    kDLMAIA = 17


class ReadOnlyTensorWrapper(_C.Tensor):
    """A tensor for other libraries to read: what they get by DLPack is marked as read-only. Nothing is copied.

        >>> import numpy
        >>> numpy.from_dlpack(torch.utils.dlpack.ReadOnlyTensorWrapper(torch.ones(2))).flags.writeable
        False

    Operations on the wrapper itself are errors; use the tensor that was wrapped.
    """

    __dlpack_c_exchange_api__ = None  # that of tensors would let others write; without one they call __dlpack__

    def __new__(cls, tensor):
        return tensor.as_subclass(cls)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func not in (_C.Tensor.__dlpack__, _C.Tensor.__dlpack_device__):
            raise RuntimeError(f"{cls.__name__} only supports DLPack export; '{getattr(func, '__name__', func)}' is not allowed. Unwrap the "
                               "tensor to operate on its data.")
        with _C.DisableTorchFunctionSubclass():
            return func(*args, **(kwargs or {}))

    def __dlpack__(self, *, max_version=None, **kwargs):
        # Only versions of DLPack from 1.0 on can say that something is read-only.
        return super().__dlpack__(max_version=(1, 0) if max_version is None else max_version, read_only=True, **kwargs)
