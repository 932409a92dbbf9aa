# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.mkl: Intel's library is not used."""
import contextlib

VERBOSE_OFF, VERBOSE_ON = 0, 1


def is_available():
    """Whether it is part of this build."""
    return False


def verbose(enable):
    """A block in which the library would report its calls."""
    return contextlib.nullcontext()
