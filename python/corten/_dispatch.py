# SPDX-License-Identifier: BSD-3-Clause
"""__torch_function__ dispatch for functions written in Python."""
import functools

from . import _C


def dispatched(function):
    """Decorator: dispatches a call to __torch_function__ if an argument overrides it or a mode is active."""
    @functools.wraps(function)
    def call(*args, **kwargs):
        if not _C._has_torch_function(args, kwargs):
            return function(*args, **kwargs)
        return _C._handle_torch_function(call, (*args, *kwargs.values()), args, kwargs)
    return call
