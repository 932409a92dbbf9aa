# SPDX-License-Identifier: BSD-3-Clause
"""Linear algebra: the rows of the table that PyTorch has in this module."""
from ._C import _LinAlgError as LinAlgError
from ._C import _submodules

_rows = {name: value for name, value in vars(_submodules["linalg"]).items() if name[0] != "_"}
__all__ = ["LinAlgError", *_rows]
globals().update(_rows)
