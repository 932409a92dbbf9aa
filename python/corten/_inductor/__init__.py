# SPDX-License-Identifier: BSD-3-Clause
"""torch._inductor: names of a code generator that Corten has not got."""
from .._missing import missing_function
from ..compiler import cudagraph_mark_step_begin
from . import config

__all__ = ["compile", "config", "cudagraph_mark_step_begin", "list_mode_options", "list_options"]


compile = missing_function("torch._inductor.compile", "call the module itself")


def list_mode_options(mode=None, dynamic=None):
    """What the modes of torch.compile set: nothing."""
    modes = {name: {} for name in ("default", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune")}
    return modes[mode] if mode else modes


def list_options():
    """The names of all settings: none."""
    return []
