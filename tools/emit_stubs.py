# SPDX-License-Identifier: BSD-3-Clause
"""python/corten/__init__.pyi: what is written by hand in stubs.pyi.in, and every row."""
import keyword
from pathlib import Path

from emit_python import calls, gather, places

HEAD = Path(__file__).resolve().parent.parent / "python" / "stubs.pyi.in"
MODULE_HEAD = HEAD.with_name("module.pyi.in").read_text()
BY_HAND = {"linalg": ["", "class LinAlgError(RuntimeError): ..."]}
RETURNS = {"Tensor": "Tensor", "Tensors": "tuple[Tensor, ...]", "bool": "_bool", "none": "None"}


def parameter(arg):
    none = " | None" if arg.kind.endswith("?") or arg.default == "None" else ""
    name = arg.name + "_" * keyword.iskeyword(arg.name)
    return f"{name}: {arg.facts.stub}{none}{'' if arg.default is None else ' = ...'}"


def parameters(row, args, form, self_name, own_name="self"):
    """The list between parentheses; sizes may come one by one where they are alone."""
    found, star = [own_name] if form != "function" else [], False
    if form != "function":
        args = [a for a in args if a.name != self_name]
    shapes = [a for a in args if not a.keyword_only]
    loose = len(shapes) == 1 and shapes[0].kind == "ints"
    for a in args:
        if a.facts.out and form != "function":
            continue
        if loose and a is shapes[0]:
            found.append(f"*{a.name}: _int | Sequence[_int]")
            star = True
            continue
        if a.keyword_only and not star:
            found.append("*")
            star = True
        found.append(parameter(a))
    if form == "function" and row.takes_out and not row.calls.get(""):
        if not star:
            found.append("*")
        kind = "tuple[Tensor, ...]" if row.results or row.out_row else "Tensor"
        found.append(f"out: {kind} | None = ...")
    return ", ".join(found)


def result(row, form):
    if form == "inplace":
        return "Tensor"
    some = "Tensor | " if row.is_some else ""
    return some + (f"_{row.cname}_result" if row.returns == "struct" else RETURNS[row.returns])


def definitions(op, name, indent="", own_name="self"):
    """The overloads of a name; `own_name` is what the tensor of a method is called."""
    texts = {}
    for row in op.rows:
        own = row.owner
        for call in calls(row, op.form, name):
            between = parameters(row, [a for a, _ in call], op.form, own.name if own else "",
                                 own_name)
            texts[f"{indent}def {name}({between}) -> {result(row, op.form)}: ..."] = None
    overload = [f"{indent}@overload"] if len(texts) > 1 else []
    return [line for text in texts for line in (*overload, text)]


def result_classes(rows):
    return [line for row in rows if row.results for line in (
        f"class _{row.cname}_result(NamedTuple):", *(f"    {r}: Tensor" for r in row.results), "")]


def emit(rows):
    methods, functions = [], []
    for op in sorted(gather(rows), key=lambda o: o.base):
        into, indent = (functions, "") if op.form == "function" else (methods, "    ")
        for module, name in places(op):
            if not module and op.is_listed():
                into += definitions(op, name, indent)
            if op.is_function_too(name):
                functions += definitions(op, name, own_name="input: Tensor")
    text = HEAD.read_text()
    for mark, lines in (("    # rows: methods", methods), ("# rows: functions", functions),
                        ("# rows: results", result_classes(rows))):
        text = text.replace(mark + "\n", "\n".join(lines) + "\n")
    return text


def emit_module(module, rows):
    """The stub of a module that has hardly more than rows."""
    named = {name.removeprefix(module + "_"): op for op in gather(rows) for home, name in places(op)
             if home == module}
    lines = [line for name in sorted(named) for line in definitions(named[name], name)]
    results = sorted({f"_{r.cname}_result" for op in named.values() for r in op.rows if r.results})
    head = [f"from . import {name}" for name in results] + BY_HAND.get(module, [])
    return MODULE_HEAD + "\n".join([*head, *[""][:len(head)], *lines, ""])


def committed(rows):
    return {"python/corten/__init__.pyi": lambda: emit(rows),
            **{f"python/corten/{name}.pyi": lambda name=name: emit_module(name, rows)
               for name in ("fft", "linalg", "sparse", "special")}}
