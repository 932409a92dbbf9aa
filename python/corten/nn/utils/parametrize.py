# SPDX-License-Identifier: BSD-3-Clause
"""Parameters computed from other tensors: `module.weight` becomes a property that calls modules.

The class of the module is replaced by a subclass with that property. The tensors that it is
computed from are the parameters `parametrizations.NAME.original` (or original0, original1, ...).
"""
import copyreg
from collections.abc import Sequence
from contextlib import contextmanager
from copy import deepcopy

from ... import no_grad
from ..._C import Tensor
from ..modules.container import ModuleDict, ModuleList
from ..parameter import Parameter

__all__ = ["ParametrizationList", "cached", "is_parametrized", "register_parametrization", "remove_parametrizations",
           "transfer_parametrizations_and_params", "type_before_parametrizations"]

_cache_enabled = 0
_cache = {}


@contextmanager
def cached():
    """A context in which each parametrized tensor is computed at most once.

    Worthwhile if a forward uses the same weight several times, as recurrent networks do. The cache is
    emptied at the end, so do not change the originals inside.

    Example:
        >>> parametrize = nn.utils.parametrize
        >>> layer = nn.utils.parametrizations.weight_norm(nn.Linear(2, 2))
        >>> with parametrize.cached():
        ...     print(layer.weight is layer.weight)
        True
        >>> layer.weight is layer.weight
        False
    """
    global _cache_enabled
    _cache_enabled += 1
    try:
        yield
    finally:
        _cache_enabled -= 1
        if not _cache_enabled:
            _cache.clear()


def _register(module, name, tensor):
    """Add a tensor to a module, as a parameter or as a buffer."""
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


def _differs(what, now, then, text):
    """Raise ValueError if a parametrization changed the dtype or shape of a tensor."""
    if now != then:
        raise ValueError(text.format(what=what))


_ONE_TENSOR = "When `right_inverse` outputs one tensor, it may not change the {what}.\n"


class ParametrizationList(ModuleList):
    """The modules that compute one tensor, in order, and the tensors they start from.

    It is `module.parametrizations.NAME`; `original` (or original0, ...) is the starting tensor.

    Args:
        modules: the parametrizations.
        original: the tensor they replace.
        unsafe: skip the check that dtype and shape do not change. Default: False.
    """

    def __init__(self, modules, original, unsafe=False):
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        new = self._first_originals(original)
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            for what in ("dtype", "device"):
                now, then = getattr(new, what), getattr(original, what)
                _differs(what, now, then, _ONE_TENSOR + f"original.{what}: {then}\nright_inverse(original).{what}: {now}")
            with no_grad():
                original.set_(new)
            _register(self, "original", original)
        else:
            for i, part in enumerate(new):
                if not isinstance(part, Tensor):
                    raise ValueError("'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got element "
                                     f"{i} of the sequence with type {type(part).__name__}.")
                if isinstance(original, Parameter):
                    part = Parameter(part, original.requires_grad)
                _register(self, f"original{i}", part.requires_grad_(original.requires_grad))
        if not unsafe:
            self._check(shape, dtype)

    def _first_originals(self, value):
        with no_grad():
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    try:
                        value = module.right_inverse(value)
                    except NotImplementedError:
                        pass
        if not isinstance(value, (Tensor, Sequence)):
            raise ValueError("'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got "
                             f"{type(value).__name__}")
        return value

    def _check(self, shape, dtype):
        made = self()
        if not isinstance(made, Tensor):
            raise ValueError(f"A parametrization must return a tensor. Got {type(made).__name__}.")
        for what, now, then in (("dtype", made.dtype, dtype), ("shape", made.shape, shape)):
            _differs(what, now, then, "Registering a parametrization may not change the {what} of the tensor, unless `unsafe` flag "
                                      f"is enabled.\nunparametrized {what}: {then}\nparametrized {what}: {now}")

    def right_inverse(self, value):
        """Set the originals so that the parametrized tensor becomes `value`.

        `module.weight = value` calls this. It applies the right_inverse of each module in reverse
        order; a module without right_inverse raises RuntimeError.

        Args:
            value: the desired tensor.
        """
        with no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"parametrization {type(module).__name__} does not implement right_inverse.")
                value = module.right_inverse(value)
            if self.is_tensor:
                self._set_one(value)
            else:
                self._set_several(value)

    def _set_one(self, value):
        if not isinstance(value, Tensor):
            raise ValueError(f"`right_inverse` should return a tensor. Got {type(value).__name__}")
        if value.dtype != self.original.dtype:
            raise ValueError(f"The tensor returned by `right_inverse` has dtype {value.dtype} while `original` has dtype "
                             f"{self.original.dtype}")
        self.original.set_(value)

    def _set_several(self, values):
        if not isinstance(values, Sequence):
            raise ValueError(f"'right_inverse' must return a sequence of tensors. Got {type(values).__name__}.")
        if len(values) != self.ntensors:
            raise ValueError(f"'right_inverse' must return a sequence of tensors of length {self.ntensors}. Got a sequence of "
                             f"length {len(values)}.")
        for i, tensor in enumerate(values):
            original = getattr(self, f"original{i}")
            if not isinstance(tensor, Tensor):
                raise ValueError("'right_inverse' must return a sequence of tensors or reference-type opaques. Got element "
                                 f"{i} of type {type(tensor).__name__}.")
            if original.dtype != tensor.dtype:
                raise ValueError(f"Tensor {i} returned by `right_inverse` has dtype {tensor.dtype} while `original{i}` has dtype "
                                 f"{original.dtype}")
            original.set_(tensor)

    def forward(self):
        """Return the parametrized tensor."""
        first, *others = self._modules.values()
        originals = [self.original] if self.is_tensor else [getattr(self, f"original{i}") for i in range(self.ntensors)]
        value = first(*originals)
        for module in others:
            value = module(value)
        return value


# ---- the class of a parametrized module ----

def _deepcopy(self, memo):
    if id(self) not in memo:
        replica = memo[id(self)] = self.__new__(type(self))
        replica.__dict__ = deepcopy(self.__dict__, memo)
        for slot in copyreg._slotnames(type(self)):
            if hasattr(self, slot):
                setattr(replica, slot, deepcopy(getattr(self, slot), memo))
    return memo[id(self)]


def _no_state(self):
    raise RuntimeError(
        "Serialization of parametrized modules is only supported through state_dict(). See:\n"
        "https://pytorch.org/tutorials/beginner/saving_loading_models.html"
        "#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training")


def _inject_class(module):
    cls = type(module)
    more = {"__getstate__": _no_state}
    if not hasattr(cls, "__deepcopy__"):
        more["__deepcopy__"] = _deepcopy
    module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), more)


def _inject_property(module, name):
    def get(self):
        parametrization = self.parametrizations[name]
        if not _cache_enabled:
            return parametrization()
        key = id(self), name
        if _cache.get(key) is None:
            _cache[key] = parametrization()
        return _cache[key]

    def set(self, value):
        self.parametrizations[name].right_inverse(value)

    setattr(type(module), name, property(get, set))


# ---- public functions ----

def _check_addition(module, name, parametrization):
    """Check that one more parametrization of a tensor keeps its dtype and shape."""
    old = getattr(module, name)
    new = parametrization(old)
    if not isinstance(new, Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {type(new).__name__}.")
    for what in ("dtype", "shape"):
        now, then = getattr(new, what), getattr(old, what)
        _differs(what, now, then, "Registering a parametrization may not change the {what} of the tensor, unless the `unsafe` flag "
                                  f"is enabled.\nmodule.{name}.{what}: {then}\nparametrization(module.{name}).{what}: {now}")
    if not hasattr(parametrization, "right_inverse"):
        return
    try:
        back = parametrization.right_inverse(new)
    except NotImplementedError:
        return
    if not isinstance(back, Tensor):
        raise ValueError(f"parametrization.right_inverse must return a tensor. Got: {type(back).__name__}")
    for what in ("dtype", "shape"):
        now, then = getattr(back, what), getattr(old, what)
        _differs(what, now, then, "The tensor returned by parametrization.right_inverse must have the same {what} as "
                                  f"module.{name}, unless the `unsafe` flag is enabled.\nmodule.{name}.{what}: {then}\n"
                                  f"returned {what}: {now}")


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    """Compute a parameter or buffer of a module from another tensor, with a module.

    After that, `module.tensor_name` is parametrization(original), and optimizers train the original. A method
    `right_inverse(value)` of the parametrization, if it has one, computes the initial original and makes the tensor
    assignable. Several parametrizations of one tensor are applied
    in order. Returns the module.

    Args:
        module: the module, whose class is replaced by a subclass.
        tensor_name: name of its parameter or buffer; others raise ValueError.
        parametrization: a module that maps tensors.
        unsafe: skip the check that dtype and shape do not change; keyword only. Default: False.

    Example:
        >>> parametrize = nn.utils.parametrize
        >>> class Symmetric(nn.Module):
        ...     def forward(self, x):
        ...         return x.triu() + x.triu(1).T
        >>> layer = nn.Linear(3, 3)
        >>> _ = parametrize.register_parametrization(layer, "weight", Symmetric())
        >>> bool((layer.weight == layer.weight.T).all()), [name for name, _ in layer.named_parameters()]
        (True, ['bias', 'parametrizations.weight.original'])
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            _check_addition(module, tensor_name, parametrization)
        module.parametrizations[tensor_name].append(parametrization)
        module.parametrizations[tensor_name].unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        parametrizations = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _inject_class(module)
            module.parametrizations = ModuleDict()
        _inject_property(module, tensor_name)
        module.parametrizations[tensor_name] = parametrizations
    else:
        raise ValueError(f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name "
                         f"'{tensor_name}'")
    return module


def is_parametrized(module, tensor_name=None):
    """Return whether a tensor of a module is parametrized.

    Args:
        module: the module.
        tensor_name: name of the tensor. Default: None, any tensor.
    """
    found = getattr(module, "parametrizations", None)
    if not isinstance(found, ModuleDict):
        return False
    return len(found) > 0 if tensor_name is None else tensor_name in found


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    """Convert a parametrized tensor back to an ordinary parameter or buffer, and return the module.

    Args:
        module: the module.
        tensor_name: name of the tensor; ValueError if it is not parametrized.
        leave_parametrized: keep the computed value; False restores the original, which must be a
            single tensor. Default: True.
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    parametrizations = module.parametrizations[tensor_name]
    if parametrizations.is_tensor:
        original = parametrizations.original
        if leave_parametrized:
            with no_grad():
                original.set_(getattr(module, tensor_name))
    elif leave_parametrized:
        value = getattr(module, tensor_name)
        original = Parameter(value) if value.requires_grad else value
    else:
        raise ValueError("Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a "
                         "sequence of tensors.")
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _register(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module):
    """Return the class that a module had before its first parametrization.

    Args:
        module: any module.
    """
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(from_module, to_module, tensor_name=None):
    """Copy the parametrizations of a module and their originals to another one; return it.

    Args:
        from_module: the module to take them from.
        to_module: the module to change.
        tensor_name: name of one tensor. Default: None, all.
    """
    if not is_parametrized(from_module):
        return to_module
    for name in list(from_module.parametrizations) if tensor_name is None else [tensor_name]:
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name)))
        source = from_module.parametrizations[name]
        for parametrization in source:
            register_parametrization(to_module, name, parametrization)
        target = to_module.parametrizations[name]
        for part in ["original"] if hasattr(source, "original") else [f"original{i}" for i in range(source.ntensors)]:
            setattr(target, part, getattr(source, part))
    return to_module
