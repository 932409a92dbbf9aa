# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.mkl: Intel's library is not used."""
import contextlib

from .._missing import no_effect

VERBOSE_OFF, VERBOSE_ON = 0, 1


def is_available():
    """Whether the library is part of this build."""
    return False


def verbose(enable):
    """A block in which the library would report its calls."""
    if enable != VERBOSE_OFF:
        no_effect("torch.backends.mkl.verbose", "Intel's MKL is not used; torch.profiler.profile() lists the operations")
    return contextlib.nullcontext()
