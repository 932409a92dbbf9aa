# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda: NVIDIA GPUs, with their memory, streams, events and graphs.

Without a GPU the queries say so (is_available() is False), and calls that need one raise PyTorch's error. Nothing touches a
GPU before the first call that needs it.
"""
import types

from .. import _C


def is_available():
    """Return whether there is a GPU that Corten can compute on.

        >>> device = "cuda" if torch.cuda.is_available() else "cpu"
        >>> torch.ones(2, device=device).sum().item()
        2.0
    """
    return device_count() > 0


def device_count():
    """Return the number of GPUs; 0 without a driver. CUDA_VISIBLE_DEVICES hides or reorders them."""
    return _C._cuda_device_count()


def is_initialized():
    """Return whether this process has used a GPU."""
    return _C._cuda_is_initialized()


def init():
    """Initialize CUDA now, rather than at first use; raise PyTorch's error if there is no GPU."""
    _C.empty(0, device="cuda")


def _index(device=None):
    """Return the index of a device given as an index, a name or a device; None is the current one."""
    if device is None:
        return current_device()
    if isinstance(device, (str, _C.device)):
        device = _C.device(device)
        if device.type != "cuda":
            raise ValueError(f"Expected a cuda device, but got: {device}")
        return current_device() if device.index is None else device.index
    return int(device)


# ---- devices ----

def current_device():
    """Return the index of the current GPU, where device="cuda" puts tensors."""
    init()
    return _C._cuda_current_device()


def set_device(device):
    """Make a GPU the current one for this thread. Prefer the context torch.cuda.device, or explicit devices.

    Args:
        device: a device, its name or its index; a negative index does nothing.
    """
    index = _index(device)
    if index >= 0:
        _C._cuda_set_device(index)


class device:
    """A context that makes a GPU the current one.

    Args:
        device: a device, its name or its index; None or a negative index changes nothing.
    """

    def __init__(self, device):
        self.idx = -1 if device is None else _index(device)
        self.prev_idx = -1

    def __enter__(self):
        if self.idx >= 0:
            self.prev_idx = current_device()
            _C._cuda_set_device(self.idx)

    def __exit__(self, *error):
        if self.idx >= 0:
            _C._cuda_set_device(self.prev_idx)
        return False


class device_of(device):
    """A context that makes the GPU of a tensor the current one; a tensor on the CPU changes nothing.

    Args:
        obj: the tensor.
    """

    def __init__(self, obj):
        super().__init__(obj.get_device() if obj.is_cuda else None)


def synchronize(device=None):
    """Wait until all work on a GPU is done. Do this before you read a clock, since work is queued and calls return at once.

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    init()
    _C._cuda_synchronize(_index(device))


class _CudaDeviceProperties(types.SimpleNamespace):
    def __repr__(self):
        return (f"_CudaDeviceProperties(name='{self.name}', major={self.major}, minor={self.minor}, "
                f"total_memory={self.total_memory // 1048576}MB, "
                f"multi_processor_count={self.multi_processor_count}, uuid={self.uuid}, "
                f"L2_cache_size={self.L2_cache_size // 1048576}MB)")


def get_device_properties(device=None):
    """Return the properties of a GPU as an object with attributes.

    Among them: name; major and minor, the compute capability; total_memory and L2_cache_size in bytes;
    multi_processor_count; and uuid.

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    init()
    facts = _C._cuda_properties(_index(device))
    digits = facts["uuid"].hex()
    facts["uuid"] = "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
    return _CudaDeviceProperties(**facts)


def get_device_name(device=None):
    """Return the name of a GPU, such as "NVIDIA H200".

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    return get_device_properties(device).name


def get_device_capability(device=None):
    """Return the compute capability of a GPU as (major, minor), such as (9, 0).

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    facts = get_device_properties(device)
    return facts.major, facts.minor


def get_arch_list():
    """Return the architectures of the GPUs present, such as ["sm_90"]: kernels are compiled for the GPU at hand."""
    return sorted({"sm_{}{}".format(*get_device_capability(i)) for i in range(device_count())})


def get_gencode_flags():
    """Return nvcc options that generate code for the GPUs present, to build extensions."""
    return " ".join("-gencode compute=compute_{0},code=sm_{0}".format(name[3:]) for name in get_arch_list())


def is_bf16_supported(including_emulation=True):
    """Return whether the current GPU can compute in bfloat16.

    Args:
        including_emulation: True accepts GPUs that emulate it; False asks for hardware support (capability 8.0 or more).
            Default: True
    """
    return is_available() and (including_emulation or get_device_capability() >= (8, 0))


def can_device_access_peer(device, peer_device):
    """Return whether a GPU can access the memory of another directly.

    Args:
        device, peer_device: devices, their names or indices.
    """
    return _C._cuda_can_access_peer(_index(device), _index(peer_device))


def is_tf32_supported():
    """Return whether the current GPU can multiply float32 matrices in TF32 (capability 8.0 or more)."""
    return is_available() and get_device_capability() >= (8, 0)


_MODES = {"default": 0, "warn": 1, "error": 2}


def set_sync_debug_mode(debug_mode):
    """Set what happens when a call makes the host wait for a GPU, such as item(). Helps to find hidden waits.

    Args:
        debug_mode: "default" or 0 for nothing, "warn" or 1 for a warning, "error" or 2 for RuntimeError.
    """
    init()
    if isinstance(debug_mode, str):
        if debug_mode not in _MODES:
            raise RuntimeError("invalid value of debug_mode, expected one of `default`, `warn`, `error`")
        debug_mode = _MODES[debug_mode]
    if debug_mode not in (0, 1, 2):
        raise RuntimeError("invalid value of debug_mode, expected 0,1 or 2")
    _C._cuda_switch("sync_debug", debug_mode)


def get_sync_debug_mode():
    """Return the mode of set_sync_debug_mode as 0, 1 or 2."""
    init()
    return _C._cuda_switch("sync_debug")


def ipc_collect():
    """Do nothing but initialize: memory shared by other processes is released with its last tensor."""
    init()


def _waits():
    """Return how often the host has waited for a GPU; a training step that reads no value adds none."""
    return _C._cuda_waits()


# ---- NVIDIA's own libraries ----

class CudaError(RuntimeError):
    """Raised when a call of the CUDA runtime fails.

    Args:
        code: the error code.
    """

    def __init__(self, code):
        super().__init__(f"{cudart().cudaGetErrorString(code)} ({int(code)})")


def check_error(res):
    """Raise CudaError unless a result code is success.

    Args:
        res: the code.
    """
    if res != cudart().cudaError.success:
        raise CudaError(res)


def cudart():
    """Return an object with the functions of the CUDA runtime that PyTorch exposes."""
    init()

    def names(code):
        return {0: "no error", 1: "invalid argument", 2: "out of memory", 100: "no CUDA-capable device is detected",
                101: "invalid device ordinal"}.get(int(code), "unknown error")

    from ._library import library
    from .memory import mem_get_info
    driver = library("libcuda.so.1")  # None with the fake device of tests, which cannot be profiled
    start, stop = (driver.cuProfilerStart, driver.cuProfilerStop) if driver else (int, int)
    return types.SimpleNamespace(cudaError=types.SimpleNamespace(success=0), cudaGetErrorString=names,
                                 cudaMemGetInfo=mem_get_info, cudaProfilerStart=start, cudaProfilerStop=stop)


def current_blas_handle():
    """Return the address of the current GPU's cublasHandle_t, as an int."""
    return _C._cuda_library_handle(current_device(), "cublas")


def current_solver_handle():
    """Return the address of the current GPU's cusolverDnHandle_t, as an int."""
    return _C._cuda_library_handle(current_device(), "cusolver")


# ---- the rest of this package ----

from . import graphs, memory, random, streams  # noqa: E402
from ._meters import *  # noqa: E402,F403
from .graphs import *  # noqa: E402,F403
from .memory import *  # noqa: E402,F403
from .random import *  # noqa: E402,F403
from .streams import *  # noqa: E402,F403
from .streams import (StreamContext, current_stream, default_stream,  # noqa: E402,F401
                      get_stream_from_external, set_stream, stream)


def __getattr__(name):
    if name == "default_generators":
        return tuple(random._generator(i) for i in range(device_count()))
    if name in ("OutOfMemoryError", "AcceleratorError"):
        return getattr(_C, name)
    if name.endswith(("Tensor", "Storage")):
        from .. import _compat, storage
        make = _compat.make if name in _compat._TYPES else storage.legacy if name in storage.LEGACY else None
        if make:
            globals()[name] = make(name, "cuda")
            return globals()[name]
    from .._parts import part
    return part(__name__, name)


from ..amp._devices import of_device  # noqa: E402

amp = of_device("cuda")
for _class in (device, device_of, Stream, ExternalStream, Event, StreamContext, CUDAGraph):  # noqa: F405
    _class.__module__ = "torch.cuda"  # the module that PyTorch shows
__all__ = [name for name in globals() if name[0] != "_" and name not in ("types", "of_device")]


def _lazy_call(callable, **kwargs):
    """Call a function once there is a GPU to use: now, or never. `kwargs` tell PyTorch whether it sets seeds."""
    if is_available():
        init()
        callable()
