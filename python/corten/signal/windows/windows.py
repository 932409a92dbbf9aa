# SPDX-License-Identifier: BSD-3-Clause
"""Windows of signal processing: rows of the table."""
from ..._C import _submodules

__all__ = [name for name in vars(_submodules["signal.windows"]) if name[0] != "_"]
globals().update({name: getattr(_submodules["signal.windows"], name) for name in __all__})
