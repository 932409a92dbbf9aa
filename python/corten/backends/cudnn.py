# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.cudnn: availability and switches of cuDNN."""
import sys

from .. import _C
from . import Precision as _Precision
from . import below as _below
from . import guard as _guard
from . import precision_of as _precision_of
from . import switched as _switched

conv, rnn = _Precision("conv"), _Precision("rnn")


def is_available():
    """Returns whether cuDNN can be used."""
    return version() is not None


def version():
    """Returns the version of cuDNN, or None without cuDNN or GPU."""
    return _C._cuda_library_version("cudnn") or None


def is_acceptable(tensor):
    """Returns whether cuDNN supports a tensor."""
    return (_C._cuda_switch("cudnn_enabled") and tensor.is_cuda and tensor.dtype in (_C.float16, _C.bfloat16, _C.float32, _C.float64)
            and is_available())


def _set_tf32(allow):
    conv.fp32_precision = rnn.fp32_precision = "tf32" if allow else "none"


def set_flags(_enabled=None, _benchmark=None, _benchmark_limit=None, _deterministic=None, _allow_tf32=None,
              _fp32_precision="none"):
    """Sets several switches; returns their old values."""
    module = sys.modules[__name__]
    new = dict(enabled=_enabled, benchmark=_benchmark, benchmark_limit=_benchmark_limit, deterministic=_deterministic,
               allow_tf32=_allow_tf32, fp32_precision=_fp32_precision)
    old = tuple(getattr(module, name) for name in new)
    for name, value in new.items():
        if value is not None:
            setattr(module, name, value)
    return old


def flags(enabled=False, benchmark=False, benchmark_limit=10, deterministic=False, allow_tf32=True,
          fp32_precision="none"):
    """Context manager that sets switches: `with torch.backends.cudnn.flags(enabled=False):`."""
    return _switched(__name__, enabled=enabled, benchmark=benchmark, benchmark_limit=benchmark_limit,
                     deterministic=deterministic, allow_tf32=allow_tf32, fp32_precision=fp32_precision)


_guard(__name__,
       {**{name: (bool, f"set_{name}_cudnn", "a bool")
           for name in ("enabled", "benchmark", "deterministic", "allow_tf32")},
        "benchmark_limit": (int, "set_benchmark_limit_cudnn", "an int")},
       {"enabled": _below("cudnn_enabled"), "benchmark": _below("cudnn_benchmark"),
        "deterministic": _below("cudnn_deterministic"), "benchmark_limit": _below("cudnn_benchmark_limit", int),
        "allow_tf32": (lambda: conv.fp32_precision == rnn.fp32_precision == "tf32", _set_tf32),
        "fp32_precision": _precision_of("cuda")})
