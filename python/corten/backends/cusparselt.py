# SPDX-License-Identifier: BSD-3-Clause
"""torch.backends.cusparselt: NVIDIA's library for 2:4 structured sparsity, which Corten does not use."""
__all__ = ["get_max_alg_id", "is_available", "version"]


def is_available():
    """Returns False: the library is not part of this build."""
    return False


def version():
    """Returns None: the library is not part of this build."""
    return None


def get_max_alg_id():
    """Returns None: the library is not part of this build."""
    return None
