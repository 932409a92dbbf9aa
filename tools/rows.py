# SPDX-License-Identifier: BSD-3-Clause
"""The table of operations: reads src/ops/*.toml into rows and checks them.

A row says what an operation *is*; the emit_*.py files turn rows into text. Nothing is implied by a
name, and an unknown key is an error with file and line.
"""
import re
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path

import formula


class RowError(Exception):
    pass


@dataclass(frozen=True)
class Kind:
    """How one kind of argument appears: its type in own.h and as a field of a struct of keywords,
    the kind and member of Python's parser, its type in the stubs, and C texts: what stands for
    None, the test whether a failed call left it, the value it is."""
    own: str
    parser: str
    member: str
    stub: str
    absent: str = ""
    null: str = ""
    value: str = "{}"
    keyword: str = ""


TENSOR = Kind("ct_tensor *", "TENSOR", "tensor", "Tensor", "CT_NO_TENSOR", "!{}",
              "ct_value_tensor({})")
VALUE = Kind("ct_value ", "VALUE", "value", "Tensor | _Number", "ct_value_none()",
             "{}.kind == CT_VALUE_NULL")
KINDS = {  # each with a question mark as well, where None is good
    "Tensor": TENSOR,
    "Mask": TENSOR,  # truth values; no part of promotion
    "Operand": replace(VALUE, parser="OPERAND", stub="Tensor"),  # C takes numbers as well
    "Value": VALUE,  # so does Python
    "Number": replace(VALUE, parser="NUMBER", stub="_Number", keyword="double "),
    "int": Kind("int64_t ", "INT", "i", "_int", "CT_NO_DIM", value="ct_value_int({})"),
    "ints": Kind("ct_ints ", "INTS", "ints", "_int | Sequence[_int]", "CT_NO_DIMS"),
    "float": Kind("double ", "FLOAT", "f", "_float", "CT_NO_NUMBER", value="ct_value_float({})"),
    "floats": Kind("ct_floats ", "FLOATS", "floats", "Sequence[_float]", "CT_NO_FLOATS"),
    "bool": Kind("bool ", "BOOL", "b", "_bool", value="ct_value_bool({})"),
    "dtype": Kind("enum ct_dtype ", "DTYPE", "dtype", "_dtype", "CT_NO_DTYPE"),
    "device": Kind("struct ct_device ", "DEVICE", "device", "_Device", "CT_NO_DEVICE",
                   "{}.type == CT_BAD_DEVICE"),
    "memory_format": Kind("int ", "FORMAT", "small", "memory_format", "-1"),
    "str": Kind("const char *", "STR", "str", "str", "NULL"),
    "Tensors": Kind("ct_list ", "TENSORS", "list", "Sequence[Tensor]", "CT_NO_LIST",
                    "!cti_list_is_whole(&{})"),
    "generator": Kind("ct_generator *", "GENERATOR", "generator", "Generator", "NULL"),
    # accepted in Python alone: C has no use for them
    "layout": Kind("", "LAYOUT", "object", "_layout"),
    "pin_memory": Kind("", "BOOL", "b", "_bool"),
}
KINDS |= {name + "?": kind for name, kind in KINDS.items()}
KINDS["bool?"] = Kind("int ", "BOOL_OPT", "small", "_bool", "-1")
TENSORS = ("Tensor", "Tensor?", "Mask")  # as ct_tensor *
VALUES = ("Operand", "Value", "Value?")  # as ct_value

MAKERS = ("each", "fold", "view", "impl", "inplace", "body")
KEYS = {
    "call", "doc", "forms", "operator", "returns", "grad", "node", *MAKERS,
    "out",  # a hand-written function that fills a given result; without it the result is copied
    "out_type",  # what is said of an `out` of another type; without it results are cast
    "cast_type",  # what is said where the result cannot be cast to an integer `out` or self
    "out_write",  # a function that copies the result to `out`, or what it says of another type
    "typed",  # "out": it decides the type; "number": of types is told where others are numbers
    "number",  # C: the row that is called when the last tensor is a number
    # pointwise
    "types", "promote", "result", "plain", "each_bool", "each_integer", "each_complex", "each_real",
    "records", "instead", "rare", "refuse", "kernel", "check", "late", "otherwise", "reflected",
    "family",  # of a reduction
    # Python: also known as; a module other than the main one; PyTorch's several calls of one row
    "aliases", "module", "python",
    "devices",  # "any": its tensors may lie on several; else what is said of those that do
    "old",  # Python: orders of arguments that PyTorch still takes, with a warning
}

TYPES = {  # compute types a row takes
    "any": "b8 u8 i8 i16 i32 i64 u16 u32 u64 f32 f64 c64 c128",
    "number": "u8 i8 i16 i32 i64 u16 u32 u64 f32 f64 c64 c128",
    "real": "b8 u8 i8 i16 i32 i64 u16 u32 u64 f32 f64",
    "real number": "u8 i8 i16 i32 i64 u16 u32 u64 f32 f64",
    "integer": "u8 i8 i16 i32 i64 u16 u32 u64",
    "bits": "b8 u8 i8 i16 i32 i64 u16 u32 u64",
    "floating": "f32 f64 c64 c128",
    "real floating": "f32 f64",
    "plain floating": "f32 f64", "single": "f32",  # the former without halves
    "complex": "c64 c128",
    "bool": "b8",
}

SUFFIX = {  # compute types: C type, enum value
    "b8": ("uint8_t", "CT_BOOL"), "f32": ("float", "CT_FLOAT32"), "f64": ("double", "CT_FLOAT64"),
    "c64": ("ct_c64", "CT_COMPLEX64"), "c128": ("ct_c128", "CT_COMPLEX128"),
    **{f"{c[0]}{n}": (f"{c}{n}_t", f"CT_{c.upper()}{n}") for c in ("int", "uint")
       for n in (8, 16, 32, 64)},
}


@dataclass
class Arg:
    name: str
    kind: str
    default: str | None  # Python's text, None when required
    keyword_only: bool

    @property
    def facts(self):
        return KINDS[self.kind]

    @property
    def is_tensor(self):
        return self.kind in (*TENSORS, *VALUES, "Tensors")


@dataclass
class Row:
    name: str  # as in the table: "max.dim"
    where: str  # file:line
    args: list[Arg]
    results: list[str]  # names of the results; [] for one tensor
    returns: str  # "Tensor", "struct", "Tensors", "bool", "none"
    forms: set[str]
    keys: dict = field(repr=False, default_factory=dict)

    @property
    def python_name(self):
        return self.name.split(".")[0]

    @property
    def path(self):
        """Where Python finds the function: [special_i1e] of the module special is special.i1e."""
        module = self.keys.get("module", "")
        name = self.python_name.removeprefix(f"{module}_")
        return f"{module}.{name}" if module else name

    @property
    def inner(self):
        """Called by other rows and derivatives alone: not even in own.h."""
        return not self.forms or "internal" in self.forms

    @property
    def public(self):
        """For users: the form "own" is for bindings, in own.h alone."""
        return not self.inner and "own" not in self.forms

    @property
    def in_place_only(self):
        """A row such as [normal_], of which there is no other form."""
        return self.python_name.endswith("_")

    @property
    def cname(self):
        base, _, overload = self.name.partition(".")
        if self.in_place_only:  # the mark of a call in place stays last
            return (f"{base}{overload}_" if overload else base)
        return self.name.replace(".", "_")

    @property
    def inplace_name(self):
        return self.cname if self.in_place_only else self.cname + "_"

    @property
    def id(self):
        return "CTI_ROW_" + self.cname.upper()

    @property
    def maker(self):
        return next(m for m in MAKERS if m in self.keys)

    @property
    def doc(self):
        return self.keys["doc"]

    @property
    def c_args(self):
        return [a for a in self.args if a.facts.own]

    @property
    def operands(self):
        """What a pointwise formula is given, in order: tensors first, then its numbers."""
        args = [a for a in self.c_args if a.kind != "str?"]
        return [a for a in args if a.is_tensor] + [a for a in args if not a.is_tensor]

    @property
    def types(self):
        return TYPES[self.keys["types"]].split()

    @property
    def grad(self):
        """{argument: formula text}; {} when the row has no derivative."""
        grad = self.keys.get("grad", "none")
        return {} if grad == "none" else grad

    def formula_for(self, suffix):
        """The `each` of one compute type."""
        special = {"b": "bool", "c": "complex", "f": "real"}.get(suffix[0], "integer")
        return formula.parse(self.keys.get(f"each_{special}", self.keys["each"]), self.where)


def parse_call(text, where):
    """PyTorch's signature: "(input: Tensor, *, alpha: Number = 1)"."""
    if not (text.startswith("(") and text.endswith(")")):
        raise RowError(f"{where}: call must stand in parentheses: {text}")
    args, keyword_only = [], False
    for part in filter(None, (p.strip() for p in split_commas(text[1:-1]))):
        if part == "*":
            keyword_only = True
            continue
        m = re.fullmatch(r"(\w+): ([\w?]+)(?: = (.+))?", part)
        if not m or m[2] not in KINDS:
            raise RowError(f"{where}: cannot read the argument `{part}`")
        args.append(Arg(m[1], m[2], m[3], keyword_only))
    return args


def split_commas(text):
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]]


def parse_returns(text, where):
    if text == "Some":  # a list; Python makes one tensor of a list of one
        return "Tensors", []
    if text in ("Tensor", "Tensors", "bool", "none"):
        return text, []
    names = re.findall(r"(\w+): Tensor", text)
    if not names:
        raise RowError(f"{where}: cannot read returns = {text!r}")
    return "struct", names


def make_row(name, keys, where):
    made_by = {m for m in MAKERS if m in keys}
    if made_by & {"impl", "view"}:
        made_by -= {"inplace"}
    wrong = [f"has an unknown key: {key}" for key in sorted(set(keys) - KEYS)]
    wrong += [f"has no {need}" for need in ("call", "doc") if need not in keys]
    if len(made_by) != 1:
        wrong.append(f"needs exactly one of {', '.join(MAKERS)}")
    if "body" not in keys and "grad" not in keys:
        wrong.append('says nothing of its derivative (grad = "none" is written out)')
    if "each" in keys and keys.get("types") not in TYPES:
        wrong.append(f"types must be one of {', '.join(TYPES)}")
    if wrong:
        raise RowError(f"{where}: [{name}] {wrong[0]}")
    forms = "function method inplace out" if "each" in keys else "function method"
    if name.split(".")[0].endswith("_"):
        forms = "inplace"
    elif "module" in keys:
        forms = "function out"
    forms = set(keys.get("forms", forms).split())
    returns, results = parse_returns(keys.get("returns", "Tensor"), where)
    return Row(name, where, parse_call(keys["call"], where), results, returns, forms, keys)


def indent(lines, steps=1):
    """Lines of C, further to the right."""
    return ["    " * steps + line if line else line for line in lines]


def function(head, body):
    """A function in C."""
    return [head, "{", *indent(body), "}", ""]


def load(paths):
    rows = []
    for path in sorted(map(Path, paths)):
        text = path.read_text()
        lines = {m[1].strip('"'): text.count("\n", 0, m.start()) + 1
                 for m in re.finditer(r"^\[([^\]]+)\]", text, re.M)}
        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError as e:
            raise RowError(f"{path.name}: {e}")
        for name, keys in table.items():
            rows.append(make_row(name, keys, f"{path.name}:{lines.get(name, 0)}"))
    seen = {}
    for row in rows:
        if row.name in seen:
            raise RowError(f"{row.where}: [{row.name}] stands at {seen[row.name]} already")
        seen[row.name] = row.where
    return rows
