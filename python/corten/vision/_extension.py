# SPDX-License-Identifier: BSD-3-Clause
"""Stands in for torchvision.extension, which loads torchvision's compiled operators: ours need no loading."""


def _load_library(lib_name):
    """True for the operators on boxes and the image codecs, which are here; False for decoders of videos, which are not."""
    return lib_name.partition("_stable")[0] in ("_C", "image")


def _has_ops():
    return True


_HAS_OPS = True  # read by torchvision before 0.15


def _assert_has_ops():
    """Returns: the operators are always there."""


def _check_cuda_version():
    """-1: nothing here was compiled for a version of CUDA that PyTorch's could differ from."""
    return -1
