# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.openmp."""


def is_available():
    """True: OpenMP's threads do the parallel work."""
    return True
