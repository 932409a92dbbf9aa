# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.autograd: gradients through remote procedure calls.

Corten has only is_available(); other names raise an error that says what to use instead.
"""
from .._missing import missing_class, missing_function

__all__ = ["backward", "context", "get_gradients", "is_available"]

_INSTEAD = "torch.distributed.nn.functional has collectives with gradients"
context = missing_class("torch.distributed.autograd.context", _INSTEAD)
(backward, get_gradients) = (
    missing_function(f"torch.distributed.autograd.{name}", _INSTEAD) for name in (
        "backward", "get_gradients"))


def is_available():
    """Returns False: Corten does not have distributed autograd."""
    return False
