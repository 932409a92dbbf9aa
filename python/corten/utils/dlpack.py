# SPDX-License-Identifier: BSD-3-Clause
"""Exchange of tensors with other libraries through DLPack, without copies."""
import enum

from .. import _C
from .._C import _to_dlpack as to_dlpack, from_dlpack

__all__ = ["DLDeviceType", "ReadOnlyTensorWrapper", "from_dlpack", "to_dlpack"]


class DLDeviceType(enum.IntEnum):
    """Device types of DLPack."""
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
    """Wraps a tensor so that it is exported through DLPack as read-only, without a copy.

        >>> import numpy
        >>> numpy.from_dlpack(torch.utils.dlpack.ReadOnlyTensorWrapper(torch.ones(2))).flags.writeable
        False

    Operations on the wrapper raise an error; use the wrapped tensor instead.
    """

    __dlpack_c_exchange_api__ = None  # tensors' exchange API would export writable data; without it, consumers call __dlpack__

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
        # Only DLPack 1.0 and later can mark data as read-only.
        return super().__dlpack__(max_version=(1, 0) if max_version is None else max_version, read_only=True, **kwargs)
