# SPDX-License-Identifier: BSD-3-Clause
"""torch._inductor: names of PyTorch's code generator, which Corten does not have."""
from .._missing import missing_function
from ..compiler import cudagraph_mark_step_begin
from . import config

__all__ = ["compile", "config", "cudagraph_mark_step_begin", "list_mode_options", "list_options"]


compile = missing_function("torch._inductor.compile", "call the module itself")


def list_mode_options(mode=None, dynamic=None):
    """Returns the options that each mode of torch.compile sets: none."""
    modes = {name: {} for name in ("default", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune")}
    return modes[mode] if mode else modes


def list_options():
    """Returns the names of all options: an empty list."""
    return []
