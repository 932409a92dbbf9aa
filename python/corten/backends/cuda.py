# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.cuda: switches of NVIDIA's libraries on GPUs."""
import contextlib

from .. import _C, _settings
from . import precision as _precision
from . import set_precision as _set_precision

_sdp = {"flash": True, "mem_efficient": True, "math": True, "cudnn": True, "fp16_bf16_reduction_math": False}


def _reduction(name, value):
    """A bool, or (whether sums may be split in the type, whether they may be split at all)."""
    if isinstance(value, bool):
        return value
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"{name} expects a bool or a tuple/list of bools, but got {type(value)!r}")
    if not value:
        raise TypeError(f"{name} expects at least one boolean argument")
    if len(value) > 2:
        raise TypeError(f"{name} expects at most two boolean arguments")
    for which, one in zip(("allow_reduced_precision", "allow_splitk"), value):
        if not isinstance(one, bool):
            raise TypeError(f"{name} expects a bool for {which}, but got {type(one)!r}")
    if value[0] and len(value) == 2 and not value[1]:
        raise RuntimeError("allow_splitk=False is not supported when reduced precision reductions are enabled")
    return value[0]


class cuBLASModule:
    """torch.backends.cuda.matmul"""

    _switches = {"allow_fp16_reduced_precision_reduction": "fp16_reduced",
                 "allow_bf16_reduced_precision_reduction": "bf16_reduced",
                 "allow_fp16_accumulation": "fp16_accumulation", "allow_tf32": "matmul_tf32"}

    def __getattr__(self, name):
        if name == "fp32_precision":
            return _precision("matmul")
        if name not in self._switches:
            raise AttributeError("Unknown attribute " + name)
        return bool(_C._cuda_switch(self._switches[name]))

    def __setattr__(self, name, value):
        if name == "fp32_precision":
            return _set_precision("matmul", value)
        if name not in self._switches:
            raise AttributeError("Unknown attribute " + name)
        if name.endswith("reduction"):
            value = _reduction(name, value)
        elif not isinstance(value, bool):
            raise RuntimeError(f"set_{name}_cublas expects a bool, but got {type(value).__name__}")
        if name == "allow_tf32":
            return _settings.set_float32_matmul_precision("high" if value else "highest")
        _C._cuda_switch(self._switches[name], value)


matmul = cuBLASModule()


class cuFFTPlanCache:
    """The plans of Fourier transforms that are kept for a device."""

    def __init__(self, device_index):
        self.__dict__["device_index"] = device_index

    def _of(self):
        from .. import cuda
        return cuda.current_device() if self.device_index is None else self.device_index

    @property
    def size(self):
        """How many there are."""
        return _C._cuda_fft_plans(self._of())[0]

    @property
    def max_size(self):
        """How many there may be."""
        return _C._cuda_fft_plans(self._of())[1]

    def __setattr__(self, name, value):
        if name == "size":
            raise RuntimeError(".size is a read-only property showing the number of plans currently in the cache. To "
                               "change the cache capacity, set cufft_plan_cache.max_size.")
        if name != "max_size":
            raise AttributeError(name)
        if value < 0:
            raise RuntimeError(f"cuFFT planCache size must be non-negative, but got {value}")
        _C._cuda_fft_plans(self._of(), value + 1)

    def clear(self):
        """Lets all of them go."""
        _C._cuda_fft_plans(self._of(), 0)


class cuFFTPlanCacheManager(cuFFTPlanCache):
    """torch.backends.cuda.cufft_plan_cache: that of the current device; [i] is that of another."""

    def __getitem__(self, device):
        from .. import cuda
        index = cuda._index(device)
        if index < 0 or index >= cuda.device_count():
            raise RuntimeError(f"cufft_plan_cache: expected 0 <= device index < {cuda.device_count()}, but got device "
                               f"with index {index}")
        return cuFFTPlanCache(index)


cufft_plan_cache = cuFFTPlanCacheManager(None)


def is_built():
    """Whether this build can use a GPU of NVIDIA's: it opens the driver where there is one."""
    return True


def is_flash_attention_available():
    """Whether there is a kernel of that name for the GPU."""
    return False


def _pair(name):
    def enabled():
        return _sdp[name]

    def enable(enabled):
        _sdp[name] = enabled

    enabled.__name__, enable.__name__ = f"{name}_sdp_enabled", f"enable_{name}_sdp"
    enabled.__doc__, enable.__doc__ = "What was set.", "Sets a preference for attention on a GPU."
    return enabled, enable


flash_sdp_enabled, enable_flash_sdp = _pair("flash")
mem_efficient_sdp_enabled, enable_mem_efficient_sdp = _pair("mem_efficient")
math_sdp_enabled, enable_math_sdp = _pair("math")
cudnn_sdp_enabled, enable_cudnn_sdp = _pair("cudnn")
fp16_bf16_reduction_math_sdp_allowed, allow_fp16_bf16_reduction_math_sdp = _pair("fp16_bf16_reduction_math")


@contextlib.contextmanager
def sdp_kernel(enable_flash=True, enable_math=True, enable_mem_efficient=True, enable_cudnn=True):
    """Preferences for attention in a block."""
    old = dict(_sdp)
    _sdp.update(flash=enable_flash, math=enable_math, mem_efficient=enable_mem_efficient, cudnn=enable_cudnn)
    try:
        yield {}
    finally:
        _sdp.update(old)
