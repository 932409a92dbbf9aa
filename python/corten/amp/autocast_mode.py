# SPDX-License-Identifier: BSD-3-Clause
"""autocast: matrix products and convolutions in a smaller dtype, within a context or a function.

The library casts the arguments (src/autograd/autocast/autocast.h). This file holds the settings of each thread and the open
blocks, even for device types on which Corten has no tensors, because programs query them.
"""
import functools
import threading
import warnings

from .. import _C, bfloat16, float16, is_tensor
from .._C import _autocast, _set_autocast

__all__ = ["autocast", "autocast_decorator", "custom_bwd", "custom_fwd", "is_autocast_available"]

_OWN = ("cpu", "cuda")
_USUAL = {"xpu": float16, "mps": float16, "hpu": bfloat16, "mtia": float16, "maia": bfloat16, "xla": bfloat16, "ipu": float16,
          "privateuseone": float16}
_others = threading.local()  # {device type: (enabled, dtype)} for those in _USUAL
_before = threading.local()  # {id of an open block: the states to restore, one per entry}; threads may share a decorator's block


def is_autocast_available(device_type):
    """Return whether autocast exists for a device type.

    Args:
        device_type: a type such as "cpu" or "cuda"; an unknown one raises RuntimeError. True does not mean that such a
            device is present.
    """
    if device_type in _OWN or device_type in _USUAL:
        return True
    _C.device(device_type)
    return False


def _cuda_is_available():
    from .. import cuda
    return cuda.is_available()


def _check(device_type):
    if not is_autocast_available(device_type):
        raise RuntimeError("unsupported scalarType")


def _state(device_type):
    """Return (enabled, dtype) of autocast for a device type."""
    if device_type in _OWN:
        return _autocast(device_type)
    _check(device_type)
    return _others.__dict__.get(device_type, (False, _USUAL[device_type]))


def _set_state(device_type, state):
    if device_type in _OWN:
        _set_autocast(device_type, *state)
    else:
        _check(device_type)
        _others.__dict__[device_type] = state


def _any_enabled():
    return _autocast("cpu")[0] or _autocast("cuda")[0] or any(on for on, _ in _others.__dict__.values())


def autocast_decorator(autocast_instance, func):
    """Return func wrapped so that each call runs within an autocast block.

    Args:
        autocast_instance: the block.
        func: the function.
    """
    @functools.wraps(func)
    def within(*args, **kwargs):
        with autocast_instance:
            return func(*args, **kwargs)
    within.__script_unsupported = "@autocast() decorator is not supported in script mode"
    return within


class autocast:
    """A context, or decorator, in which some operations compute in a smaller dtype and some in float32.

    Matrix products and convolutions of float32 tensors compute in `dtype`, which halves their memory and lets them run on faster
    units. Operations that need the range of float32 (losses, norms, exponentials, sums on a GPU) compute in float32 even if their
    inputs are float16. The device decides which operations these are, as in PyTorch. Parameters and their gradients stay float32.
    In-place operations and those with `out=` are not affected.

    Use it for the forward pass and the loss. Backward belongs outside: each operation's backward runs in the dtype of its
    forward.

    Args:
        device_type: the device type whose tensors are cast, "cpu" or "cuda".
        dtype: the smaller dtype, float16 or bfloat16; any other warns and disables autocast on the CPU. Default: None,
            for float16 on a GPU and bfloat16 on the CPU
        enabled: False switches autocast off within the block, for example around an operation that needs float32.
            Default: True
        cache_enabled: whether a parameter is cast once for the whole block, however often it is used. Default: None, for
            the setting outside

    With float16, scale the loss with GradScaler; bfloat16 has the range of float32 and does not need it.

        >>> layer, x = torch.nn.Linear(4, 3), torch.ones(2, 4)
        >>> with torch.autocast("cpu"):
        ...     y = layer(x)
        ...     with torch.autocast("cpu", enabled=False):
        ...         z = layer(x)
        >>> y.dtype, z.dtype, layer.weight.dtype
        (torch.bfloat16, torch.float32, torch.float32)
    """

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.device, self.fast_dtype = device_type, _state(device_type)[1] if dtype is None else dtype
        if not is_autocast_available(device_type):
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        self._cache_enabled = _C._autocast_cache() if cache_enabled is None else cache_enabled
        if enabled and device_type == "cuda":
            if not _cuda_is_available():
                warnings.warn("CUDA is not available or torch_xla is imported. Disabling autocast.", stacklevel=2)
                enabled = False
        elif enabled and self.fast_dtype not in (bfloat16, float16):
            name = device_type.upper()
            warnings.warn(f"In {name} autocast, but the target dtype is not supported. Disabling autocast.\n{name} Autocast only supports "
                          "dtypes of torch.bfloat16, torch.float16 currently.", stacklevel=2)
            enabled = False
        self._enabled = enabled

    def __enter__(self):
        _before.__dict__.setdefault(id(self), []).append((_C._autocast_cache(), _state(self.device)))
        _set_state(self.device, (self._enabled, self.fast_dtype))
        _C._autocast_nest(1)
        _C._set_autocast_cache(self._cache_enabled)
        return self

    def __exit__(self, *error):
        if _C._autocast_nest(-1) == 0:
            _C._clear_autocast_cache()
        stack = _before.__dict__[id(self)]
        cache, state = stack.pop()
        if not stack:
            del _before.__dict__[id(self)]
        _set_state(self.device, state)
        _C._set_autocast_cache(cache)
        return False

    def __call__(self, function):
        if not callable(function):
            raise TypeError(f"autocast()(func) requires a callable, but got {type(function).__name__}. Did you mean to use autocast as a "
                            "context manager? For example:\n    with torch.autocast(device_type=...):\n        output = model(input)")
        return autocast_decorator(self, function)


def _cast(value, device_type, dtype):
    """Cast the floating tensors of a nested structure, except float64 ones and those on other devices."""
    if is_tensor(value):
        fits = value.is_floating_point() and value.device.type == device_type and value.dtype is not _C.float64
        return value.to(dtype) if fits else value
    if isinstance(value, dict):
        return {_cast(k, device_type, dtype): _cast(v, device_type, dtype) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_cast(v, device_type, dtype) for v in value)
    return value


def custom_fwd(fwd=None, *, device_type, cast_inputs=None):
    """Decorate the forward of an autograd.Function for use under autocast.

    Args:
        fwd: the static method forward, with ctx first.
        device_type: the device type, "cpu" or "cuda".
        cast_inputs: a dtype: within autocast, floating inputs are cast to it and forward runs with autocast off. None:
            forward receives its arguments unchanged and may cast them itself. Default: None

    Decorate backward with custom_bwd. Without `fwd`, both return a decorator::

        class Scaled(torch.autograd.Function):
            @staticmethod
            @torch.amp.custom_fwd(device_type="cuda", cast_inputs=torch.float32)
            def forward(ctx, x): ...
    """
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
    """Decorate the backward of an autograd.Function so that it runs with the autocast state that forward had.

    Args:
        bwd: the static method backward, with ctx first.
        device_type: the device type, as in custom_fwd.
    """
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def decorated(*args, **kwargs):
        with autocast(device_type, enabled=args[0]._fwd_used_autocast, dtype=args[0]._dtype):
            return bwd(*args, **kwargs)
    return decorated
