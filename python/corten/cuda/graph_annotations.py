# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.graph_annotations: names for the kernels of CUDA graphs in traces of PyTorch's profiler.

PyTorch records them if the package cuda-bindings and a driver for CUDA 13.1 are installed, and otherwise nothing. Corten
never records them, and is_available() says so.
"""
import contextlib
import warnings

from .._missing import no_effect

__all__ = ["clear_kernel_annotations", "get_kernel_annotations", "is_available", "mark_kernels"]


def is_available():
    """Return False: names of kernels are not recorded."""
    return False


def get_kernel_annotations():
    """Return {}: no names are recorded."""
    return {}


def clear_kernel_annotations():
    """Forget the recorded names; deprecated, as in PyTorch."""
    warnings.warn("`torch.cuda.graph_annotations.clear_kernel_annotations` is deprecated.", FutureWarning, stacklevel=2)


@contextlib.contextmanager
def mark_kernels(annotation):
    """A context whose kernels PyTorch would name in traces of a graph; here it reports once that it has no effect.

    Args:
        annotation: the name.
    """
    no_effect("torch.cuda.graph_annotations.mark_kernels",
              "kernels of graphs keep their own names; torch.cuda.nvtx marks ranges for Nsight Systems", stacklevel=4)
    yield
