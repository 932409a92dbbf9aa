# SPDX-License-Identifier: BSD-3-Clause
"""Reads the table of operations, src/ops/**/*.toml, into rows and checks them.

A row defines an operation; the emit_*.py files generate text from rows. An unknown key is an error
with file and line.
"""
import json
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import formula


class RowError(Exception):
    pass


FACTS = tomllib.loads((Path(__file__).parent / "facts.toml").read_text())
OPS = Path(__file__).resolve().parent.parent / "src/ops"
for groups in ("blocks", "narrow", "narrow_complex"):  # {name of a function: its group}
    found = FACTS["functions"][groups]
    FACTS["functions"][groups] = {n: g for g, names in found.items() for n in names.split()}
KEYS, TYPES, GROUPS = FACTS["keys"], FACTS["types"], FACTS["groups"]
SUFFIX = FACTS["compute"]  # compute types: C type, enum value


class Kind(SimpleNamespace):
    """The facts of a kind of argument from facts.toml, with these defaults."""
    absent = null = keyword = border = ""
    value, shown, optional = "{}", None, {}
    single = none = hidden = index = out = False


KINDS = {name: Kind(**FACTS["kinds"].get(facts.get("like"), {}) | facts)
         for name, facts in FACTS["kinds"].items()}
KINDS = {name + "?": Kind(**vars(k) | k.optional) for name, k in KINDS.items()} | KINDS
LIKE = {name: facts["like"] for name, facts in FACTS["kinds"].items() if "like" in facts}
TENSORS = ("Tensor", "Tensor?", "Mask")  # kinds that C passes as ct_tensor *
VALUES = ("Operand", "Value", "Value?")  # kinds that C passes as ct_value

MAKERS = ("each", "fold", "view", "impl", "inplace", "body")


@dataclass
class Arg:
    name: str
    kind: str
    default: str | None  # in Python's syntax; None: the argument is required
    keyword_only: bool
    special: str = ""  # the kind in the table, if it is `like` another: "Index" for a Tensor

    @property
    def facts(self):
        return KINDS[self.special or self.kind]

    @property
    def is_tensor(self):
        return self.kind in (*TENSORS, *VALUES, "Tensors")


@dataclass
class Row:
    name: str  # in the table, such as "max.dim"
    where: str  # file:line
    args: list[Arg]
    returns: str  # "Tensor", "struct", "Tensors", "bool", "none"
    results: list[str]  # names of several results; [] for a single tensor
    named: list  # names of listed results in C: (name, the argument that requests it, or "")
    forms: set[str]
    keys: dict = field(repr=False, default_factory=dict)

    def __post_init__(self):
        keys, module = self.keys, self.keys.get("module", "")
        self.source, self.doc = Path(self.where).stem.split(".")[0], keys["doc"]
        self.maker = next(m for m in MAKERS if m in keys)
        self.python_name, _, overload = self.name.partition(".")
        each = keys.get("each", {})  # {kind of types: formula}
        self.each = {"any": each} if isinstance(each, str) else each
        # the name in Python with its module: row special_i1e of the module special is special.i1e
        self.path = self.python_name
        if module:
            self.path = f"{module}.{self.path.removeprefix(module.replace('.', '_') + '_')}"
        names = keys.get("aliases", "").split()
        self.aliases = [name for name in names if not name.endswith("_")]
        # Python's names of the in-place form as a function, and whether it is also a method
        self.functions_in_place = {name for name in names if name.endswith("_")}
        self.is_method_in_place = "inplace" in self.forms
        if "function_" in self.forms:
            self.forms = self.forms - {"function_"} | {"inplace"}
            self.functions_in_place.add(self.python_name.rstrip("_") + "_")
        # only other rows and derivatives call it, so it is not in own.h
        self.inner = not self.forms or "internal" in self.forms
        self.public = not self.inner and "own" not in self.forms  # own: only for bindings
        # a row such as [normal_] with only an in-place form; its C name keeps the final underscore
        self.in_place_only = self.python_name.endswith("_")
        self.cname = self.name.replace(".", "_")
        if self.in_place_only and overload:
            self.cname = f"{self.python_name}{overload}_"
        self.inplace_name = self.cname if self.in_place_only else self.cname + "_"
        self.id = "CTI_ROW_" + self.cname.upper()
        self.c_args = [a for a in self.args if a.facts.own]
        self.is_some = keys.get("returns", "").startswith("Some")  # one tensor needs no list
        self.is_unnamed = keys.get("returns", "").startswith("tuple")  # a plain tuple in Python
        self.hooks = keys.get("hooks", {})
        self.read_overloads(keys.get("overloads", []))
        # the arguments with the type of a new tensor; []: not a new tensor
        new = [a.name for a in self.args if a.kind in ("dtype?", "layout?")]
        self.new_by = new if any(a.kind == "layout?" for a in self.args) else []
        # operands of a pointwise formula: tensors, then numbers
        args = [a for a in self.c_args if a.kind != "str?"]
        self.operands = sorted(args, key=lambda a: not a.is_tensor)
        # "any -> bool": compute types, and the result type: same, bool or real
        self.types_name, _, result = keys.get("types", "").partition(" -> ")
        self.types, self.result = TYPES.get(self.types_name, "").split(), result or "same"
        # {argument: formula text}; {} if the row has no derivative. "a b" = "c:..." is one
        # function for the gradients of several arguments, which the first of them calls.
        grad = {} if keys.get("grad", "none") == "none" else keys["grad"]
        self.grad = {name: text for names, text in grad.items() for name in names.split()}
        self.joint = {names.split()[0]: names.split() for names in grad if " " in names}

    def read_overloads(self, overloads):
        """See [inner.overloads] of facts.toml."""
        entries = [{"call": o} if isinstance(o, str) else o for o in overloads]
        said = {key: value for entry in entries for key, value in entry.items()}
        self.calls = {}  # {alias, or "" for the row's name: [signature]}
        for entry in (e for e in entries if {"call", "name"} & e.keys()):
            listed = self.calls.setdefault(entry.get("name", ""), [])
            listed += [entry["call"]] if "call" in entry else []
        self.deprecated = [e["deprecated"] for e in entries if "deprecated" in e]
        self.operators = said.get("operator", "").split()
        self.reflected, self.no_out = said.get("reflected"), said.get("no_out", "").split()
        self.for_number, self.out_row = said.get("number"), said.get("out")
        self.takes_out = "out" in self.forms or self.out_row is not None  # in Python
        # the argument that is a method's self
        named = [a for a in self.args if a.name == said.get("self")]
        self.owner = (named or [a for a in self.args if a.is_tensor] or [None])[0]

    def formula_for(self, suffix):
        """Returns the `each` formula of one compute type."""
        kind = {"b": "bool", "c": "complex", "f": "floating"}.get(suffix[0], "integer")
        return formula.parse(self.each.get(kind, self.each["any"]), self.where)


def parse_call(text, where):
    """Parses PyTorch's signature, such as "(input: Tensor, *, alpha: Number = 1)"."""
    if not (text.startswith("(") and text.endswith(")")):
        raise RowError(f"{where}: call must stand in parentheses: {text}")
    args, keyword_only = [], False
    for part in parts_of(text[1:-1]):
        if part == "*":
            keyword_only = True
            continue
        m = re.fullmatch(r"(\w+): ([\w?]+)(?: = (.+))?", part)
        if not m or m[2] not in KINDS:
            raise RowError(f"{where}: cannot read the argument `{part}`")
        kind, optional = m[2].rstrip("?"), "?" * m[2].endswith("?")
        like = LIKE.get(kind)
        args.append(Arg(m[1], like + optional if like else m[2], m[3], keyword_only,
                        m[2] if like else ""))
    return args


def parts_of(text):
    """Splits a signature into arguments, replacing the name of a group by its arguments."""
    for part in filter(None, (p.strip() for p in split_commas(text))):
        yield from parts_of(GROUPS[part]) if part in GROUPS else [part]


def split_commas(text):
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]]


def parse_returns(text, where):
    """Returns (what C returns, [names of results], [(name, argument that requests it)])."""
    if text in ("Tensor", "Tensors", "bool", "none"):
        return text, [], []
    m = re.fullmatch(r"(?:tuple)?\((.+)\)|(?:Some )?\[(.+)\]", text)
    texts = m[m.lastindex].split(", ") if m else [""]
    parts = [re.fullmatch(r"(\w+): Tensor(?: if (\w+))?", p) for p in texts]
    if None in parts:
        raise RowError(f"{where}: cannot read returns = {text!r}")
    if m[2]:
        return "Tensors", [], [(p[1], p[2] or "") for p in parts]
    return "struct", [p[1] for p in parts], []


def unknown_keys(keys):
    """Returns keys that facts.toml does not list in [keys] or, for inner tables, [inner.*]."""
    found = sorted(set(keys) - set(KEYS))
    for key, known in FACTS["inner"].items():
        tables = keys[key] if isinstance(keys.get(key), list) else [keys.get(key)]
        for inner in (t for t in tables if isinstance(t, dict)):
            found += [f"{key}.{unknown}" for unknown in sorted(set(inner) - set(known))]
    return found


def make_row(name, keys, where):
    made_by = {m for m in MAKERS if m in keys}
    if made_by & {"impl", "view"}:
        made_by -= {"inplace"}
    wrong = [f"has an unknown key: {key}" for key in unknown_keys(keys)]
    wrong += [f"has no {need}" for need in ("call", "doc") if need not in keys]
    if len(made_by) != 1:
        wrong.append(f"needs exactly one of {', '.join(MAKERS)}")
    if "body" not in keys and "grad" not in keys:
        wrong.append('says nothing of its derivative (grad = "none" is written out)')
    types, _, result = keys.get("types", "").partition(" -> ")
    if ("each" in keys and types not in TYPES) or result not in ("", "bool", "real"):
        wrong.append(f"types must be one of {', '.join(TYPES)}, or that and -> bool or -> real")
    if wrong:
        raise RowError(f"{where}: [{name}] {wrong[0]}")
    forms = "function method inplace out" if "each" in keys else "function method"
    if name.split(".")[0].endswith("_"):
        forms = "inplace"
    elif "module" in keys:
        forms = "function out"
    forms = set(keys.get("forms", forms).split())
    returned = parse_returns(keys.get("returns", "Tensor"), where)
    return Row(name, where, parse_call(keys["call"], where), *returned, forms, keys)


def expanded(name, keys, where):
    """Expands a row with `for` to one row for each value."""
    keys = dict(keys)
    lists = keys.pop("for", {})
    lists = {"n": lists} if isinstance(lists, list) else lists
    if len({len(values) for values in lists.values()}) > 1:
        raise RowError(f"{where}: [{name}] has lists of different lengths in `for`")
    text = json.dumps([name, keys])
    for values in zip(*lists.values()) if lists else [()]:
        values = dict(zip(lists, map(str, values)))
        yield json.loads(re.sub(r"\{(\w+)\}", lambda m: values.get(m[1], m[0]), text))


def indent(lines, steps=1):
    """Indents lines of C."""
    return ["    " * steps + line if line else line for line in lines]


def block(head, body):
    return [head, "{", *indent(body), "}"]


def function(head, body):
    """Returns a C function, followed by an empty line."""
    return [*block(head, body), ""]


def by_source(rows):
    """Groups rows by table file, so that the generated files compile in parallel."""
    found = {}
    for row in rows:
        found.setdefault(row.source, []).append(row)
    return found


def tables():
    """Returns the table files in src/ops and its folders."""
    return OPS.rglob("*.toml")


def load(paths):
    rows = []
    for path in sorted(map(Path, paths), key=lambda p: p.name):
        text = path.read_text()
        file = path.resolve().relative_to(OPS) if path.resolve().is_relative_to(OPS) else path.name
        lines = {m[1].strip('"'): text.count("\n", 0, m.start()) + 1
                 for m in re.finditer(r"^\[([^\]]+)\]", text, re.M)}
        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError as e:
            raise RowError(f"{file}: {e}") from None
        for name, keys in table.items():
            where = f"{file}:{lines.get(name, 0)}"
            rows += [make_row(*one, where) for one in expanded(name, keys, where)]
    seen = {}
    for row in rows:
        if row.name in seen:
            raise RowError(f"{row.where}: [{row.name}] stands at {seen[row.name]} already")
        seen[row.name] = row.where
    return rows
