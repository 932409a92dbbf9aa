# SPDX-License-Identifier: BSD-3-Clause
"""torch.jit: TorchScript. Corten runs Python code directly, so functions and modules are returned unchanged."""
import collections
import typing

from .._missing import missing_class, missing_function, no_effect
from ..nn import Module

Final = typing.Final

__all__ = ["Attribute", "Final", "Future", "ScriptFunction", "ScriptModule", "annotate", "export", "fork", "freeze", "ignore", "interface",
           "is_scripting", "is_tracing", "isinstance", "load", "optimize_for_inference", "save", "script", "script_if_tracing",
           "script_method", "trace", "trace_module", "unused", "wait"]


class Error(Exception):
    """Raised by TorchScript in PyTorch; never raised here."""


class TracerWarning(Warning):
    """A warning of PyTorch's tracer; never issued here."""


def is_scripting():
    """Returns False: nothing is compiled."""
    return False


def is_tracing():
    """Returns False: nothing is traced."""
    return False


def _as_it_is(name, obj):
    no_effect(f"torch.jit.{name}", "functions and modules run as they are, with the same results", 4)
    return obj


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    """Returns the function, class or module unchanged, with a warning once per process."""
    return _as_it_is("script", obj)


def script_if_tracing(fn):
    """Returns the function unchanged; there is no compiler."""
    return fn


_script_if_tracing = script_if_tracing  # the name that torchvision uses


def script_method(fn):
    """Returns the function unchanged; there is no compiler."""
    return fn


def trace(func=None, example_inputs=None, optimize=None, check_trace=True, check_inputs=None, check_tolerance=1e-5, strict=True,
          _force_outplace=False, _module_class=None, _compilation_unit=None, example_kwarg_inputs=None, _store_inputs=True):
    """Returns the function or module unchanged, with a warning once per process."""
    return _as_it_is("trace", func) if func is not None else lambda f: _as_it_is("trace", f)


def trace_module(mod, inputs, optimize=None, check_trace=True, check_inputs=None, check_tolerance=1e-5, strict=True, _force_outplace=False,
                 _module_class=None, _compilation_unit=None, example_inputs_is_kwarg=False, _store_inputs=True):
    """Returns the module unchanged, with a warning once per process."""
    return _as_it_is("trace_module", mod)


def export(fn):
    """Returns the function unchanged; there is no compiler."""
    return fn


def unused(fn):
    """Returns the function unchanged; there is no compiler."""
    return fn


def interface(obj):
    """Returns the class unchanged; there is no compiler."""
    return obj


def ignore(drop=False, *, drop_on_export=False):
    """Returns the function unchanged; usable as a decorator with or without arguments."""
    if callable(drop):
        return drop
    if type(drop) is not bool:
        raise RuntimeError(f"Argument to @torch.jit.ignore must be a bool or a function but got {drop}")
    return lambda fn: fn


def _overload(fn):
    return fn


_overload_method = _overload


def annotate(the_type, the_value):
    """Returns the value; the type is information for a compiler."""
    return the_value


Attribute = collections.namedtuple("Attribute", ["value", "type"])


def isinstance(obj, target_type):
    """isinstance() that also supports parametrized types such as List[int]."""
    import builtins
    origin = typing.get_origin(target_type)
    return builtins.isinstance(obj, origin or target_type)


def freeze(mod, preserved_attrs=None, optimize_numerics=True):
    """Returns the module unchanged, with a warning once per process."""
    return _as_it_is("freeze", mod)


def optimize_for_inference(mod, other_methods=None):
    """Returns the module unchanged, with a warning once per process."""
    return _as_it_is("optimize_for_inference", mod)


def fork(func, *args, **kwargs):
    """Calls the function immediately; returns a complete Future."""
    return Future(func(*args, **kwargs))


def wait(future):
    """Returns the result of a future."""
    return future.wait()


class Future:
    """A future whose value is already computed."""

    def __init__(self, value):
        self._value = value

    def wait(self):
        """Returns the value."""
        return self._value

    value = wait

    def done(self):
        """Returns True: the value is computed when the future is created."""
        return True


class TensorType:
    """The type of tensors in TorchScript."""


ScriptFunction = missing_class("torch.jit.ScriptFunction", "call the function itself")


class ScriptModule(Module):
    """A module that runs like any other; torch.jit.script returns modules unchanged and never creates one."""


class RecursiveScriptModule(ScriptModule):
    """In PyTorch, the class of modules that torch.jit.script and torch.jit.load return."""


save, load = (missing_function(f"torch.jit.{name}", "save the state_dict() of the module instead") for name in ("save", "load"))


def enable_onednn_fusion(enabled):
    """In PyTorch, enables oneDNN fusion; here has no effect, and warns once if it is enabled."""
    if enabled:
        no_effect("torch.jit.enable_onednn_fusion(True)", "nothing is compiled")


def onednn_fusion_enabled():
    """Returns False: there is no fusion."""
    return False


def set_fusion_strategy(strategy):
    """In PyTorch, limits specializations by the fusing compiler; here returns the old strategy, an empty list."""
    no_effect("torch.jit.set_fusion_strategy", "nothing is compiled")
    return []


from .._parts import parts_of  # noqa: E402

__getattr__ = parts_of(__name__)
