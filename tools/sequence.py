# SPDX-License-Identifier: BSD-3-Clause
"""A formula over tensors as a sequence of C calls of ct_own_*: one statement per node, released in
one place. Used for composites (`body`) and for derivatives that are recorded."""
import formula
from rows import KINDS


class Sequence:
    """Gathers statements. `env` maps the names of a formula to (kind, C expression)."""

    def __init__(self, rows, env, where):
        self.rows = {r.cname: r for r in rows}
        self.env, self.where = env, where
        self.lines, self.count = [], 0

    def temporaries(self):
        """The declaration of what the statements assign, or nothing."""
        names = ", ".join(f"*t{i} = NULL" for i in range(self.count))
        return [f"ct_tensor {names};"] if self.count else []

    def releases(self, but=""):
        return [f"ct_release(t{i});" for i in range(self.count) if f"t{i}" != but]

    def tensor(self, node):
        """Evaluates a node to a C expression of type ct_tensor *: a borrowed name or a temporary."""
        if isinstance(node, formula.Name):
            kind, text = self.look_up(node.id)
            if kind in ("Tensor", "Tensor?", "Mask"):
                return text
            if kind in ("Operand", "Value"):
                return self.assign(f"cti_value_as_tensor({text})")
            raise formula.FormulaError(f"{self.where}: {node.id} is no tensor")
        if isinstance(node, formula.Num):
            return self.assign(f"cti_value_as_tensor({self.number(node)})")
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
            if kind in ("Value", "Operand") and have in ("Tensor", "Mask", "Operand", "Value", "Number"):
                return f"ct_value_tensor({text})" if have in ("Tensor", "Mask") else text
            if kind == "Number" and have in ("int", "float", "bool"):
                return f"ct_value_{have}({text})"
        if kind in ("Value", "Operand"):
            return self.number(node) if isinstance(node, formula.Num) else f"ct_value_tensor({self.tensor(node)})"
        if kind in ("Tensor", "Mask"):
            return self.tensor(node)
        if kind == "Number":
            return self.number(node)
        if isinstance(node, formula.Num):
            return str(node.value).lower()
        if isinstance(node, formula.Text):
            return f'"{node.value}"'
        if isinstance(node, formula.Call) and node.fn == "shape":
            t = self.tensor(node.args[0])
            return f"cti_shape_of({t})"
        if isinstance(node, formula.Call) and node.fn == "dims" and kind == "ints":
            return "CT_INTS(" + ", ".join(self.scalar(a) for a in node.args) + ")"
        return self.scalar(node)

    def scalar(self, node):
        """An int, bool or float expression in C."""
        match node:
            case formula.Num():
                return str(node.value).lower()
            case formula.Name():
                return self.look_up(node.id)[1]
            case formula.Call(fn="neg"):
                return f"-({self.scalar(node.args[0])})"
            case formula.Call(fn=("add" | "sub" | "mul") as fn):
                sign = {"add": "+", "sub": "-", "mul": "*"}[fn]
                return f"({self.scalar(node.args[0])} {sign} {self.scalar(node.args[1])})"
            case formula.Call(fn="size"):
                return f"ct_size({self.tensor(node.args[0])}, {self.scalar(node.args[1])})"
            case formula.Call(fn="dtype"):
                return f"ct_dtype({self.tensor(node.args[0])})"
        raise formula.FormulaError(f"{self.where}: {node} is no plain number")

    def number(self, node):
        return number_text(node.value)

    def look_up(self, name):
        if name.startswith("CT_"):
            return "constant", name
        if name not in self.env:
            raise formula.FormulaError(f"{self.where}: unknown name {name}")
        return self.env[name]


def number_text(value):
    if isinstance(value, bool):
        return f"ct_value_bool({str(value).lower()})"
    if isinstance(value, int):
        return f"ct_value_int({value})"
    if isinstance(value, complex):
        return f"ct_value_complex_of({value.real!r}, {value.imag!r})"
    return f"ct_value_float({value!r})"


CONSTANTS = {"True": "true", "False": "false", "torch.preserve_format": "CT_PRESERVE_FORMAT",
             "torch.contiguous_format": "CT_CONTIGUOUS_FORMAT", "inf": "__builtin_inf()"}


def default_text(arg, keyword=False):
    """The C text of an argument's default: in own.h's type, or as a field of a struct of keywords."""
    kind, default = arg.kind, arg.default
    if default is None:
        raise formula.FormulaError(f"the argument {arg.name} has no default")
    if default == "None":
        absent = KINDS[kind].absent
        return "ct_value_none()" if kind == "Number?" and not keyword else absent
    if kind in ("Number", "Number?", "Value", "Value?"):
        value = float(default) if any(c in default for c in ".e") else default in ("True", "False") or int(default)
        if kind.startswith("Number") and keyword:
            return str(default)
        return number_text(default == "True" if default in ("True", "False") else value)
    if kind in ("ints", "ints?"):
        inner = default.strip("()[]").rstrip(",")
        return f"CT_INTS({inner})"
    if kind in ("str", "str?"):
        return '"' + default.strip("'\"") + '"'
    return CONSTANTS.get(default, default)
