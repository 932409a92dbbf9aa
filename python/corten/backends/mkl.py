# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.mkl: Intel MKL, which Corten does not use."""
import contextlib

from .._missing import no_effect

VERBOSE_OFF, VERBOSE_ON = 0, 1


def is_available():
    """Returns False: MKL is not part of this build."""
    return False


def verbose(enable):
    """Context manager without effect; in PyTorch it logs the calls of MKL."""
    if enable != VERBOSE_OFF:
        no_effect("torch.backends.mkl.verbose", "Intel's MKL is not used; torch.profiler.profile() lists the operations")
    return contextlib.nullcontext()
