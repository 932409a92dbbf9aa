# SPDX-License-Identifier: BSD-3-Clause
"""Translates a formula over tensors to C calls of ct_own_*: one statement per node, with all
temporaries released at the end. Used for composites (`body`) and recorded derivatives."""
import re

import formula
from rows import KINDS, TENSORS, VALUES


class Sequence:
    """Collects statements. `env` maps names of the formula to (kind, C expression)."""

    def __init__(self, rows, env, where, kept=()):
        self.rows = {r.cname: r for r in rows}
        self.env, self.where, self.kept = env, where, kept  # kept: {name: C for its saved sizes}
        self.lines, self.count = [], 0

    def temporaries(self):
        """Returns the declaration of the temporaries, if there are any."""
        names = ", ".join(f"*t{i} = NULL" for i in range(self.count))
        return [f"ct_tensor {names};"] if self.count else []

    def releases(self, but=""):
        return [f"ct_release(t{i});" for i in range(self.count) if f"t{i}" != but]

    def owned(self, text):
        """Returns an owned reference to the value of a node."""
        return text if re.fullmatch(r"t\d+", text) else f"ct_retain({text})"

    def tensor(self, node):
        """Returns a C expression of type ct_tensor * for a node: a borrowed name or a temporary."""
        if isinstance(node, formula.Name):
            kind, text = self.look_up(node.id)
            if kind in TENSORS:
                return text
            if kind in VALUES:
                return self.assign(f"cti_value_as_tensor({text})")
            raise formula.FormulaError(f"{self.where}: {node.id} is no tensor")
        if isinstance(node, formula.Num):
            return self.assign(f"cti_value_as_tensor({number_text(node.value)})")
        return self.call(node)

    def call(self, node):
        row = self.rows.get(node.fn)
        if row is None or row.returns != "Tensor":
            raise formula.FormulaError(f"{self.where}: {node.fn} is no operation with one result")
        given = dict(zip((a.name for a in row.c_args), node.args), **dict(node.keywords))
        texts = [self.argument(a, given.get(a.name)) for a in row.c_args]
        return self.assign(f"ct_own_{row.cname}({', '.join(texts)})")

    def assign(self, text):
        name = f"t{self.count}"
        self.count += 1
        self.lines.append(f"{name} = {text};")
        return name

    def argument(self, arg, node):
        if node is None:
            return default_text(arg)
        kind = arg.kind.rstrip("?")
        if isinstance(node, formula.Name):
            have, text = self.look_up(node.id)
            if have.rstrip("?") == kind or have == "constant":
                return text
            if kind in VALUES and have in (*TENSORS, *VALUES, "Number"):
                return KINDS[have].value.format(text)
            if kind == "Number" and have in ("int", "float", "bool"):
                return KINDS[have].value.format(text)
        if kind in TENSORS:
            return self.tensor(node)
        if kind == "Number" or (kind in VALUES and isinstance(node, formula.Num)):
            return number_text(node.value)
        if kind in VALUES:
            return f"ct_value_tensor({self.tensor(node)})"
        match node:
            case formula.Text():
                return f'"{node.value}"'
            case formula.Call(fn="shape"):
                return f"cti_shape_of({self.tensor(node.args[0])})"
            case formula.Call(fn="dims") if kind == "ints":
                return "CT_INTS(" + ", ".join(self.scalar(a) for a in node.args) + ")"
        return self.scalar(node)

    def scalar(self, node):
        """Returns a C expression of an int, bool or float."""
        match node:
            case formula.Num():
                return str(node.value).lower()
            case formula.Name():
                return self.look_up(node.id)[1]
            case formula.Call(fn="neg"):
                return f"-({self.scalar(node.args[0])})"
            case formula.Call(fn=("add" | "sub" | "mul") as fn) if all(map(self.is_int, node.args)):
                return f"cti_{fn}_sat({self.scalar(node.args[0])}, {self.scalar(node.args[1])})"
        raise formula.FormulaError(f"{self.where}: {node} is no plain number")

    def is_int(self, node):
        """Whether a plain number is an integer."""
        match node:
            case formula.Num():
                return isinstance(node.value, int)
            case formula.Name():
                return self.look_up(node.id)[0] == "int"
        return False

    def look_up(self, name):
        if name.startswith("CT_"):
            return "constant", name
        if name not in self.env:
            raise formula.FormulaError(f"{self.where}: unknown name {name}")
        return self.env[name]


def number_text(value):
    match value:
        case bool():
            return f"ct_value_bool({str(value).lower()})"
        case int():
            return f"ct_value_int({value})"
        case complex():
            return f"ct_value_complex_of({value.real!r}, {value.imag!r})"
    return f"ct_value_float({value!r})"


CONSTANTS = {"True": "true", "False": "false", "torch.preserve_format": "CT_PRESERVE_FORMAT",
             "torch.contiguous_format": "CT_CONTIGUOUS_FORMAT", "torch.long": "CT_INT64",
             "inf": "__builtin_inf()"}


def default_number(text):
    """Converts a default in Python's syntax to a number."""
    if text in ("True", "False"):
        return text == "True"
    return float(text) if any(c in text for c in ".ein") else int(text)


def default_text(arg, keyword=False):
    """Returns an argument's default in C, in the type of own.h or of a keyword struct."""
    kind, default = arg.kind, arg.default
    if default is None:
        raise formula.FormulaError(f"the argument {arg.name} has no default")
    if default == "None":
        return "CT_NO_NUMBER" if kind == "Number?" and keyword else KINDS[kind].absent
    if KINDS[kind].own == "ct_value ":
        plain = KINDS[kind].keyword and keyword
        return str(default) if plain else number_text(default_number(default))
    if kind in ("ints", "ints?"):
        return f"CT_INTS({default.strip('()[]').rstrip(',')})"
    if kind in ("str", "str?"):
        return '"' + default.strip("'\"") + '"'
    return CONSTANTS.get(default, default)
