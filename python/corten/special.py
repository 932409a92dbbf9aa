# SPDX-License-Identifier: BSD-3-Clause
"""Special functions: rows of the table, and tensor functions that PyTorch offers under both names."""
from ._C import _submodules

__all__ = [name for name in vars(_submodules["special"]) if name[0] != "_"]
globals().update({name: getattr(_submodules["special"], name) for name in __all__})
