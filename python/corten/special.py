# SPDX-License-Identifier: BSD-3-Clause
"""torch.special: special functions, implemented in C; many are also in the main namespace."""
from ._C import _submodules

__all__ = [name for name in vars(_submodules["special"]) if name[0] != "_"]
globals().update({name: getattr(_submodules["special"], name) for name in __all__})
