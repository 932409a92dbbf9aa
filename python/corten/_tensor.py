# SPDX-License-Identifier: BSD-3-Clause
"""torch._tensor: the class Tensor, and the functions that rebuild tensor subclasses from files."""
from ._C import Tensor
from ._utils import _set_obj_state

__all__ = ["Tensor"]


def _rebuild_from_type(func, type, args, dict):
    return _rebuild_from_type_v2(func, type, args, dict)


def _rebuild_from_type_v2(func, new_type, args, state):
    """Rebuilds a tensor with func(*args), then sets its class and attributes."""
    result = func(*args)
    if type(result) is not new_type:
        result = result.as_subclass(new_type)
    if getattr(result.__class__, "__setstate__", Tensor.__setstate__) is not Tensor.__setstate__:
        result.__setstate__(state)
    else:
        result = _set_obj_state(result, state)
    return result
