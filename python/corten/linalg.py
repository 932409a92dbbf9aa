# SPDX-License-Identifier: BSD-3-Clause
"""torch.linalg: linear algebra, implemented in C."""
from ._C import _LinAlgError as LinAlgError
from ._C import _submodules

_rows = {name: value for name, value in vars(_submodules["linalg"]).items() if name[0] != "_"}
__all__ = ["LinAlgError", *_rows]
globals().update(_rows)
