# SPDX-License-Identifier: BSD-3-Clause
"""Makes the two forms of a derivative: one fused program, and a sequence of recorded calls.
See Note [Two forms] in emit_grad.py."""
from formula import Call, Name, Num
from rows import FACTS, KINDS, VALUES
from sequence import Sequence, number_text

# Functions of an argument that do not need its elements.
ASKED = ("shape", "dtype", "columns")
NUMBERS = ("int", "float", "bool", "Number", "Number?")
SCALAR = {"add": "+", "sub": "-", "mul": "*", "div": "/", "log": "l", "neg": "n"}  # of numbers


def move_conj(node, on=False):
    """Moves conj inwards to names, and to calls that it does not commute with."""
    if isinstance(node, Num):
        return Num(node.value.conjugate()) if on and isinstance(node.value, complex) else node
    if isinstance(node, Call) and node.fn == "conj":
        return move_conj(node.args[0], not on)
    if isinstance(node, Call) and (not on or node.fn in FACTS["functions"]["conj_moves"]):
        return Call(node.fn, tuple(move_conj(a, on) for a in node.args),
                    tuple((k, move_conj(a)) for k, a in node.keywords))
    if isinstance(node, Call):
        node = Call(node.fn, tuple(map(move_conj, node.args)), node.keywords)
    return Call("conj", (node,)) if on else node


def without_factor(node, name):
    """Simplifies the formula for `name` = 1 by removing products with it."""
    if isinstance(node, Call):
        args = tuple(without_factor(a, name) for a in node.args)
        if node.fn == "mul":
            rest = [a for a in args if a not in (Name(name), Call("conj", (Name(name),)))]
            if len(rest) == 1:
                return rest[0]
        return Call(node.fn, args, node.keywords)
    return node


def uses(node, found=None):
    """Returns {name: what a formula needs of it: "value", "shape" or "geometry"}, in order."""
    found = {} if found is None else found
    if isinstance(node, Name):
        found.setdefault(node.id, {})["value"] = True
    elif isinstance(node, Call):
        if node.fn in (*ASKED, "geometry") and isinstance(node.args[0], Name):
            what = "geometry" if node.fn == "geometry" else "shape"
            found.setdefault(node.args[0].id, {})[what] = True
        else:
            uses(node.args[0], found) if node.args else None
        for a in (*node.args[1:], *(a for _, a in node.keywords)):
            uses(a, found)
    return found


def number(node, env):
    """Returns C for arithmetic on numbers, or None if a tensor is involved."""
    if isinstance(node, Num):
        return number_text(node.value)
    if isinstance(node, Name):
        kind, text = env.get(node.id, ("", ""))
        return KINDS[kind].value.format(text) if kind in NUMBERS else None
    inner = [number(a, env) for a in node.args] if isinstance(node, Call) else [None]
    if None in inner:
        return None
    if node.fn == "conj":
        return f"cti_grad_conj({inner[0]})"
    if node.fn in SCALAR:
        return f"cti_grad_number('{SCALAR[node.fn]}', {', '.join((inner * 2)[:2])})"
    return None


class Program:
    """Translates a formula to one pointwise program, if possible."""

    def __init__(self, rows, env):
        self.rows, self.env = rows, env
        self.operands, self.steps = [], []

    def build(self, node):
        """Builds the program. False if the tree contains a row that is not pointwise."""
        try:
            self.slot(node)
        except LookupError:
            return False
        return bool(self.steps) and len(self.operands) < 15 and len(self.steps) <= 16

    def operand(self, text):
        if text not in self.operands:
            self.operands.append(text)
        return ("operand", self.operands.index(text))

    def slot(self, node):
        if number(node, self.env):
            return self.operand(number(node, self.env))
        conj = isinstance(node, Call) and node.fn == "conj"
        name = node.args[0] if conj else node
        if isinstance(name, Name):
            kind, text = self.env[name.id]
            if kind not in ("Tensor", "Mask", *VALUES):
                raise LookupError(name.id)
            value = KINDS[kind].value.format(text)
            return self.operand(f"conj({value})" if conj else value)
        if conj:
            return self.step(self.rows["conj_elements"].id, [self.slot(name)])
        row = self.rows[node.fn]
        if row.maker != "each":
            raise LookupError(node.fn)
        given = dict(zip((a.name for a in row.c_args), node.args), **dict(node.keywords))
        numbers = [a.name for a in row.operands if not a.is_tensor]
        plain = "defaults" in row.each and not any(name in given for name in numbers)
        wanted = [a for a in row.operands if a.is_tensor or not plain]
        if any(a.name not in given for a in wanted):
            raise LookupError(node.fn)
        full = "_FULL" if "defaults" in row.each and not plain else ""
        return self.step(row.id + full, [self.slot(given[a.name]) for a in wanted])

    def step(self, row, inputs):
        step = (row, tuple(inputs))
        if step not in self.steps:
            self.steps.append(step)
        return ("step", self.steps.index(step))

    def lines(self):
        def slot(kind, i):
            return i if kind == "operand" else len(self.operands) + i
        steps = ", ".join(f"{{ {row}, {{ {', '.join(str(slot(*i)) for i in ins)} }} }}"
                          for row, ins in self.steps)
        counts = f"{len(self.operands)}, {len(self.steps)}"
        conj = {o: f"conj{i}" for i, o in enumerate(self.operands) if o.startswith("conj(")}
        values = ", ".join(conj.get(o, o) for o in self.operands)
        return [f"static const struct cti_program program = {{ {counts}, {{ {steps} }} }};",
                *(f"ct_value {c} = cti_grad_{o};" for o, c in conj.items()),
                f"ct_value operand[] = {{ {values} }};",
                "out = cti_pointwise_program(&program, operand);",
                *(f"cti_grad_release_value({c});" for c in conj.values())]


class Recorded(Sequence):
    """The sequence of calls. `shape(x)` reads saved sizes; conj of a real number is the number."""

    def meta(self, node):
        if isinstance(node, Call) and node.fn in ASKED and isinstance(node.args[0], Name):
            return self.kept.get(node.args[0].id)
        return None

    def argument(self, arg, node):
        meta = node is not None and self.meta(node)
        if meta:
            return {"shape": f"cti_meta_ints(&{meta})", "columns": f"{meta}.columns",
                    "dtype": f"(enum ct_dtype){meta}.dtype"}[node.fn]
        if arg.kind in (*VALUES, "Number") and node is not None and number(node, self.env):
            return number(node, self.env)
        return super().argument(arg, node)

    def tensor(self, node):
        if isinstance(node, Call) and node.fn == "conj" and isinstance(node.args[0], Name):
            kind, text = self.look_up(node.args[0].id)
            if kind in VALUES:
                return self.assign(f"cti_grad_conj_tensor({text})")
        return super().tensor(node)
