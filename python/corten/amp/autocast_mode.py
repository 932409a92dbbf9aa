# SPDX-License-Identifier: BSD-3-Clause
"""autocast: products and convolutions in a smaller type, within a context or a function.

On the CPU the library does it (src/autograd/autocast.h); a device that is not there is told apart with PyTorch's warning.
"""
import functools
import warnings

from .. import _C, bfloat16, float16, is_tensor
from .._C import _autocast, _set_autocast

__all__ = ["autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]

_KINDS = ("cpu", "cuda", "xpu", "mps", "hpu", "mtia", "maia", "xla", "ipu", "privateuseone")
_others = {}  # state of kinds of devices that are not there: only kept


def is_autocast_available(device_type):
    """Whether there is autocast for a kind of device."""
    return device_type in _KINDS


def _cuda_is_available():
    from .. import cuda
    return cuda.is_available()


def _state(device_type):
    if device_type == "cpu":
        return _autocast()
    return _others.get(device_type, (False, float16))


def _set_state(device_type, state):
    if device_type == "cpu":
        _set_autocast(*state)
    else:
        _others[device_type] = state


class autocast:
    """A context, or decorator, in which some operations compute in a smaller type and some in float32."""

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.device, self.fast_dtype = device_type, dtype
        if device_type not in _KINDS:
            _C.device(device_type)
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        if dtype is None:
            self.fast_dtype = _state(device_type)[1]
        self._cache_enabled = True if cache_enabled is None else cache_enabled
        if device_type == "cpu":
            if self.fast_dtype not in (bfloat16, float16) and enabled:
                warnings.warn("In CPU autocast, but the target dtype is not supported. Disabling autocast.\nCPU Autocast only supports "
                              "dtype of torch.bfloat16, torch.float16 currently.", stacklevel=2)
                enabled = False
        elif device_type == "cuda" and enabled and not _cuda_is_available():
            warnings.warn("User provided device_type of 'cuda', but CUDA is not available. Disabling", stacklevel=2)
            enabled = False
        self._enabled = enabled
        self._before = []

    def __enter__(self):
        self._before.append(_state(self.device))
        _set_state(self.device, (self._enabled, self.fast_dtype if self._enabled else self._before[-1][1]))
        return self

    def __exit__(self, *error):
        _set_state(self.device, self._before.pop())
        return False

    def __call__(self, function):
        @functools.wraps(function)
        def within(*args, **kwargs):
            with self:
                return function(*args, **kwargs)
        within.__script_unsupported = "@autocast() decorator is not supported in script mode"
        return within


def _cast(value, device_type, dtype):
    """Floating tensors of a nest in another type; float64 stays."""
    if is_tensor(value):
        fits = value.is_floating_point() and value.device.type == device_type and value.dtype is not _C.float64
        return value.to(dtype) if fits else value
    if isinstance(value, dict):
        return {_cast(k, device_type, dtype): _cast(v, device_type, dtype) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_cast(v, device_type, dtype) for v in value)
    return value


def custom_fwd(fwd=None, *, device_type, cast_inputs=None):
    """For forward of an autograd.Function: with inputs of one type and autocast off, or as it is."""
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def decorated(*args, **kwargs):
        on, dtype = _state(device_type)
        args[0]._dtype, args[0]._fwd_used_autocast = dtype, on and cast_inputs is None
        if cast_inputs is None or not on:
            return fwd(*args, **kwargs)
        with autocast(device_type, enabled=False):
            return fwd(*_cast(args, device_type, cast_inputs), **_cast(kwargs, device_type, cast_inputs))
    return decorated


def custom_bwd(bwd=None, *, device_type):
    """For backward of an autograd.Function: autocast as it was in forward."""
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def decorated(*args, **kwargs):
        with autocast(device_type, enabled=args[0]._fwd_used_autocast, dtype=args[0]._dtype):
            return bwd(*args, **kwargs)
    return decorated
