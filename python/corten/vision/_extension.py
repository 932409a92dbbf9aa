# SPDX-License-Identifier: BSD-3-Clause
"""Replaces torchvision.extension, which loads torchvision's compiled operators; Corten's need no loading."""


def _load_library(lib_name):
    """Returns True for the box operators and image codecs, which Corten has; False for the video decoders."""
    return lib_name.partition("_stable")[0] in ("_C", "image")


def _has_ops():
    return True


_HAS_OPS = True  # for torchvision before 0.15


def _assert_has_ops():
    """Does nothing: the operators are always available."""


def _check_cuda_version():
    """Returns -1: no operator was compiled for a particular CUDA version."""
    return -1
