# SPDX-License-Identifier: BSD-3-Clause
"""torch._jit_internal: decorators by which libraries annotate functions for TorchScript."""
from .jit import export, ignore, is_scripting, unused

__all__ = ["export", "ignore", "is_scripting", "unused"]


def _copy_to_script_wrapper(fn):
    return fn
