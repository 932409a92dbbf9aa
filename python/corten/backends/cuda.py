# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.cuda: NVIDIA's libraries, which are not here. Switches can be set and read back."""
import contextlib

from .. import _settings

_sdp = {"flash": True, "mem_efficient": True, "math": True, "cudnn": True, "fp16_bf16_reduction_math": False}


class cuBLASModule:
    """torch.backends.cuda.matmul"""

    _values = {"allow_fp16_reduced_precision_reduction": True, "allow_bf16_reduced_precision_reduction": True,
               "allow_fp16_accumulation": False, "fp32_precision": "ieee"}

    def __getattr__(self, name):
        if name == "allow_tf32":
            return _settings.get_float32_matmul_precision() != "highest"
        if name not in self._values:
            raise AttributeError("Unknown attribute " + name)
        return self._values[name]

    def __setattr__(self, name, value):
        if name == "allow_tf32":
            if not isinstance(value, bool):
                raise RuntimeError(f"set_allow_tf32_cublas expects a bool, but got {type(value).__name__}")
            return _settings.set_float32_matmul_precision("high" if value else "highest")
        if name not in self._values:
            raise AttributeError("Unknown attribute " + name)
        self._values[name] = value


matmul = cuBLASModule()


def is_built():
    """Whether this build can use a GPU of NVIDIA's."""
    return False


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
