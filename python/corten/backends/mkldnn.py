# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.mkldnn: oneDNN, which Corten does not use; its switches only store values."""
import contextlib as _contextlib

from .._missing import no_effect as _no_effect
from . import guard as _guard
from . import precision_of as _precision_of
from . import switched as _switched

VERBOSE_OFF, VERBOSE_ON, VERBOSE_ON_CREATION = 0, 1, 2
enabled, deterministic, allow_tf32 = True, False, None


def is_available():
    """Returns False: oneDNN is not part of this build."""
    return False


def verbose(level):
    """Context manager without effect; in PyTorch it logs the calls of oneDNN."""
    if level != VERBOSE_OFF:
        _no_effect("torch.backends.mkldnn.verbose", "oneDNN is not used; torch.profiler.profile() lists the operations")
    return _contextlib.nullcontext()


def flags(enabled=False, deterministic=False, allow_tf32=True, fp32_precision="none"):
    """Context manager that sets the switches."""
    return _switched(__name__, enabled=enabled, deterministic=deterministic, allow_tf32=allow_tf32, fp32_precision=fp32_precision)


_guard(__name__, {name: (bool, f"set_{name}_mkldnn", "a bool") for name in ("enabled", "deterministic")},
       {"fp32_precision": _precision_of("mkldnn")})
