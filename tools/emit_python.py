# SPDX-License-Identifier: BSD-3-Clause
"""Writes the tables of the Python binding: signatures in PyTorch's order, and calls of own.h."""
import itertools
import sys
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path += [str(ROOT / "docs"), str(ROOT / "python/stubs")]
from help_pages import page
from rows import Arg, block, function, indent, parse_call
from sequence import default_number, default_text

OPS_HEAD = """/* Generated from src/ops: what Python may pass to each operation, and the calls. */
#include "parse/parse.h"

#include <corten/own.h>

"""
RETURNS = {"Tensor": "TENSOR", "struct": "FIELDS", "Tensors": "LIST", "bool": "BOOL",
           "none": "NONE"}


def listed(row, name):
    """Returns the signatures in a row's `overloads` for a name; None: they follow from `call`."""
    return row.calls.get(name.rstrip("_"), row.calls.get(""))


def calls(row, form="function", name=""):
    """Returns PyTorch's signatures of a row, each a list of (argument, its name in the row)."""
    texts = listed(row, name)
    if texts is not None:
        return [[(a, a.name) for a in parse_call(text, row.where)] for text in texts]
    own = row.owner
    values = [a for a in row.args if a.kind.startswith("Value")
              and (form == "function" or a is not own)]
    if not values:
        return [[(a, a.name) for a in row.args]]
    kinds = [k[::-1] for k in itertools.product(("Operand", "Number"), repeat=len(values))]
    if len(values) == sum(a.is_tensor for a in row.args) > 1 and form == "function":
        kinds = kinds[:-1]  # at least one argument must be a tensor
    new = [dict(zip([a.name for a in values], pick)) for pick in kinds]
    return [[(with_kind(a, pick.get(a.name), a is own), a.name) for a in row.args] for pick in new]


def old_calls(row, form, name):
    """Returns deprecated signatures, which PyTorch accepts with a warning; all are positional."""
    if name.rstrip("_") in row.calls:
        return []
    args = {name: replace(a, default=None, keyword_only=False) for a, name in calls(row, form)[0]}
    return [[(args[name], name) for name in names.split()] for names in row.deprecated]


def with_kind(arg, kind, is_self):
    """Gives a Value argument a kind; a Number instead of `input` is called self, as in PyTorch."""
    if kind is None:
        return arg
    name = "self" if is_self and kind == "Number" and arg.name == "input" else arg.name
    return replace(arg, name=name, kind=kind + ("?" if arg.kind.endswith("?") else ""))


def fallback(arg):
    """Returns the C initialiser of a default, or None if the value is absent."""
    default, member = arg.default, arg.facts.member
    if default in (None, "None"):
        return None
    if member == "value":
        number = default_number(default)
        kind = {bool: "bool", int: "int", float: "float"}[type(number)]
        return f"{{.value = {{CT_VALUE_{kind.upper()}, {{.{kind[0]} = {str(number).lower()}}}}}}}"
    if member == "ints":
        inner = [n for n in default.strip("()[]").split(",") if n]
        return f"{{.ints = {{(const int64_t[]){{{', '.join(inner) or 0}}}, {len(inner)}}}}}"
    return f"{{.{member} = {default_text(arg)}}}"


def argument(arg, is_self=False, hidden=False):
    start, optional, facts = fallback(arg), arg.default is not None, arg.facts
    flags = {"PY_DEFAULT": optional, "PY_KEYWORD": arg.keyword_only, "PY_SELF": is_self,
             "PY_HIDDEN": hidden, "PY_NONE": arg.kind.endswith("?") or (optional and facts.none),
             "PY_ABSENT": start is None and (optional or hidden), "PY_SINGLE": facts.single,
             "PY_OUT": facts.out}
    flags = " | ".join(flag for flag, holds in flags.items() if holds) or 0
    shown = facts.shown or str(arg.default).replace('"', r'\"')
    return (f'{{.name = "{arg.name}", .kind = PY_{facts.parser}, .flags = {flags}'
            + (f", .fallback = {start}" if start else "")
            + (f', .shown = "{shown}"' if optional else "") + "}")


def signature(row, args, form, says_out):
    """Returns [(argument text, slot)] in Python's order. Arguments that the signature omits come
    last and hidden. If `says_out`, the signature lists `out`; otherwise it is added, before dtype
    for functions that make new tensors, else at the end."""
    out = Arg("out", "Tensor", "None", True, "Outs" if row.results or row.out_row else "Out")
    takes, slots = row.takes_out and form != "inplace", {"out": len(row.args)}
    slots |= {a.name: i for i, a in enumerate(row.args)}
    if not says_out:  # PyTorch has no `out` where one of certain arguments is a number
        number = any(a.kind == "Number" and name in row.no_out for a, name in args)
        new = [i for i, (_, name) in enumerate(args) if name in row.new_by]
        at = new[0] if new else len(args)
        if new or not number:
            args = [*args[:at], (out, "out"), *args[at:]]
    args, found = [(a, name) for a, name in args if takes or not a.facts.out], []
    for a, name in args:
        is_self = row.owner is not None and name == row.owner.name
        a = replace(a, kind="Tensor") if form == "inplace" and is_self else a
        found.append((argument(a, is_self), slots[name]))
    named = {name for _, name in args}
    left_out = [a for a in [*row.args, *[out] * takes] if a.name not in named]
    return found + [(argument(a, hidden=True), slots[a.name]) for a in left_out]


def call_lines(row, form):
    values = [f"v[{i}].{a.facts.member}" for i, a in enumerate(row.args) if a.facts.own]
    if form == "inplace":
        rest = [v for v, a in zip(values, row.c_args) if a is not row.owner]
        at = row.args.index(row.owner)
        return [f"r->tensor = ct_own_{row.inplace_name}({', '.join([f'v[{at}].tensor', *rest])});"]
    lines, call = [], f"ct_own_{row.cname}({', '.join(values)})"
    out, n = f"v[{len(row.args)}]", len(row.results)
    if "out" in row.forms:
        outs = [f"{out}.list.v[{i}]" for i in range(n)] or [f"{out}.tensor"]
        into = f"ct_own_{row.cname}_out({', '.join(outs + values)})"
        into = f"py_has(&{out}.list, {n}) && {into} ? CT_NO_TENSOR : NULL" if n else into
        lines += [f"if ({out}.{'list.v' if n else 'tensor'}) {{", f"    r->tensor = {into};",
                  "    return;", "}"]
    if row.out_row:
        written = f"ct_own_{row.out_row.replace('.', '_')}({', '.join([*values, out])}.list)"
        lines += [f"if ({out}.list.v) {{", f"    r->tensor = {written} ? CT_NO_TENSOR : NULL;",
                  "    return;", "}"]
    pinned = [i for i, a in enumerate(row.args) if a.kind == "pin_memory?"]
    call = f"py_pinned_if({call}, v[{pinned[0]}].b)" if pinned else call
    answer = {
        "struct": [f"struct ct_{row.cname}_result q = {call};",
                   *(f"r->fields[{i}] = q.{name};" for i, name in enumerate(row.results))],
        "Tensors": [f"r->list = {call};"],
        "bool": [f"int truth = {call};", "r->flag = truth > 0;",
                 "r->tensor = truth < 0 ? NULL : CT_NO_TENSOR;"],
        "none": [f"r->tensor = {call} ? CT_NO_TENSOR : NULL;"],
        "Tensor": [f"r->tensor = {call};"]}
    return lines + answer[row.returns]


class Op:
    """A Python name in one form, with the rows that implement it."""

    def __init__(self, name, form, rows):
        self.base, self.form, self.rows = name, form, rows
        self.id = f"{form}_{name}"
        self.new, self.old = self.signatures(calls), self.signatures(old_calls)

    def called(self, name):
        """Writes an alias, with the same signatures or those that PyTorch has for this name."""
        own = any(name.rstrip("_") in row.calls for row in self.rows)
        return Op(name, self.form, self.rows).emit() if own else self.object(name)

    def signatures(self, find):
        return [(which, row, args) for which, row in enumerate(self.rows)
                for args in find(row, self.form, self.base)]

    def emit(self):
        lines, entries = [], []
        for n, (which, row, args) in enumerate(self.new + self.old):
            says_out = n < len(self.new) and listed(row, self.base) is not None
            found = signature(row, args, self.form, says_out)
            stem = f"{self.id}_{n}"
            slots = ", ".join(str(s) for _, s in found)
            lines += [f"static struct py_arg {stem}[] = {{",
                      *(f"    {text}," for text, _ in found), "};",
                      f"static const uint8_t {stem}_slots[] = {{{slots}}};"]
            returns = "SELF" if self.form == "inplace" else RETURNS[row.returns]
            returns = "SOME" if row.is_some else returns
            entries.append(f"    {{.args = {stem}, .n = {len(found)}, .which = {which}, "
                           f".returns = PY_RETURNS_{returns}, .slots = {stem}_slots}},")
        lines += [f"static struct py_signature {self.id}_signatures[] = {{", *entries, "};"]
        given = "int which, const union py_value *v, struct py_result *r"
        cases = [line for which, row in enumerate(self.rows) for line in (
            f"case {which}: {{", *indent([*call_lines(row, self.form), "return;"]), "}")]
        lines += block(f"static void {self.id}_call({given})", ["switch (which) {", *cases, "}"])
        return lines + self.object(self.base, len(self.old))

    def object(self, name, old=0):
        lines, stem, extra = [], f"{self.form}_{name}", ""
        fields = next((r.results for r in self.rows if r.results), [])
        if fields:
            texts = "".join(f'"{f}", ' for f in fields)
            lines.append(f"static const char *const {stem}_fields[] = {{{texts}NULL}};")
            extra = f", .fields = {stem}_fields" + ", .unnamed = true" * self.rows[0].is_unnamed
        extra += f", .old = {old}" if old else ""
        # written in Python in PyTorch, so errors show the last part of the name
        said = name.removeprefix("signal_windows_").removeprefix("nn_functional_")
        lines.append(f'static struct py_op {stem}_op = {{.name = "{said}", .call = {self.id}_call, '
                     f".signatures = {self.id}_signatures, .n = {len(self.new)}{extra}}};")
        own = shim(stem, stem, self.form, self.takes_nothing()) if self.is_listed() else []
        return lines + own

    def is_listed(self):
        """Whether it is in Python's table of its form; an in-place form may be only a function."""
        return self.form != "inplace" or self.rows[0].is_method_in_place

    def is_function_too(self, name):
        """Whether an in-place form is also a function: torch.exp_(x)."""
        return self.form == "inplace" and any(name in row.functions_in_place for row in self.rows)

    def takes_nothing(self):
        return self.form != "function" and len(self.rows) == 1 and len(self.rows[0].args) == 1


def shim(stem, op, form, takes_nothing=False):
    """Returns the C function that Python calls."""
    head = "PyObject *const *args, Py_ssize_t n, PyObject *names"
    body = [f"return py_method(&{op}_op, self, args, n, names);"]
    if takes_nothing:
        head = "PyObject *none"
        body = ["(void)none;", f"return py_method(&{op}_op, self, NULL, 0, NULL);"]
    elif form == "function":
        body = ["(void)self;", f"return py_function(&{op}_op, args, n, names);"]
    return block(f"static PyObject *{stem}(PyObject *self, {head})", body)


def doc_text(op, name):
    """Returns the help page of a name as a C string literal."""
    text = page(op, name, [(row, calls(row, op.form, name)) for row in op.rows])
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def gather(rows):
    """Returns all operations: functions, methods, in-place methods."""
    ops = []
    for form in ("function", "method", "inplace"):
        named = {}
        for row in rows:
            if form in row.forms and not row.inner and (form == "function" or row.owner):
                name = row.python_name
                name = name.rstrip("_") + "_" if form == "inplace" else name
                named.setdefault(name, []).append(row)
        ops += [Op(name, form, some) for name, some in named.items()]
    return ops


def places(op):
    """Returns [(module, name)] of an operation's Python names; aliases may contain the module."""
    module = op.rows[0].keys.get("module", "") if op.form == "function" else ""
    found = {(module, op.base): None}
    for alias in (n for row in op.rows for n in row.aliases):
        module, _, name = alias.rpartition(".")
        if op.form == "function" and "." in alias:
            found[module, name if "." in module else f"{module}_{name}"] = None
        elif not module:
            found[module, name + "_" * (op.form == "inplace")] = None
    return list(found)


def entry(op, name, form):
    flags = "METH_FASTCALL | METH_KEYWORDS"
    if op.takes_nothing() and form != "function":
        flags = "METH_NOARGS"
    return (f'    {{"{name}", (PyCFunction)(void (*)(void)){form}_{name}, {flags}, '
            f'{doc_text(op, name)}}},')


def emit_ops(rows):
    lines, tables = [OPS_HEAD], {"functions": [], "methods": []}
    for op in gather(rows):
        lines += op.emit()
        for module, name in places(op):
            if name != op.base:
                lines += op.called(name)
            table = module or "functions" if op.form == "function" else "methods"
            if op.is_listed():
                tables.setdefault(table, []).append(entry(op, name, op.form))
            if op.is_function_too(name):
                lines += shim(f"function_{name}", f"inplace_{name}", "function")
                tables["functions"].append(entry(op, name, "function"))
    for table, entries in tables.items():
        lines += [f"static PyMethodDef table_{table.replace('.', '_')}[] = {{", *entries,
                  "    {0},", "};", ""]
    modules = "".join(f' && py_add_submodule(module, "{m}", table_{m.replace(".", "_")})'
                      for m in list(tables)[2:])
    return "\n".join([*lines, *function("bool py_init_ops(PyObject *module)", [
        "return py_add_methods(&py_TensorBase, table_methods) &&",
        f"       PyModule_AddFunctions(module, table_functions) == 0{modules};"])])
