# SPDX-License-Identifier: BSD-3-Clause
"""Global switches of PyTorch; imported on first use.

A switch without effect in Corten, for example because every algorithm is deterministic, only stores its value.
"""
import sys

from . import _C

_state = {"deterministic": False, "warn_only": False, "warn_always": False, "precision": "highest"}


# ---- deterministic algorithms: all are; the switch only affects uninitialized memory ----

def use_deterministic_algorithms(mode, *, warn_only=False):
    """Set whether operations must be deterministic.

    All algorithms of Corten are deterministic; the setting makes `empty` fill its memory, so that uninitialized values are
    noticed.

    Args:
        mode: whether the setting is on.
        warn_only: accepted for compatibility. Default: False
    """
    for name, value in (("mode", mode), ("warn_only", warn_only)):
        if not isinstance(value, bool):
            place = " (position 1)" if name == "mode" else ""
            raise TypeError(f"_set_deterministic_algorithms(): argument '{name}'{place} must be bool, not "
                            f"{type(value).__name__}")
    _state.update(deterministic=mode, warn_only=warn_only)
    _C._cuda_switch("deterministic", mode)
    update_fill()


def update_fill():
    """Passes the setting for uninitialized memory to the C library."""
    from .utils import deterministic
    _C._set_fill_empty(_state["deterministic"] and deterministic.fill_uninitialized_memory)


def are_deterministic_algorithms_enabled():
    """Return whether use_deterministic_algorithms is on."""
    return _state["deterministic"]


def is_deterministic_algorithms_warn_only_enabled():
    """Return whether use_deterministic_algorithms only warns."""
    return _state["warn_only"]


_MODES = {"default": 0, "warn": 1, "error": 2}


def set_deterministic_debug_mode(debug_mode):
    """Set the mode of use_deterministic_algorithms: "default" (0), "warn" (1) or "error" (2)."""
    if not isinstance(debug_mode, (int, str)):
        raise TypeError(f"debug_mode must be str or int, but got {type(debug_mode)}")
    if isinstance(debug_mode, str):
        if debug_mode not in _MODES:
            raise RuntimeError("invalid value of debug_mode, expected one of `default`, `warn`, `error`, but got "
                               f"{debug_mode}")
        debug_mode = _MODES[debug_mode]
    if debug_mode not in (0, 1, 2):
        raise RuntimeError(f"invalid value of debug_mode, expected 0, 1, or 2, but got {debug_mode}")
    use_deterministic_algorithms(debug_mode > 0, warn_only=debug_mode == 1)


def get_deterministic_debug_mode():
    """Return 0 (off), 1 (operations without a deterministic algorithm would warn) or 2 (they would raise an error)."""
    return _state["deterministic"] and (1 if _state["warn_only"] else 2) or 0


# ---- broadcasting ----

class set_broadcast:
    """Sets what happens when operands broadcast to a shape that none of them has, as [3, 1] and [3] do to [3, 3].

    mode: "allow" (PyTorch's behaviour), "warn" or "raise". Also a context manager: `with corten.set_broadcast("raise"):`.
    """

    def __init__(self, mode):
        self.mode, self.old = mode, _C._set_broadcast(mode)

    def __enter__(self):
        _C._set_broadcast(self.mode)
        return self

    def __exit__(self, *error):
        _C._set_broadcast(self.old)


# ---- precision and warnings ----

def get_float32_matmul_precision():
    """Return the text that was given to set_float32_matmul_precision."""
    return _state["precision"]


def set_float32_matmul_precision(precision):
    """Sets the precision of float32 matrix products: "highest", "high" or "medium".

    On a GPU "high" and "medium" allow TF32. CPU products always have the highest precision.
    """
    if not isinstance(precision, str):
        raise RuntimeError(f"set_float32_matmul_precision expects a str, but got {type(precision).__name__}")
    if precision not in ("highest", "high", "medium"):
        import warnings
        warnings.warn(f"{precision} is not one of 'highest', 'high', or 'medium'; the current setFloat32MatmulPrecision "
                      "call has no effect.", stacklevel=2)
        return
    _state["precision"] = precision
    from .backends import set_precision
    set_precision("matmul", "ieee" if precision == "highest" else "tf32")


def set_warn_always(b, /):
    """Set whether warnings that are normally given once are given at every call."""
    if not isinstance(b, bool):
        raise RuntimeError(f"setWarnOnlyOnce expects a bool, but got {type(b).__name__}")
    _C._set_warn_always(b)
    _state["warn_always"] = b


def is_warn_always_enabled():
    """Return the value that was given to set_warn_always."""
    return _state["warn_always"]


# ---- types and devices ----

def set_default_tensor_type(t, /):
    """Sets the default dtype and device by a legacy name such as torch.DoubleTensor."""
    if isinstance(t, str):
        module, _, name = t.rpartition(".")
        if module.partition(".")[0] != "torch":
            raise ModuleNotFoundError(f"No module named '{module or name}'", name=module or name)
        import importlib
        t = getattr(importlib.import_module(__package__ + module[len("torch"):]), name)
    if not hasattr(t, "_legacy_name"):
        raise TypeError("invalid type object: only floating-point types are supported as the default type")
    if not t.dtype.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    _C.set_default_dtype(t.dtype)
    _C.set_default_device(None if t._device == "cpu" else t._device)


def get_device_module(device=None):
    """Return the module of a kind of device, such as torch.cpu or torch.cuda."""
    if device is None:
        name = "cpu"
    elif isinstance(device, (str, _C.device)):
        name = _C.device(device).type
    else:
        raise RuntimeError(f"Invalid value of device '{device}', expect torch.device, str, or None")
    module = getattr(sys.modules[__package__], name, None)
    if module is None:
        raise RuntimeError(f"Device '{name}' does not have a corresponding module registered as 'torch.{name}'.")
    return module


def is_storage(obj, /):
    """Returns whether obj is a typed or untyped storage."""
    from .storage import TypedStorage, UntypedStorage
    return type(obj) in (TypedStorage, UntypedStorage) or isinstance(obj, (TypedStorage, UntypedStorage))


def compiled_with_cxx11_abi():
    """Return True; for compatibility with extensions that ask about PyTorch's binaries."""
    return True


def is_vulkan_available():
    """Return False: there is no such device."""
    return False


# ---- autocast ----

def _autocast_of(device_type):
    from .amp.autocast_mode import _state
    return _state(device_type)


def is_autocast_enabled(device_type=None):
    """Return whether autocast is on for a kind of device; without an argument, for CUDA.

        >>> with torch.autocast("cpu"):
        ...     torch.is_autocast_enabled("cpu")
        True
    """
    return _autocast_of("cuda" if device_type is None else device_type)[0]


def is_autocast_cpu_enabled():
    """Return whether autocast is on for the CPU."""
    return _C._autocast("cpu")[0]


def is_autocast_cache_enabled():
    """Return whether autocast caches the casts of parameters until its outermost block ends."""
    return _C._autocast_cache()


def get_autocast_dtype(device_type):
    """Return the data type that autocast uses on a kind of device.

        >>> torch.get_autocast_dtype("cuda")
        torch.float16
    """
    return _autocast_of(device_type)[1]


def get_autocast_cpu_dtype():
    """Return the data type that autocast uses on the CPU."""
    return _C._autocast("cpu")[1]


def get_autocast_gpu_dtype():
    """Return the data type that autocast uses on GPUs."""
    return _autocast_of("cuda")[1]


def _switch(device_type, on=None, dtype=None):
    from .amp.autocast_mode import _set_state, _state
    old = _state(device_type)
    _set_state(device_type, (old[0] if on is None else on, old[1] if dtype is None else dtype))


def set_autocast_enabled(device_type, enabled=None):
    """Turn autocast on or off for a kind of device; with one argument, for CUDA."""
    _switch(*(("cuda", device_type) if enabled is None else (device_type, enabled)))


def set_autocast_cpu_enabled(enabled):
    """Turn autocast on or off for the CPU."""
    _switch("cpu", enabled)


def set_autocast_dtype(device_type, dtype):
    """Set the data type that autocast uses on a kind of device."""
    _switch(device_type, dtype=dtype)


def set_autocast_cpu_dtype(dtype):
    """Set the data type that autocast uses on the CPU."""
    _switch("cpu", dtype=dtype)


def set_autocast_gpu_dtype(dtype):
    """Set the data type that autocast uses on GPUs."""
    _switch("cuda", dtype=dtype)


def _xla_names(name, newer):
    def function(*args):
        import warnings
        warnings.warn(f"torch.{name}({', '.join('enabled' if 'enabled' in name else 'dtype' for _ in args)}) is deprecated. Please use "
                      f"torch.{newer.__name__}('xla'{', ...' if args else ''}) instead.", DeprecationWarning, stacklevel=2)
        return newer("xla", *args)
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{newer.__name__}('xla') by its old name."
    return function


get_autocast_xla_dtype = _xla_names("get_autocast_xla_dtype", get_autocast_dtype)
is_autocast_xla_enabled = _xla_names("is_autocast_xla_enabled", is_autocast_enabled)
set_autocast_xla_dtype = _xla_names("set_autocast_xla_dtype", set_autocast_dtype)
set_autocast_xla_enabled = _xla_names("set_autocast_xla_enabled", set_autocast_enabled)


def set_autocast_cache_enabled(enabled):
    """Sets whether autocast caches the casts of parameters until its outermost block ends.

    With the cache, a parameter that several operations use is cast once, and its gradient is accumulated in the smaller type
    before it is cast back.
    """
    _C._set_autocast_cache(enabled)


def clear_autocast_cache():
    """Discard the casts of parameters that autocast has cached, for instance after a parameter was changed."""
    _C._clear_autocast_cache()


def autocast_increment_nesting():
    """Open a block of autocast on this thread; returns how many are open."""
    return _C._autocast_nest(1)


def autocast_decrement_nesting():
    """Close a block of autocast on this thread; returns how many are still open."""
    return _C._autocast_nest(-1)
