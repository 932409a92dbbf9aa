# SPDX-License-Identifier: BSD-3-Clause
"""Control flow as functions, as programs for PyTorch's compiler write it; here Python executes it."""
from .associative_scan import associative_scan
from .cond import cond
from .while_loop import while_loop

__all__ = ["associative_scan", "cond", "while_loop"]
