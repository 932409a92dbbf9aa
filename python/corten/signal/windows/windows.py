# SPDX-License-Identifier: BSD-3-Clause
"""Window functions of signal processing, implemented in C."""
from ..._C import _submodules

__all__ = [name for name in vars(_submodules["signal.windows"]) if name[0] != "_"]
globals().update({name: getattr(_submodules["signal.windows"], name) for name in __all__})
