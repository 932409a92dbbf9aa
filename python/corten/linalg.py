# SPDX-License-Identifier: BSD-3-Clause
"""Linear algebra: the rows of the table that PyTorch has in this module."""
from ._C import _submodules

__all__ = [name.removeprefix("linalg_") for name in vars(_submodules["linalg"]) if name[0] != "_"]
globals().update({name.removeprefix("linalg_"): value for name, value in vars(_submodules["linalg"]).items()
                  if name[0] != "_"})
