# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.openmp: availability of multithreading."""


def is_available():
    """Returns True, like PyTorch: operations use several threads, though Corten's own rather than OpenMP's."""
    return True
