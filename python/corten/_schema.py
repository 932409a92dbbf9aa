# SPDX-License-Identifier: BSD-3-Clause
"""Schemas of operations, such as `my::add(Tensor x, Tensor y, *, float scale=1.) -> Tensor`: parsing, printing in PyTorch's form,
and checking of call arguments.
"""
import re
from typing import Any, NamedTuple, Optional

from . import _C

_BASES = {"Tensor": "Tensor", "int": "int", "SymInt": "int", "float": "float", "SymFloat": "float", "bool": "bool", "SymBool": "bool",
          "str": "str", "Scalar": "number", "complex": "complex", "ScalarType": "int", "Layout": "int", "MemoryFormat": "int",
          "Device": "Device", "Generator": "Generator", "Dimname": "str", "Any": "Any", "Storage": "Storage", "Stream": "Stream",
          "QScheme": "QScheme"}
_DTYPES = {name: i for i, name in enumerate("uint8 int8 int16 int32 int64 float16 float32 float64 complex32 complex64 complex128 bool qint8 "
                                             "quint8 qint32 bfloat16".split())}
_WORDS = {"None": None, "True": True, "False": False, "Mean": 1, "Sum": 2, "contiguous_format": 0, "preserve_format": 1,
          "channels_last": 2, "strided": 0, "long": 4, "float": 6, "double": 7, **_DTYPES}
_TOKEN = re.compile(r"""\s*(?:(?P<number>-?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|inf|nan))|(?P<string>"[^"]*"|'[^']*')|(?P<ident>[A-Za-z_]\w*)"""
                    r"""|(?P<mark>->|\.\.\.|::|[()\[\],*=?!|.:-]))""")


class Alias(NamedTuple):
    """The alias annotation of an argument: (a) shares memory with a result, (a!) is also written to."""
    before_set: frozenset
    after_set: frozenset
    is_write: bool

    def __str__(self):
        inner = "|".join(sorted(self.before_set)) + ("!" if self.is_write else "")
        return f"({inner})" if self.after_set == self.before_set else f"({inner} -> {'|'.join(sorted(self.after_set))})"


class Type(NamedTuple):
    """A base type with its suffixes "?", "[]" or "[2]", innermost first."""
    base: str
    suffixes: tuple = ()

    @property
    def annotation_str(self):
        """Returns the type in TorchScript's notation."""
        text = _BASES[self.base]
        for suffix in self.suffixes:
            text = f"Optional[{text}]" if suffix == "?" else f"List[{text}]"
        return text

    __str__ = annotation_str.fget

    def written(self, alias=None):
        """Returns the type in a schema's notation."""
        return self.base + ("" if alias is None else str(alias)) + "".join(self.suffixes)

    def inner(self):
        """The type without its last suffix: int for int[]."""
        return Type(self.base, self.suffixes[:-1])


class Argument(NamedTuple):
    """An argument or result of a schema."""
    name: str
    type: Type
    default_value: Any = None
    kwarg_only: bool = False
    alias_info: Optional[Alias] = None
    N: Optional[int] = None
    default_text: Optional[str] = None

    @property
    def real_type(self):
        """The type itself; Corten has no symbolic sizes that would make it differ from `type`."""
        return self.type

    def has_default_value(self):
        """Returns whether the argument has a default."""
        return self.default_text is not None

    def __str__(self):
        default = "" if self.default_text is None else f"={self.default_text}"
        return f"{self.type.written(self.alias_info)}{' ' if self.name else ''}{self.name}{default}"


class FunctionSchema:
    """A parsed schema; str() prints it as PyTorch does."""

    def __init__(self, name, overload_name, arguments, returns):
        self.name, self.overload_name, self.arguments, self.returns = name, overload_name, arguments, returns
        self._parens = len(returns) != 1

    @property
    def is_mutable(self):
        """Whether a call writes to an argument."""
        return any(a.alias_info is not None and a.alias_info.is_write for a in self.arguments)

    @property
    def aliases(self):
        """Whether results share memory with arguments."""
        return any(r.alias_info is not None for r in self.returns)

    def __str__(self):
        parts, star = [], False
        for a in self.arguments:
            if a.kwarg_only and not star:
                parts.append("*")
                star = True
            parts.append(str(a))
        results = ", ".join(map(str, self.returns))
        name = self.name + (f".{self.overload_name}" if self.overload_name else "")
        return f"{name}({', '.join(parts)}) -> {f'({results})' if self._parens else results}"

    __repr__ = __str__

    def __eq__(self, other):
        return isinstance(other, FunctionSchema) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))


# ---- parsing ----

class _Reader:
    def __init__(self, text):
        self.text, self.at, self.tokens, self.fresh = text, 0, [], 0
        at, end = 0, len(text.rstrip())
        while at < end:
            found = _TOKEN.match(text, at)
            if not found:
                self.fail(f"unexpected character '{text[at]}'", at)
            self.tokens.append((found.lastgroup, found.group(found.lastgroup), found.start(found.lastgroup)))
            at = found.end()
        self.tokens.append(("eof", "", len(text)))

    def fail(self, what, at=None, length=1):
        at = self.tokens[self.at][2] if at is None else at
        raise RuntimeError(f"{what}{'' if what.endswith(':') else ' here:'}\n{self.text}\n{' ' * at}{'~' * max(length, 1)} <--- HERE\n")

    def peek(self, text):
        return self.tokens[self.at][1] == text and self.tokens[self.at][0] in ("mark", "ident")

    def take(self, text):
        if self.peek(text):
            self.at += 1
            return True
        return False

    def need(self, text, name=None):
        if not self.take(text):
            kind, value, _ = self.tokens[self.at]
            self.fail(f"expected {name or text} but found '{kind if kind in ('ident', 'number', 'eof') else value}'", length=len(value))

    def word(self):
        kind, value, _ = self.tokens[self.at]
        if kind != "ident":
            self.fail(f"expected ident but found '{kind if kind in ('number', 'eof') else value}'", length=len(value))
        self.at += 1
        return value

    def alias(self):
        """Parses (a), (a!) or (a|b -> *); a single ! is memory that nothing else in the schema shares."""
        if self.take("!"):
            self.fresh += 1
            return Alias(frozenset([f"${self.fresh - 1}"]), frozenset(), True)
        if not self.take("("):
            return None

        def names():
            found = {"*"} if self.take("*") else {self.word()}
            while self.take("|"):
                found.add("*" if self.take("*") else self.word())
            return frozenset(found)
        before = names()
        write = self.take("!")
        after = names() if self.take("->") else before
        self.need(")")
        return Alias(before, after, write)

    def type(self):
        """Parses a type; returns (type, alias, N)."""
        at, base = self.tokens[self.at][2], self.word()
        if base not in _BASES:
            self.fail("\nunknown type specifier. Common valid schema types include Tensor, SymInt, int, float, bool, Scalar; for a full "
                      "list, please see https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/README.md#func :", at, len(base))
        alias = self.alias()
        suffixes, count = [], None
        while True:
            if self.take("?"):
                suffixes.append("?")
            elif self.take("["):
                if not self.peek("]"):
                    count = int(self.tokens[self.at][1]) if self.tokens[self.at][0] == "number" else self.fail("expected number")
                    self.at += 1
                self.need("]")
                suffixes.append(f"[{count or ''}]")
            else:
                return Type(base, tuple(suffixes)), alias or (self.alias() if suffixes and (self.peek("(") or (suffixes[-1] != "?" and self.peek("!"))) else None), count

    def default(self, kind, count):
        """Parses a default value; returns (value, its text in the schema)."""
        if self.take("["):
            values = []
            while not self.take("]"):
                values.append(self.default(kind.inner() if kind.suffixes else kind, None))
                if not self.peek("]"):
                    self.need(",")
            return [v for v, _ in values], "[" + ", ".join(t for _, t in values) + "]"
        group, value, at = self.tokens[self.at]
        self.at += 1
        if group == "string":
            return value[1:-1], f'"{value[1:-1]}"'
        if group == "ident" and value in _WORDS and (value == "None" or kind.base != "Tensor"):
            found = _WORDS[value]
            return found, str(found)
        if kind.base == "Tensor":
            self.fail(f"expected None but found '{group}'", at, len(value))
        if group != "number":
            self.fail("\ninvalid numeric default value:", at, len(value))
        plain = re.fullmatch(r"-?\d+", value) and kind.base not in ("float", "SymFloat")
        number = int(value) if plain else float(value)
        return ([number] * count if count else number), str(number) if plain else f"{number:.17g}{'' if number % 1 else '.'}"

    def argument(self, only):
        kind, alias, count = self.type()
        name = self.word()
        value, text = self.default(kind, count) if self.take("=") else (None, None)
        return Argument(name, kind, value, only, alias, count, text)

    def result(self):
        kind, alias, count = self.type()
        name = self.word() if self.tokens[self.at][0] == "ident" else ""
        return Argument(name, kind, None, False, alias, count)


def parse_schema(text):
    """Parses a schema to a FunctionSchema; raises RuntimeError if it is malformed."""
    r = _Reader(text)
    name = r.word()
    if r.take("::"):
        name += "::" + r.word()
    overload = r.word() if r.take(".") else ""
    if r.tokens[r.at][0] == "eof":
        raise RuntimeError("Tried to parse a function schema but only the operator name was given")
    r.need("(", "eof")
    arguments, only = [], False
    while not r.take(")"):
        if r.take("*"):
            only = True
        elif not r.take("..."):
            arguments.append(r.argument(only))
            if not only and not arguments[-1].has_default_value() and any(a.has_default_value() for a in arguments):
                raise RuntimeError(f"Non-default positional argument follows default argument. Parameter {arguments[-1].name} in {text}")
        if not r.peek(")"):
            r.need(",", ")")
            if r.peek(")"):
                r.word()
    r.need("->", "arrow")
    returns = []
    if r.take("("):
        while not r.take(")"):
            returns.append(r.result())
            if not r.peek(")"):
                r.need(",", ")")
    else:
        returns.append(r.result())
    if r.tokens[r.at][0] != "eof":
        r.fail("expected eof", length=len(r.tokens[r.at][1]))
    return FunctionSchema(name, overload, arguments, returns)


# ---- checking of calls ----

def _is_number(value, kinds):
    if isinstance(value, kinds):
        return True
    if isinstance(value, _C.Tensor):
        return value.numel() == 1 and value.dim() == 0 and (float in kinds or not value.is_floating_point())
    return type(value).__module__ == "numpy" and (hasattr(value, "__index__") or float in kinds and hasattr(value, "__float__"))


_FITS = {
    "Tensor": lambda v: v is None or isinstance(v, _C.Tensor),
    "int": lambda v: _is_number(v, (int,)), "SymInt": lambda v: _is_number(v, (int,)),
    "float": lambda v: _is_number(v, (int, float)), "SymFloat": lambda v: _is_number(v, (int, float)),
    "bool": lambda v: _is_number(v, (int,)), "SymBool": lambda v: _is_number(v, (int,)),
    "str": lambda v: isinstance(v, str), "Dimname": lambda v: isinstance(v, str),
    "Scalar": lambda v: _is_number(v, (int, float, complex)), "complex": lambda v: _is_number(v, (int, float, complex)),
    "ScalarType": lambda v: isinstance(v, (_C.dtype, int)), "Layout": lambda v: isinstance(v, (_C.layout, int)),
    "MemoryFormat": lambda v: isinstance(v, (_C.memory_format, int)), "Device": lambda v: isinstance(v, (_C.device, str, int)),
    "Generator": lambda v: isinstance(v, _C.Generator),
}


def _fits(value, kind):
    """Returns (whether the value fits the type, the part of the value that does not)."""
    if not kind.suffixes:
        return _FITS.get(kind.base, lambda v: True)(value), value
    last = kind.suffixes[-1]
    if last == "?":
        return (True, None) if value is None else _fits(value, kind.inner())
    if isinstance(value, (list, tuple)) or isinstance(value, _C.Tensor) and kind.base != "Tensor" and value.dim() == 1:
        for item in value:
            good, part = _fits(item, kind.inner())
            if not good:
                return False, value if kind.base == "Tensor" else part
        return True, None
    if last != "[]":  # a single number fits int[2]
        return _fits(value, kind.inner())
    return False, value


def _why(value, part, kind):
    if kind.base == "Tensor" and not any(s.startswith("[") for s in kind.suffixes):
        return f"Cast error details: Unable to cast {value} to Tensor"
    if kind.base in ("Scalar", "complex"):
        return f"Cast error details: Cannot cast {value} to number"
    if part is value and any(s.startswith("[") for s in kind.suffixes) and not isinstance(value, (list, tuple, _C.Tensor)):
        return f" Python error details: TypeError: '{type(value).__name__}' object is not iterable"
    return (f"Cast error details: Unable to cast Python instance of type {type(part)} to C++ type '?' (#define "
            "PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for details)")


def _dtype_of(number):
    import corten
    return getattr(corten, next(name for name, i in _DTYPES.items() if i == number))


def match_call(schema, args, kwargs, fill=False):
    """Checks the arguments of a call; returns (positional arguments, keyword-only arguments).

    As in PyTorch, trailing arguments that are left out keep the kernel's own defaults, unless `fill` is set; those before an
    argument given by name are filled in from the schema.
    """
    positional = [a for a in schema.arguments if not a.kwarg_only]
    given = len(args) + len(kwargs)
    if len(args) > len(positional) or given > len(schema.arguments):
        count = len(schema.arguments) if given > len(schema.arguments) else len(positional)
        raise RuntimeError(f"{schema.name}() {'expected at most' if given > len(schema.arguments) else 'takes'} {count} "
                           f"{'' if given > len(schema.arguments) else 'positional '}argument(s) but received "
                           f"{given if given > len(schema.arguments) else len(args)} argument(s). Declaration: {schema}")
    left, values, only, last = dict(kwargs), list(args), {}, len(args)
    for i, a in enumerate(schema.arguments):
        if i < len(args):
            value = args[i]
        elif a.name in left:
            value = left.pop(a.name)
        elif a.has_default_value():
            value = a.default_value
            value = _dtype_of(value) if a.type.base == "ScalarType" and value is not None else value
            if not a.kwarg_only:
                values.append(value)
            elif fill:
                only[a.name] = value
            continue
        else:
            raise RuntimeError(f"{schema.name}() is missing value for argument '{a.name}'. Declaration: {schema}")
        good, part = _fits(value, a.type)
        if not good:
            raise RuntimeError(f"{schema.name}() Expected a value of type '{a.type}' for argument '{a.name}' but instead found type "
                               f"'{type(value).__name__}'.\nPosition: {i}\nValue: {value!r}\nDeclaration: {schema}\n{_why(value, part, a.type)}")
        if a.kwarg_only:
            only[a.name] = value
        elif i >= len(args):
            values.append(value)
            last = len(values)
    if left:
        raise RuntimeError(f"Unknown keyword argument '{next(iter(left))}' for operator '{schema.name}'. Schema: {schema}")
    return tuple(values if fill else values[:last]), only
