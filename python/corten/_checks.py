# SPDX-License-Identifier: BSD-3-Clause
"""torch._check and its variants: assertions that raise exceptions of a chosen class."""
from . import _C

__all__ = ["_assert", "_check", "_check_index", "_check_is_size", "_check_not_implemented", "_check_tensor_all", "_check_tensor_all_with", "_check_type",
           "_check_value", "_check_with"]


def _assert(condition, message):
    """`assert` as a function."""
    assert condition, message


def _check_with(error_type, cond, message=None):
    """Raises error_type unless `cond` is true; `message` is the text or a function that returns it."""
    if isinstance(cond, _C.Tensor):
        raise TypeError("cond must be a bool, but got a Tensor. For tensor conditions, use torch._check_tensor_all() to assert that "
                        "all elements are true.")
    if not isinstance(cond, bool):
        raise TypeError(f"cond must be a bool, but got {type(cond)}")
    if cond:
        return
    if message is None:
        raise error_type("Expected cond to be True, but got False. (Could this error message be improved? If so, please report "
                         "an enhancement request to PyTorch.)")
    raise error_type(str(message() if callable(message) else message))


def _check(cond, message=None):
    """Raises RuntimeError unless `cond` is true."""
    _check_with(RuntimeError, cond, message)


def _check_index(cond, message=None):
    _check_with(IndexError, cond, message)


def _check_value(cond, message=None):
    _check_with(ValueError, cond, message)


def _check_type(cond, message=None):
    _check_with(TypeError, cond, message)


def _check_not_implemented(cond, message=None):
    _check_with(NotImplementedError, cond, message)


def _check_tensor_all_with(error_type, cond, message=None):
    """Raises error_type unless all elements of the bool tensor `cond` are true."""
    if not isinstance(cond, _C.Tensor):
        raise TypeError(f"cond must be a tensor, but got {type(cond)}")
    if cond.dtype != _C.bool:
        raise TypeError(f"cond tensor must have dtype torch.bool, but got {cond.dtype}")
    _check_with(error_type, cond.all().item(), message)


def _check_tensor_all(cond, message=None):
    """Raises RuntimeError unless all elements of `cond` are true."""
    _check_tensor_all_with(RuntimeError, cond, message)


def _check_is_size(i, message=None, *, max=None):
    """Raises RuntimeError unless `i` is a valid size: not negative, and at most `max`."""
    _check(i >= 0, message)
    if max is not None:
        _check(i <= max, message)
