# SPDX-License-Identifier: BSD-3-Clause
"""Modules that hold modules or parameters as Python's lists and dicts do."""
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
    """Return the position of an index, counted from the start; raise IndexError if it is out of range."""
    index, size = operator.index(index), len(container)
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of range")
    return index % size


def _without_digits(names):
    return [name for name in names if not name.isdigit()]


def _pairs(kind, given, mistakes):
    """Return the (key, value) pairs of a mapping or a sequence of pairs; raise PyTorch's errors for anything else."""
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
    """Deprecated name of Module, which takes submodules by keyword; creating one warns."""

    def __init__(self, **kwargs):
        warnings.warn("`nn.Container` is deprecated. All of its functionality is now implemented in `nn.Module`. Subclass that "
                      "instead.", FutureWarning, stacklevel=2)
        super().__init__()
        for name, module in kwargs.items():
            self.add_module(name, module)


class _Listed(Module):
    """Base of Sequential and ModuleList: modules named by their positions (Sequential also accepts other names)."""

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
        """Add a module at the end and return the container."""
        self.add_module(str(len(self)), module)
        return self

    def pop(self, key):
        """Remove the module at an index, or the modules of a slice, and return them."""
        module = self[key]
        del self[key]
        return module

    def _make_room(self, index):
        """Rename the modules from `index` on, to make this name available."""
        for i in range(len(self._modules), index, -1):
            self._modules[str(i)] = self._modules[str(i - 1)]


class Sequential(_Listed):
    """Chain modules: each gets the output of the one before it.

        out = module[n-1](... module[1](module[0](x)))

    It behaves like a list: indexing, slices (a new Sequential with the same modules), len,
    iteration, +, * (the same modules again, sharing parameters), append, insert, extend and del
    work. Modules are named by their positions, or by the keys of an OrderedDict.

    Args:
        args: the modules, or one OrderedDict of names and modules.

    Shape:
        - Input: whatever the first module takes, as one argument.
        - Output: that of the last module; the input itself if there is no module.

    Example:
        >>> net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
        >>> net(torch.zeros(3, 4)).shape
        torch.Size([3, 2])
        >>> net[1], len(net), net[:2]
        (ReLU(), 3, Sequential(
          (0): Linear(in_features=4, out_features=8, bias=True)
          (1): ReLU()
        ))
        >>> from collections import OrderedDict
        >>> net = nn.Sequential(OrderedDict([("flat", nn.Flatten()), ("out", nn.Linear(4, 2))]))
        >>> net.out
        Linear(in_features=4, out_features=2, bias=True)
    """

    def __init__(self, *args):
        super().__init__()
        named = args[0].items() if len(args) == 1 and isinstance(args[0], OrderedDict) else enumerate(args)
        for name, module in named:
            self.add_module(str(name) if isinstance(name, int) else name, module)

    def forward(self, input):
        """Pass the input through all modules in order."""
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
        """Insert a module before position `index`, which may be negative or the length; return the container."""
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
        """Add the modules of an iterable at the end and return the container."""
        for module in sequential:
            self.append(module)
        return self


class ModuleList(_Listed):
    """A list of modules whose parameters belong to the module that contains the list.

    A plain Python list would hide them from `parameters()`, `to()` and `state_dict()`. It has no
    forward; write the loop yourself. Indexing, slices, len, iteration, +, append, insert, extend,
    pop and del work as for a list.

    Args:
        modules: an iterable of modules. Default: None, an empty list.

    Example:
        >>> layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        >>> layers
        ModuleList(
          (0-2): 3 x Linear(in_features=4, out_features=4, bias=True)
        )
        >>> x = torch.zeros(2, 4)
        >>> for layer in layers:
        ...     x = layer(x)
        >>> x.shape, len(list(layers.parameters()))
        (torch.Size([2, 4]), 6)
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
        """Insert a module before position `index`."""
        self._make_room(index)
        self._modules[str(index)] = module

    def extend(self, modules):
        """Add the modules of an iterable at the end and return the list."""
        if not isinstance(modules, Iterable):
            raise TypeError("ModuleList.extend should be called with an iterable, but got " + type(modules).__name__)
        for module in list(modules):
            self.append(module)
        return self

    def __repr__(self):
        texts = [repr(module) for module in self]
        if not texts:
            return self._get_name() + "()"
        runs = []  # [first, last, repr]: neighbours with the same repr share a line
        for i, text in enumerate(texts):
            if runs and runs[-1][2] == text:
                runs[-1][1] = i
            else:
                runs.append([i, i, text])
        lines = [f"({first}): {text}" if first == last else f"({first}-{last}): {last - first + 1} x {text}"
                 for first, last, text in runs]
        return f"{self._get_name()}(\n  " + "\n  ".join(map(_indented, lines)) + "\n)"


class ModuleDict(Module):
    """A dict of modules whose parameters belong to the module that contains the dict.

    It keeps the order of insertion. A key is a string without a dot, and not the name of an
    attribute of the class, such as "type" or "clear". It has no forward.

    Args:
        modules: a mapping of names to modules, or an iterable of pairs. Default: None, an empty
            dict.

    Example:
        >>> heads = nn.ModuleDict({"digit": nn.Linear(8, 10), "parity": nn.Linear(8, 2)})
        >>> heads["parity"](torch.zeros(3, 8)).shape
        torch.Size([3, 2])
        >>> list(heads.keys()), "colour" in heads
        (['digit', 'parity'], False)
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
        """Remove all modules."""
        self._modules.clear()

    def pop(self, key):
        """Remove the module of a key and return it; KeyError if there is none."""
        module = self[key]
        del self[key]
        return module

    def keys(self):
        """Return the keys, in order of insertion."""
        return self._modules.keys()

    def items(self):
        """Return the pairs of key and module."""
        return self._modules.items()

    def values(self):
        """Return the modules, in order of insertion."""
        return self._modules.values()

    def update(self, modules):
        """Add the modules of a mapping, or of an iterable of (key, module) pairs; equal keys are replaced."""
        for key, module in _pairs("ModuleDict", modules, "ModuleDict"):
            self[key] = module


def _as_parameter(value):
    """Return a tensor as a Parameter; return other values unchanged."""
    return Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value


def _describe(name, value, dtype):
    """Return one line of the printed form of a ParameterList or ParameterDict."""
    if not isinstance(value, Tensor):
        return f"  ({name}): Object of type: {type(value).__name__}"
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    device = f" ({value.device})" if value.device.type == "cuda" else ""
    return f"  ({name}): {kind} containing: [{dtype(value)} of size {'x'.join(map(str, value.size()))}{device}]"


class ParameterList(Module):
    """A list of parameters that belong to the module that contains the list.

    Tensors become parameters; other objects are kept as they are. Indexing, slices, len, iteration,
    append, extend and += work as for a list. It cannot be called.

    Args:
        values: an iterable of tensors or other objects. Default: None, an empty list.

    Example:
        >>> params = nn.ParameterList([torch.ones(2), torch.ones(3)])
        >>> params
        ParameterList(
            (0): Parameter containing: [torch.float32 of size 2]
            (1): Parameter containing: [torch.float32 of size 3]
        )
        >>> params[1].requires_grad
        True
    """

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
        """Add a value at the end, a tensor as a parameter, and return the list."""
        setattr(self, str(self._size), _as_parameter(value))
        self._size += 1
        return self

    def extend(self, values):
        """Add the values of an iterable at the end and return the list."""
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise TypeError("ParameterList.extend should be called with an iterable, but got " + type(values).__name__)
        for value in values:
            self.append(value)
        return self

    def extra_repr(self):
        """Return the values as they are printed, one per line."""
        return "\n".join(_describe(i, value, lambda v: v.dtype) for i, value in enumerate(self))

    def __call__(self, *args, **kwargs):
        raise RuntimeError("ParameterList should not be called.")


class ParameterDict(Module):
    """A dict of parameters that belong to the module that contains the dict.

    Tensors become parameters; other objects are kept as they are. It keeps the order of insertion,
    except that those of an unordered mapping are inserted in the order of their keys; | and |= join
    two. Keys must be strings. It cannot be called.

    Args:
        parameters: a mapping of names to tensors, or an iterable of pairs. Default: None, an empty
            dict.

    Example:
        >>> params = nn.ParameterDict({"scale": torch.ones(2), "shift": torch.zeros(2)})
        >>> params["scale"] * 3 + params["shift"]
        tensor([3., 3.], grad_fn=<AddBackward0>)
        >>> sorted(params.keys())
        ['scale', 'shift']
    """

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
        """Return a new dict with the same parameters, not copies of them."""
        return ParameterDict(OrderedDict(self.items()))

    def setdefault(self, key, default=None):
        """Return the value of a key; if it is missing, store `default` first."""
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self):
        """Remove all entries."""
        for key in list(self._keys):
            del self[key]

    def pop(self, key):
        """Remove the value of a key and return it; KeyError if there is none."""
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        """Remove and return the pair that was inserted last; KeyError if the dict is empty."""
        if not self._keys:
            raise KeyError("popitem(): dictionary is empty")
        key = next(reversed(self._keys))
        return key, self.pop(key)

    def get(self, key, default=None):
        """Return the value of a key, or `default` if it is missing."""
        return self[key] if key in self else default

    def fromkeys(self, keys, default=None):
        """Return a new ParameterDict with these keys and `default` as the value of each."""
        return ParameterDict((key, default) for key in keys)

    def keys(self):
        """The keys, in order of insertion."""
        return self._keys.keys()

    def items(self):
        """Return the pairs of key and value."""
        return ((key, self[key]) for key in self._keys)

    def values(self):
        """Return the values, in order of insertion."""
        return (self[key] for key in self._keys)

    def update(self, parameters):
        """Add the values of a mapping, an unordered one in the order of its keys, or of an iterable of (key, value) pairs."""
        pairs = _pairs("ParameterDict", parameters, "ParametersDict")
        if isinstance(parameters, Mapping) and not isinstance(parameters, OrderedDict):
            pairs = sorted(pairs)
        for key, value in pairs:
            self[key] = value

    def extra_repr(self):
        """The values as printed, one in each line."""
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
