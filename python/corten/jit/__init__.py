# SPDX-License-Identifier: BSD-3-Clause
"""Names of PyTorch's script compiler. Corten runs Python as it is: what would be compiled is given back."""
import collections
import typing

from .._missing import missing_class, missing_function, no_effect
from ..nn import Module

Final = typing.Final

__all__ = ["Attribute", "Final", "Future", "ScriptFunction", "ScriptModule", "annotate", "export", "fork", "freeze", "ignore", "interface",
           "is_scripting", "is_tracing", "isinstance", "load", "optimize_for_inference", "save", "script", "script_if_tracing",
           "script_method", "trace", "trace_module", "unused", "wait"]


class Error(Exception):
    """An error of a script: never raised."""


class TracerWarning(Warning):
    """Never given."""


def is_scripting():
    """False: nothing is compiled."""
    return False


def is_tracing():
    """False: nothing is traced."""
    return False


def _as_it_is(name, obj):
    no_effect(f"torch.jit.{name}", "functions and modules run as they are, with the same results", 4)
    return obj


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    """The function, class or module itself, with a warning once in a process."""
    return _as_it_is("script", obj)


def script_if_tracing(fn):
    """Return the function unchanged; there is no compiler."""
    return fn


_script_if_tracing = script_if_tracing  # torchvision calls it by this name


def script_method(fn):
    """Return the function unchanged; there is no compiler."""
    return fn


def trace(func=None, example_inputs=None, optimize=None, check_trace=True, check_inputs=None, check_tolerance=1e-5, strict=True,
          _force_outplace=False, _module_class=None, _compilation_unit=None, example_kwarg_inputs=None, _store_inputs=True):
    """The function or module itself, with a warning once in a process."""
    return _as_it_is("trace", func) if func is not None else lambda f: _as_it_is("trace", f)


def trace_module(mod, inputs, optimize=None, check_trace=True, check_inputs=None, check_tolerance=1e-5, strict=True, _force_outplace=False,
                 _module_class=None, _compilation_unit=None, example_inputs_is_kwarg=False, _store_inputs=True):
    """The module itself, with a warning once in a process."""
    return _as_it_is("trace_module", mod)


def export(fn):
    """Return the function unchanged; there is no compiler."""
    return fn


def unused(fn):
    """Return the function unchanged; there is no compiler."""
    return fn


def interface(obj):
    """Return the class unchanged; there is no compiler."""
    return obj


def ignore(drop=False, *, drop_on_export=False):
    """As a decorator with or without arguments."""
    if callable(drop):
        return drop
    if type(drop) is not bool:
        raise RuntimeError(f"Argument to @torch.jit.ignore must be a bool or a function but got {drop}")
    return lambda fn: fn


def _overload(fn):
    return fn


_overload_method = _overload


def annotate(the_type, the_value):
    """Return the value; the type is for compilers."""
    return the_value


Attribute = collections.namedtuple("Attribute", ["value", "type"])


def isinstance(obj, target_type):
    """isinstance that also knows types with arguments, such as List[int]."""
    import builtins
    origin = typing.get_origin(target_type)
    return builtins.isinstance(obj, origin or target_type)


def freeze(mod, preserved_attrs=None, optimize_numerics=True):
    """The module itself, with a warning once in a process."""
    return _as_it_is("freeze", mod)


def optimize_for_inference(mod, other_methods=None):
    """The module itself, with a warning once in a process."""
    return _as_it_is("optimize_for_inference", mod)


def fork(func, *args, **kwargs):
    """What `wait` gives back; it is computed at once."""
    return Future(func(*args, **kwargs))


def wait(future):
    """Return the result of a future."""
    return future.wait()


class Future:
    """A value that is there already."""

    def __init__(self, value):
        self._value = value

    def wait(self):
        """Return the value."""
        return self._value

    value = wait

    def done(self):
        """Return True: the value is computed when the future is made."""
        return True


class TensorType:
    """The type of tensors, to PyTorch's script compiler."""


ScriptFunction = missing_class("torch.jit.ScriptFunction", "call the function itself")


class ScriptModule(Module):
    """A module that runs as any other; torch.jit.script gives modules back as they are, so it never makes one."""


class RecursiveScriptModule(ScriptModule):
    """The class of what PyTorch's torch.jit.script and load give."""


save, load = (missing_function(f"torch.jit.{name}", "save the state_dict() of the module instead") for name in ("save", "load"))


def enable_onednn_fusion(enabled):
    """Whether a compiler would join operations; warns once where it is asked to."""
    if enabled:
        no_effect("torch.jit.enable_onednn_fusion(True)", "nothing is compiled")


def onednn_fusion_enabled():
    """False: nothing is compiled."""
    return False


def set_fusion_strategy(strategy):
    """How often a compiler would specialise; the strategy before, which is none."""
    no_effect("torch.jit.set_fusion_strategy", "nothing is compiled")
    return []


from .._parts import parts_of  # noqa: E402

__getattr__ = parts_of(__name__)
