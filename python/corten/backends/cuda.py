# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.cuda: switches of the NVIDIA libraries."""
import contextlib

from .. import _C, _settings
from .._missing import no_effect as _no_effect
from . import precision as _precision
from . import set_precision as _set_precision
from ._libraries import *  # noqa: F403


def _reduction(name, value):
    """Returns (allow reduced precision sums, allow split-K) from both values or the first alone."""
    if isinstance(value, bool):
        return value, True
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
    return (*value, True)[:2]


class cuBLASModule:
    """The class of torch.backends.cuda.matmul."""

    _switches = {"allow_fp16_reduced_precision_reduction": "fp16_reduced",
                 "allow_bf16_reduced_precision_reduction": "bf16_reduced",
                 "allow_fp16_accumulation": "fp16_accumulation", "allow_tf32": "matmul_tf32"}
    _remembered = {"allow_fp16_reduced_precision_reduction_split_k": True, "allow_bf16_reduced_precision_reduction_split_k": True,
                   "prefer_cublaslt_grouped_gemm": False}

    def __getattr__(self, name):
        if name == "fp32_precision":
            return _precision("matmul")
        if name in self._remembered:
            return self._remembered[name]
        if name not in self._switches:
            raise AttributeError("Unknown attribute " + name)
        return bool(_C._cuda_switch(self._switches[name]))

    def __setattr__(self, name, value):
        if name == "fp32_precision":
            return _set_precision("matmul", value)
        if name == "prefer_cublaslt_grouped_gemm" and isinstance(value, bool):
            if value:
                _no_effect("torch.backends.cuda.matmul.prefer_cublaslt_grouped_gemm = True", "grouped products are made one by one")
            self._remembered[name] = value
            return None
        if name not in self._switches:
            raise AttributeError("Unknown attribute " + name)
        if name.endswith("reduction"):
            value, split = _reduction(name, value)
            if not split:
                _no_effect(f"torch.backends.cuda.matmul.{name} = (False, False)", "long sums may be split, each part in float32")
            self._remembered[name + "_split_k"] = split
        elif not isinstance(value, bool):
            raise RuntimeError(f"set_{name}_cublas expects a bool, but got {type(value).__name__}")
        if name == "allow_tf32":
            return _settings.set_float32_matmul_precision("high" if value else "highest")
        _C._cuda_switch(self._switches[name], value)


matmul = cuBLASModule()


class cuFFTPlanCache:
    """The cache of cuFFT plans of one device."""

    def __init__(self, device_index):
        self.__dict__["device_index"] = device_index

    def _of(self):
        from .. import cuda
        return cuda.current_device() if self.device_index is None else self.device_index

    @property
    def size(self):
        """The number of cached plans."""
        return _C._cuda_fft_plans(self._of())[0]

    @property
    def max_size(self):
        """The maximum number of cached plans."""
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
        """Releases all plans."""
        _C._cuda_fft_plans(self._of(), 0)


class cuFFTPlanCacheManager(cuFFTPlanCache):
    """torch.backends.cuda.cufft_plan_cache: the cache of the current device; cufft_plan_cache[i] is that of device i."""

    def __getitem__(self, device):
        from .. import cuda
        index = cuda._index(device)
        if index < 0 or index >= cuda.device_count():
            raise RuntimeError(f"cufft_plan_cache: expected 0 <= device index < {cuda.device_count()}, but got device "
                               f"with index {index}")
        return cuFFTPlanCache(index)


cufft_plan_cache = cuFFTPlanCacheManager(None)


def is_built():
    """Returns True: Corten loads the NVIDIA driver at run time, if it is installed."""
    return True


def is_flash_attention_available():
    """Whether there is a kernel of that name for the GPU."""
    return False


_KERNELS = {"math": 1, "flash": 2, "mem_efficient": 4, "cudnn": 8}  # bits of ct_attention_kernels


def _pair(name):
    bit = _KERNELS[name]

    def enabled():
        return bool(_C._attention_kernels() & bit)

    def enable(enabled):
        _C._attention_kernels(_C._attention_kernels() | bit if enabled else _C._attention_kernels() & ~bit)

    enabled.__name__, enable.__name__ = f"{name}_sdp_enabled", f"enable_{name}_sdp"
    enabled.__doc__ = "Whether scaled_dot_product_attention may use this kernel."
    enable.__doc__ = "Allows or forbids this kernel to scaled_dot_product_attention; see torch.nn.attention.sdpa_kernel."
    return enabled, enable


flash_sdp_enabled, enable_flash_sdp = _pair("flash")
mem_efficient_sdp_enabled, enable_mem_efficient_sdp = _pair("mem_efficient")
math_sdp_enabled, enable_math_sdp = _pair("math")
cudnn_sdp_enabled, enable_cudnn_sdp = _pair("cudnn")
_math_in_halves = False


def fp16_bf16_reduction_math_sdp_allowed():
    """Returns the value that was set; the math kernel always sums in float32."""
    return _math_in_halves


def allow_fp16_bf16_reduction_math_sdp(enabled):
    """Allows the math kernel to sum in half precision; it does not, since it always sums in float32."""
    global _math_in_halves
    _math_in_halves = bool(enabled)


@contextlib.contextmanager
def sdp_kernel(enable_flash=True, enable_math=True, enable_mem_efficient=True, enable_cudnn=True):
    """Context manager that selects the attention kernels; deprecated in favour of torch.nn.attention.sdpa_kernel."""
    wanted = {"flash": enable_flash, "math": enable_math, "mem_efficient": enable_mem_efficient, "cudnn": enable_cudnn}
    before = _C._attention_kernels()
    _C._attention_kernels(sum(_KERNELS[name] for name, on in wanted.items() if on))
    try:
        yield {}
    finally:
        _C._attention_kernels(before)
