# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.cusparselt: NVIDIA's library for matrices with two zeros in four is not used."""
__all__ = ["get_max_alg_id", "is_available", "version"]


def is_available():
    """Whether the library is part of this build."""
    return False


def version():
    """The version of the library."""
    return None


def get_max_alg_id():
    """How many algorithms the library has."""
    return None
