# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda: NVIDIA GPUs, their memory, streams, events and graphs. Without one it says so, and whatever needs one
raises PyTorch's error."""
import types

from .. import _C


def is_available():
    """Whether there is a GPU to compute on."""
    return device_count() > 0


def device_count():
    """How many GPUs there are."""
    return _C._cuda_device_count()


def is_initialized():
    """Whether a GPU has been used."""
    return _C._cuda_is_initialized()


def init():
    """Starts to use the GPU; where there is none, that is the error."""
    _C.empty(0, device="cuda")


def _index(device=None):
    """The number of a device given in any of PyTorch's ways; of none the current one."""
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
    """The number of the GPU in use."""
    init()
    return _C._cuda_current_device()


def set_device(device):
    """Chooses the GPU in use."""
    index = _index(device)
    if index >= 0:
        _C._cuda_set_device(index)


class device:
    """`with torch.cuda.device(1):` chooses the GPU for a block of code."""

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
    """The same for the GPU of a tensor; a block of one of the CPU changes nothing."""

    def __init__(self, obj):
        super().__init__(obj.get_device() if obj.is_cuda else None)


def synchronize(device=None):
    """Waits until the GPU is done."""
    init()
    _C._cuda_synchronize(_index(device))


class _CudaDeviceProperties(types.SimpleNamespace):
    def __repr__(self):
        return (f"_CudaDeviceProperties(name='{self.name}', major={self.major}, minor={self.minor}, "
                f"total_memory={self.total_memory // 1048576}MB, "
                f"multi_processor_count={self.multi_processor_count}, uuid={self.uuid}, "
                f"L2_cache_size={self.L2_cache_size // 1048576}MB)")


def get_device_properties(device=None):
    """What the GPU is like."""
    init()
    facts = _C._cuda_properties(_index(device))
    digits = facts["uuid"].hex()
    facts["uuid"] = "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
    return _CudaDeviceProperties(**facts)


def get_device_name(device=None):
    """What the GPU is called."""
    return get_device_properties(device).name


def get_device_capability(device=None):
    """The GPU's generation."""
    facts = get_device_properties(device)
    return facts.major, facts.minor


def get_arch_list():
    """The generations there are kernels for: they are compiled for the card at hand."""
    return sorted({"sm_%d%d" % get_device_capability(i) for i in range(device_count())})


def get_gencode_flags():
    """The options with which NVIDIA's compiler makes code for these GPUs, for building extensions."""
    return " ".join("-gencode compute=compute_{0},code=sm_{0}".format(name[3:]) for name in get_arch_list())


def is_bf16_supported(including_emulation=True):
    """Whether tensors of bfloat16 can be computed with; with including_emulation=False, whether the GPU itself has the type."""
    return is_available() and (including_emulation or get_device_capability() >= (8, 0))


def can_device_access_peer(device, peer_device):
    """Whether one GPU reads the other's memory by itself."""
    return _C._cuda_can_access_peer(_index(device), _index(peer_device))


def is_tf32_supported():
    """Whether the GPU multiplies in TF32."""
    return is_available() and get_device_capability() >= (8, 0)


_MODES = {"default": 0, "warn": 1, "error": 2}


def set_sync_debug_mode(debug_mode):
    """What becomes of calls that wait for the GPU: "default" 0, "warn" 1 or "error" 2."""
    init()
    if isinstance(debug_mode, str):
        if debug_mode not in _MODES:
            raise RuntimeError("invalid value of debug_mode, expected one of `default`, `warn`, `error`")
        debug_mode = _MODES[debug_mode]
    if debug_mode not in (0, 1, 2):
        raise RuntimeError("invalid value of debug_mode, expected 0,1 or 2")
    _C._cuda_switch("sync_debug", debug_mode)


def get_sync_debug_mode():
    """What set_sync_debug_mode was given."""
    init()
    return _C._cuda_switch("sync_debug")


def ipc_collect():
    """Memory of other processes is let go when its tensors are, so nothing is left to collect."""
    init()


def _waits():
    """How often the host has waited for a GPU; a training step that reads no value adds none."""
    return _C._cuda_waits()


# ---- NVIDIA's own libraries ----

class CudaError(RuntimeError):
    """A call of the CUDA runtime failed."""

    def __init__(self, code):
        super().__init__(f"{cudart().cudaGetErrorString(code)} ({int(code)})")


def check_error(res):
    """Raises CudaError unless a result is success."""
    if res != cudart().cudaError.success:
        raise CudaError(res)


def cudart():
    """The few functions of the CUDA runtime that PyTorch shows."""
    init()

    def names(code):
        return {0: "no error", 1: "invalid argument", 2: "out of memory", 100: "no CUDA-capable device is detected",
                101: "invalid device ordinal"}.get(int(code), "unknown error")

    from ._library import library
    from .memory import mem_get_info
    driver = library("libcuda.so.1")  # None: the fake device of tests, which no profiler watches
    start, stop = (driver.cuProfilerStart, driver.cuProfilerStop) if driver else (int, int)
    return types.SimpleNamespace(cudaError=types.SimpleNamespace(success=0), cudaGetErrorString=names,
                                 cudaMemGetInfo=mem_get_info, cudaProfilerStart=start, cudaProfilerStop=stop)


def current_blas_handle():
    """The address of the current GPU's cublasHandle_t."""
    return _C._cuda_library_handle(current_device(), "cublas")


def current_solver_handle():
    """The address of the current GPU's cusolverDnHandle_t."""
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
    _class.__module__ = "torch.cuda"  # as their texts say
__all__ = [name for name in globals() if name[0] != "_" and name not in ("types", "of_device")]


def _lazy_call(callable, **kwargs):
    """Calls a function as soon as there is a GPU to use: now, or without one never. `kwargs` tell PyTorch whether it sets seeds."""
    if is_available():
        init()
        callable()
