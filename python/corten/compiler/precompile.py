# SPDX-License-Identifier: BSD-3-Clause
"""torch.compiler.precompile: ahead-of-time compilation, which Corten does not have."""
from .._missing import missing_class, missing_function
from . import PrecompileError

__all__ = ["Capture", "MakeFxTracer", "PrecompileError", "PrecompileSummary", "PrecompiledRunnable", "capture", "load"]

_HERE, _INSTEAD = "torch.compiler.precompile", "run the model as it is"
capture, load = (missing_function(f"{_HERE}.{name}", _INSTEAD) for name in ("capture", "load"))
Capture, MakeFxTracer, PrecompileSummary, PrecompiledRunnable = (missing_class(f"{_HERE}.{name}", _INSTEAD) for name in (
    "Capture", "MakeFxTracer", "PrecompileSummary", "PrecompiledRunnable"))
