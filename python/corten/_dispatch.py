# SPDX-License-Identifier: BSD-3-Clause
"""__torch_function__ of functions that are written in Python."""
import functools

from . import _C


def dispatched(function):
    """The function, unless one of its arguments says itself what it does with it."""
    @functools.wraps(function)
    def call(*args, **kwargs):
        if not _C._has_torch_function(args, kwargs):
            return function(*args, **kwargs)
        return _C._handle_torch_function(call, (*args, *kwargs.values()), args, kwargs)
    return call
