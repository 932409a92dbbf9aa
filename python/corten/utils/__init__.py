# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils: helpers around tensors. Each submodule is imported on first access."""
from .._parts import part

__all__ = ["get_cpp_backtrace", "set_module", "swap_tensors"]
_HOMES = {"get_cpp_backtrace": "cpp_backtrace", "set_module": "_identity", "swap_tensors": "_identity"}


def __getattr__(name):
    if name in _HOMES:
        return getattr(part(__name__, _HOMES[name]), name)
    return part(__name__, name)


def __dir__():
    return sorted({*globals(), *__all__})
