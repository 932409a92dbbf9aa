# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.graph_annotations: names for the kernels of CUDA graphs, in traces of PyTorch's profiler.

PyTorch records them where the package cuda-bindings and a driver of CUDA 13.1 are there, and nothing elsewhere. Corten records
nothing: is_available() says so.
"""
import contextlib
import warnings

from .._missing import no_effect

__all__ = ["clear_kernel_annotations", "get_kernel_annotations", "is_available", "mark_kernels"]


def is_available():
    """Whether names are recorded: they are not."""
    return False


def get_kernel_annotations():
    """The recorded names by node of a graph: there are none."""
    return {}


def clear_kernel_annotations():
    """Forgets the recorded names; deprecated, as in PyTorch."""
    warnings.warn("`torch.cuda.graph_annotations.clear_kernel_annotations` is deprecated.", FutureWarning, stacklevel=2)


@contextlib.contextmanager
def mark_kernels(annotation):
    """A block whose kernels PyTorch would name in traces of a graph."""
    no_effect("torch.cuda.graph_annotations.mark_kernels",
              "kernels of graphs keep their own names; torch.cuda.nvtx marks ranges for Nsight Systems", stacklevel=4)
    yield
