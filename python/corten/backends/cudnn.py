# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.cudnn: the library is not here; its switches can be set and read back."""
from types import SimpleNamespace as _Namespace

from . import guard as _guard
from . import switched as _switched

enabled, benchmark, deterministic, allow_tf32, benchmark_limit = True, False, False, True, 10
fp32_precision = "none"
conv, rnn = _Namespace(fp32_precision="tf32"), _Namespace(fp32_precision="tf32")


def is_available():
    """Whether cuDNN can be used."""
    return False


def version():
    """Its version, or None."""
    return None


def is_acceptable(tensor):
    """Whether cuDNN could work on a tensor."""
    return False


def set_flags(_enabled=None, _benchmark=None, _benchmark_limit=None, _deterministic=None, _allow_tf32=None):
    """Sets several switches; returns what they were."""
    import sys
    module = sys.modules[__name__]
    new = dict(enabled=_enabled, benchmark=_benchmark, benchmark_limit=_benchmark_limit, deterministic=_deterministic,
               allow_tf32=_allow_tf32)
    old = tuple(getattr(module, name) for name in new)
    for name, value in new.items():
        if value is not None:
            setattr(module, name, value)
    return old


def flags(enabled=False, benchmark=False, benchmark_limit=10, deterministic=False, allow_tf32=True):
    """Switches for a block: `with torch.backends.cudnn.flags(enabled=False):`"""
    return _switched(__name__, enabled=enabled, benchmark=benchmark, benchmark_limit=benchmark_limit,
                     deterministic=deterministic, allow_tf32=allow_tf32)


_guard(__name__, {name: (bool, f"set_{text}_cudnn", "a bool") for name, text in (
    ("enabled", "enabled"), ("benchmark", "benchmark"), ("deterministic", "deterministic"),
    ("allow_tf32", "allow_tf32"))})
