# SPDX-License-Identifier: BSD-3-Clause
"""Modules that hold modules or parameters as lists and dicts do."""
import operator
import warnings
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from itertools import chain

from ... import typename
from ..._C import Tensor
from ..parameter import Parameter
from .module import Module

__all__ = ["Container", "ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"]


def _indented(text):
    return text.replace("\n", "\n  ")


def _place(container, index):
    """The position that an index means."""
    index, size = operator.index(index), len(container)
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of range")
    return index % size


def _without_digits(names):
    return [name for name in names if not name.isdigit()]


def _pairs(kind, given, mistakes):
    """The (key, value) pairs of a mapping or of a sequence of pairs."""
    if not isinstance(given, Iterable):
        raise TypeError(f"{mistakes}.update should be called with an iterable of key/value pairs, but got "
                        + type(given).__name__)
    if hasattr(given, "items"):
        yield from given.items()
        return
    for i, pair in enumerate(given):
        if not isinstance(pair, Iterable):
            raise TypeError(f"{kind} update sequence element #{i} should be Iterable; is{type(pair).__name__}")
        if len(pair) != 2:
            raise ValueError(f"{kind} update sequence element #{i} has length {len(pair)}; 2 is required")
        yield pair[0], pair[1]


class Container(Module):
    """The old name of Module."""

    def __init__(self, **kwargs):
        warnings.warn("`nn.Container` is deprecated. All of its functionality is now implemented in `nn.Module`. Subclass that "
                      "instead.", FutureWarning, stacklevel=2)
        super().__init__()
        for name, module in kwargs.items():
            self.add_module(name, module)


class _Listed(Module):
    """What Sequential and ModuleList share: modules with numbers for names, though Sequential takes other names too."""

    def __setitem__(self, idx, module):
        setattr(self, self._name_at(idx), module)

    def __delitem__(self, idx):
        for name in list(self._modules)[idx] if isinstance(idx, slice) else [self._name_at(idx)]:
            delattr(self, name)
        self._modules = {str(i): module for i, module in enumerate(self._modules.values())}

    def _name_at(self, idx):
        return list(self._modules)[_place(self, idx)]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __dir__(self):
        return _without_digits(super().__dir__())

    def append(self, module):
        """Adds a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def pop(self, key):
        """Takes a module, or several, out."""
        module = self[key]
        del self[key]
        return module

    def _make_room(self, index):
        for i in range(len(self._modules), index, -1):
            self._modules[str(i)] = self._modules[str(i - 1)]


class Sequential(_Listed):
    """Modules one after the other: each gets what the one before it answers.

        >>> nn.Sequential()(torch.tensor([-1., 0., 2.]))
        tensor([-1.,  0.,  2.])
    """

    def __init__(self, *args):
        super().__init__()
        named = args[0].items() if len(args) == 1 and isinstance(args[0], OrderedDict) else enumerate(args)
        for name, module in named:
            self.add_module(str(name) if isinstance(name, int) else name, module)

    def forward(self, input):
        for module in self._modules.values():
            input = module(input)
        return input

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            return type(self)(OrderedDict(list(self._modules.items())[idx]))
        return list(self._modules.values())[_place(self, idx)]

    @staticmethod
    def _check_other(other):
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")

    def _check_factor(self, other):
        if not isinstance(other, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(other)}")
        if other <= 0:
            raise ValueError(f"Non-positive multiplication factor {other} for {type(self)}")

    def __add__(self, other):
        self._check_other(other)
        return Sequential(*self, *other)

    def __iadd__(self, other):
        self._check_other(other)
        return self.extend(list(other))

    def __mul__(self, other):
        self._check_factor(other)
        return Sequential(*list(self) * other)

    __rmul__ = __mul__

    def __imul__(self, other):
        self._check_factor(other)
        return self.extend(list(self) * (other - 1))

    def insert(self, index, module):
        """Puts a module before the one at `index`."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        n = len(self._modules)
        if not -n <= index <= n:
            raise IndexError(f"Index out of range: {index}")
        index += n if index < 0 else 0
        self._make_room(index)
        self._modules[str(index)] = module
        return self

    def extend(self, sequential):
        """Adds modules at the end."""
        for module in sequential:
            self.append(module)
        return self


class ModuleList(_Listed):
    """A list of modules.

        >>> nn.ModuleList([nn.Linear(1, 2), nn.Linear(1, 2), nn.ReLU(), nn.ModuleList()])[1](torch.randn(2, 1)).shape
        torch.Size([2, 2])
    """

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def _name_at(self, idx):
        return str(_place(self, idx))

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            return type(self)(list(self._modules.values())[idx])
        return self._modules[self._name_at(idx)]

    def __iadd__(self, modules):
        return self.extend(modules)

    def __add__(self, other):
        return ModuleList(chain(self, other))

    def insert(self, index, module):
        """Puts a module before the one at `index`."""
        self._make_room(index)
        self._modules[str(index)] = module

    def extend(self, modules):
        """Adds modules at the end."""
        if not isinstance(modules, Iterable):
            raise TypeError("ModuleList.extend should be called with an iterable, but got " + type(modules).__name__)
        for module in list(modules):
            self.append(module)
        return self

    def __repr__(self):
        texts = [repr(module) for module in self]
        if not texts:
            return self._get_name() + "()"
        runs = []  # [first, last, text]: neighbours that print the same share a line
        for i, text in enumerate(texts):
            if runs and runs[-1][2] == text:
                runs[-1][1] = i
            else:
                runs.append([i, i, text])
        lines = [f"({first}): {text}" if first == last else f"({first}-{last}): {last - first + 1} x {text}"
                 for first, last, text in runs]
        return f"{self._get_name()}(\n  " + "\n  ".join(map(_indented, lines)) + "\n)"


class ModuleDict(Module):
    """A dict of modules.

        >>> nn.ModuleDict({'x': nn.Linear(2, 2), 'y': nn.ModuleDict({'z': nn.PReLU()})})['x'](torch.randn(2, 2)).shape
        torch.Size([2, 2])
    """

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key):
        return self._modules[key]

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        del self._modules[key]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def __contains__(self, key):
        return key in self._modules

    def clear(self):
        """Takes all modules out."""
        self._modules.clear()

    def pop(self, key):
        """Takes a module out."""
        module = self[key]
        del self[key]
        return module

    def keys(self):
        """The names."""
        return self._modules.keys()

    def items(self):
        """Names and modules."""
        return self._modules.items()

    def values(self):
        """The modules."""
        return self._modules.values()

    def update(self, modules):
        """Adds the modules of a mapping, or of (name, module) pairs."""
        for key, module in _pairs("ModuleDict", modules, "ModuleDict"):
            self[key] = module


def _as_parameter(value):
    return Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value


def _describe(name, value, dtype):
    """A line of the text of a ParameterList or ParameterDict."""
    if not isinstance(value, Tensor):
        return f"  ({name}): Object of type: {type(value).__name__}"
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    device = f" ({value.device})" if value.device.type == "cuda" else ""
    return f"  ({name}): {kind} containing: [{dtype(value)} of size {'x'.join(map(str, value.size()))}{device}]"


class ParameterList(Module):
    """A list of parameters; tensors become parameters, other objects stay as they are."""

    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            return type(self)(self[i] for i in range(*idx.indices(len(self))))
        return getattr(self, str(_place(self, idx)))

    def __setitem__(self, idx, param):
        setattr(self, str(_place(self, idx)), _as_parameter(param))

    def __len__(self):
        return self._size

    def __iter__(self):
        return iter(self[i] for i in range(len(self)))

    def __iadd__(self, parameters):
        return self.extend(parameters)

    def __dir__(self):
        return _without_digits(super().__dir__())

    def append(self, value):
        """Adds a value at the end."""
        setattr(self, str(self._size), _as_parameter(value))
        self._size += 1
        return self

    def extend(self, values):
        """Adds values at the end."""
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise TypeError("ParameterList.extend should be called with an iterable, but got " + type(values).__name__)
        for value in values:
            self.append(value)
        return self

    def extra_repr(self):
        return "\n".join(_describe(i, value, lambda v: v.dtype) for i, value in enumerate(self))

    def __call__(self, *args, **kwargs):
        raise RuntimeError("ParameterList should not be called.")


class ParameterDict(Module):
    """A dict of parameters; tensors become parameters, other objects stay as they are."""

    def __init__(self, parameters=None):
        super().__init__()
        self._keys = {}
        if parameters is not None:
            self.update(parameters)

    @staticmethod
    def _key_to_attr(key):
        if not isinstance(key, str):
            raise TypeError("Index given to ParameterDict cannot be used as a key as it is not a string (type is "
                            f"'{type(key).__name__}'). Open an issue on github if you need non-string keys.")
        return key

    def __getitem__(self, key):
        return getattr(self, self._key_to_attr(key))

    def __setitem__(self, key, value):
        setattr(self, self._key_to_attr(key), _as_parameter(value))
        self._keys[key] = None

    def __delitem__(self, key):
        del self._keys[key]
        delattr(self, self._key_to_attr(key))

    def __len__(self):
        return len(self._keys)

    def __iter__(self):
        return iter(self._keys)

    def __reversed__(self):
        return reversed(self._keys)

    def __contains__(self, key):
        return key in self._keys

    def copy(self):
        """Another dict with the same parameters."""
        return ParameterDict(OrderedDict(self.items()))

    def setdefault(self, key, default=None):
        """The value of a key; `default`, which is then kept, if there is none."""
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self):
        """Takes everything out."""
        for key in list(self._keys):
            del self[key]

    def pop(self, key):
        """Takes a value out."""
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        """Takes the last key and its value out."""
        if not self._keys:
            raise KeyError("popitem(): dictionary is empty")
        key = next(reversed(self._keys))
        return key, self.pop(key)

    def get(self, key, default=None):
        """The value of a key, or `default`."""
        return self[key] if key in self else default

    def fromkeys(self, keys, default=None):
        """A new dict with these keys and one value."""
        return ParameterDict((key, default) for key in keys)

    def keys(self):
        """The keys."""
        return self._keys.keys()

    def items(self):
        """Keys and values."""
        return ((key, self[key]) for key in self._keys)

    def values(self):
        """The values."""
        return (self[key] for key in self._keys)

    def update(self, parameters):
        """Adds the values of a mapping, or of (key, value) pairs; those of an unordered mapping by their keys' order."""
        pairs = _pairs("ParameterDict", parameters, "ParametersDict")
        if isinstance(parameters, Mapping) and not isinstance(parameters, OrderedDict):
            pairs = sorted(pairs)
        for key, value in pairs:
            self[key] = value

    def extra_repr(self):
        return "\n".join(_describe(key, value, typename) for key, value in self.items())

    def __call__(self, input):
        raise RuntimeError("ParameterDict should not be called.")

    def __or__(self, other):
        joined = self.copy()
        joined.update(other)
        return joined

    def __ror__(self, other):
        joined = other.copy()
        joined.update(self)
        return joined

    def __ior__(self, other):
        self.update(other)
        return self
