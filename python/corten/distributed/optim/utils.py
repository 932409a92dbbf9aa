# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.optim.utils: TorchScript versions of optimizers.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ..._missing import missing_function

__all__ = ["as_functional_optim", "register_functional_optim"]

_INSTEAD = "use the optimizers of torch.optim"
(as_functional_optim, register_functional_optim) = (
    missing_function(f"torch.distributed.optim.utils.{name}", _INSTEAD) for name in (
        "as_functional_optim", "register_functional_optim"))
