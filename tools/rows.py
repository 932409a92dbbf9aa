# SPDX-License-Identifier: BSD-3-Clause
"""The table of operations: reads src/ops/*.toml into rows and checks them.

A row says what an operation *is*; the emit_*.py files turn rows into text. Nothing is implied by a
name, and an unknown key is an error with file and line.
"""
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import formula


class RowError(Exception):
    pass


@dataclass(frozen=True)
class Kind:
    """How one kind of argument appears in C. `own` is its type in own.h, `keyword` in a struct of
    keywords, `absent` the C text for None, `python` the word in PyTorch's signatures."""
    own: str
    keyword: str
    absent: str = ""
    python: str = ""


KINDS = {
    "Tensor": Kind("ct_tensor *", "ct_tensor *", python="Tensor"),
    "Tensor?": Kind("ct_tensor *", "ct_tensor *", "CT_NO_TENSOR", "Tensor"),
    "Mask": Kind("ct_tensor *", "ct_tensor *", python="Tensor"),  # truth values; no part of promotion
    "Operand": Kind("ct_value ", "ct_value ", python="Tensor"),  # C takes numbers as well
    "Value": Kind("ct_value ", "ct_value ", python="Tensor"),  # so does Python
    "Value?": Kind("ct_value ", "ct_value ", "ct_value_none()", "Tensor"),
    "Number": Kind("ct_value ", "double ", python="Number"),
    "Number?": Kind("ct_value ", "double ", "CT_NO_NUMBER", "Number"),
    "int": Kind("int64_t ", "int64_t ", python="int"),
    "int?": Kind("int64_t ", "int64_t ", "CT_NO_DIM", "int"),
    "ints": Kind("ct_ints ", "ct_ints ", python="tuple of ints"),
    "ints?": Kind("ct_ints ", "ct_ints ", "CT_NO_DIMS", "tuple of ints"),
    "float": Kind("double ", "double ", python="float"),
    "float?": Kind("double ", "double ", "CT_NO_NUMBER", "float"),
    "bool": Kind("bool ", "bool ", python="bool"),
    "bool?": Kind("int ", "int ", "-1", "bool"),
    "dtype": Kind("enum ct_dtype ", "enum ct_dtype ", python="torch.dtype"),
    "dtype?": Kind("enum ct_dtype ", "enum ct_dtype ", "CT_NO_DTYPE", "torch.dtype"),
    "device?": Kind("struct ct_device ", "struct ct_device ", "CT_NO_DEVICE", "torch.device"),
    "memory_format?": Kind("int ", "int ", "-1", "torch.memory_format"),
    "str": Kind("const char *", "const char *", python="str"),
    "str?": Kind("const char *", "const char *", "NULL", "str"),
    "Tensors?": Kind("ct_list ", "ct_list ", "CT_NO_LIST", "tuple of Tensors"),
    "Tensors": Kind("ct_list ", "ct_list ", python="tuple of Tensors"),
    "generator?": Kind("ct_generator *", "ct_generator *", "NULL", "torch.Generator"),
    # accepted in Python alone: C has no use for them
    "layout?": Kind("", "", python="torch.layout"),
    "pin_memory?": Kind("", "", python="bool"),
}

MAKERS = ("each", "fold", "view", "impl", "inplace", "body")
KEYS = {
    "call", "doc", "forms", "operator", "returns", "grad", "node", *MAKERS,
    "out",  # a hand-written function that fills a given result; without it the result is copied
    "number",  # C: the row that is called when the last tensor is a number
    # pointwise
    "types", "promote", "result", "plain", "each_bool", "each_integer", "each_complex", "each_real",
    "records", "out_write", "instead", "refuse", "kernel", "check", "late", "otherwise", "reflected",
    # reductions
    "family",
    # tests: sample inputs, where the ones made from the signature do not fit
    "samples",
    # Python: also known as; a module other than the main one; the calls as PyTorch lists them, where
    # it has several for one row
    "aliases", "module", "python",
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
    "complex": "c64 c128",
    "bool": "b8",
}

SUFFIX = {  # compute types: C type, enum value
    "b8": ("uint8_t", "CT_BOOL"), "u8": ("uint8_t", "CT_UINT8"), "i8": ("int8_t", "CT_INT8"),
    "i16": ("int16_t", "CT_INT16"), "i32": ("int32_t", "CT_INT32"), "i64": ("int64_t", "CT_INT64"),
    "u16": ("uint16_t", "CT_UINT16"), "u32": ("uint32_t", "CT_UINT32"),
    "u64": ("uint64_t", "CT_UINT64"), "f32": ("float", "CT_FLOAT32"),
    "f64": ("double", "CT_FLOAT64"), "c64": ("ct_c64", "CT_COMPLEX64"),
    "c128": ("ct_c128", "CT_COMPLEX128"),
}


@dataclass
class Arg:
    name: str
    kind: str
    default: str | None  # Python's text, None when required
    keyword_only: bool

    @property
    def in_c(self):
        return bool(KINDS[self.kind].own)

    @property
    def is_tensor(self):
        return self.kind in ("Tensor", "Tensor?", "Mask", "Operand", "Value", "Value?", "Tensors")


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
        return [a for a in self.args if a.in_c]

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
        special = {"b": "each_bool", "c": "each_complex", "f": "each_real"}.get(suffix[0], "each_integer")
        return formula.parse(self.keys.get(special, self.keys["each"]), self.where)


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
    if text in ("Tensor", "Tensors", "bool", "none"):
        return text, []
    names = re.findall(r"(\w+): Tensor", text)
    if not names:
        raise RowError(f"{where}: cannot read returns = {text!r}")
    return "struct", names


def make_row(name, keys, where):
    unknown = set(keys) - KEYS
    if unknown:
        raise RowError(f"{where}: [{name}] has unknown keys: {', '.join(sorted(unknown))}")
    made_by = [m for m in MAKERS if m in keys and not (m == "inplace" and {"impl", "view"} & set(keys))]
    if len(made_by) != 1:
        raise RowError(f"{where}: [{name}] needs exactly one of {', '.join(MAKERS)}")
    for need in ("call", "doc"):
        if need not in keys:
            raise RowError(f"{where}: [{name}] has no {need}")
    if "body" not in keys and "grad" not in keys:
        raise RowError(f"{where}: [{name}] says nothing of its derivative (grad = \"none\" is written out)")
    if "each" in keys and keys.get("types") not in TYPES:
        raise RowError(f"{where}: [{name}] types must be one of {', '.join(TYPES)}")
    forms = "function method inplace out" if "each" in keys else "function method"
    if name.split(".")[0].endswith("_"):
        forms = "inplace"
    forms = set(keys.get("forms", forms).split())
    returns, results = parse_returns(keys.get("returns", "Tensor"), where)
    return Row(name, where, parse_call(keys["call"], where), results, returns, forms, keys)


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
