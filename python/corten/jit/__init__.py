# SPDX-License-Identifier: BSD-3-Clause
"""Names of PyTorch's script compiler. Corten runs Python as it is: what would be compiled is given back."""
import typing

from .._symbols import refused

Final = typing.Final

__all__ = ["Attribute", "Final", "Future", "ScriptFunction", "ScriptModule", "annotate", "export", "fork", "freeze", "ignore", "interface",
           "is_scripting", "is_tracing", "isinstance", "load", "optimize_for_inference", "save", "script", "script_if_tracing",
           "script_method", "trace", "trace_module", "unused", "wait"]


class TracerWarning(Warning):
    """Never given."""


def is_scripting():
    """False: nothing is compiled."""
    return False


def is_tracing():
    """False: nothing is traced."""
    return False


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    """The function, class or module itself."""
    return obj


def script_if_tracing(fn):
    return fn


def script_method(fn):
    return fn


def trace(func=None, example_inputs=None, *args, **kwargs):
    """The function or module itself."""
    return func if func is not None else lambda f: f


def trace_module(mod, inputs, *args, **kwargs):
    return mod


def export(fn):
    return fn


def unused(fn):
    return fn


def interface(obj):
    return obj


def ignore(drop=False, **kwargs):
    """As a decorator with or without arguments."""
    return drop if callable(drop) else lambda fn: fn


def _overload(fn):
    return fn


_overload_method = _overload


def annotate(the_type, the_value):
    return the_value


def Attribute(value, type=None):
    return value


def isinstance(obj, target_type):
    """isinstance that also knows types with arguments, such as List[int]."""
    import builtins
    origin = typing.get_origin(target_type)
    return builtins.isinstance(obj, origin or target_type)


def freeze(mod, preserved_attrs=None, optimize_numerics=True):
    return mod


def optimize_for_inference(mod, other_methods=None):
    return mod


def fork(func, *args, **kwargs):
    """What `wait` gives back; it is computed at once."""
    return Future(func(*args, **kwargs))


def wait(future):
    return future.wait()


class Future:
    """A value that is there already."""

    def __init__(self, value):
        self._value = value

    def wait(self):
        return self._value

    value = wait

    def done(self):
        return True


class TensorType:
    """The type of tensors, to PyTorch's script compiler."""


class ScriptFunction:
    """No function is one."""


class ScriptModule:
    """No module is one."""


RecursiveScriptModule = ScriptModule


def _refuse(name):
    return refused(f"torch.jit.{name}", "compiled programs are not read or written; save the state_dict() of the module instead")


save, load = _refuse("save"), _refuse("load")


def enable_onednn_fusion(enabled):
    """Nothing to switch."""


def onednn_fusion_enabled():
    return False


def set_fusion_strategy(strategy):
    return []
