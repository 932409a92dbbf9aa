# SPDX-License-Identifier: BSD-3-Clause
"""Writes python/corten/__init__.pyi: the handwritten stubs.pyi.in, and every row."""
import ast
import keyword
import re
from pathlib import Path

from emit_python import calls, gather, places

HEAD = Path(__file__).resolve().parent.parent / "stubs.pyi.in"
PACKAGE = HEAD.parent / "corten"
MODULE_HEAD = HEAD.with_name("module.pyi.in").read_text()
BY_HAND = {"fft": ["from corten import Tensor as Tensor"],
           "linalg": ["", "class LinAlgError(RuntimeError): ..."]}
RETURNS = {"Tensor": "Tensor", "Tensors": "tuple[Tensor, ...]", "bool": "_bool", "none": "None"}


def parameter(arg):
    none = " | None" if arg.kind.endswith("?") or arg.default == "None" else ""
    name = arg.name + "_" * keyword.iskeyword(arg.name)
    return f"{name}: {arg.facts.stub}{none}{'' if arg.default is None else ' = ...'}"


def parameters(row, args, form, self_name, own_name="self"):
    """Returns the parameter list; sizes that are the only argument may be passed one by one."""
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
    if row.is_some:
        return "Any"  # a tensor or a tuple; checkers would reject most uses of a union
    return f"_{row.cname}_result" if row.returns == "struct" else RETURNS[row.returns]


def accepts(text):
    """Returns [(name, types, is optional)] of the parameters of a definition."""
    a = ast.parse(text.strip()).body[0].args
    none = [None] * (len(a.args) - len(a.defaults))
    found = [*zip(a.args, none + a.defaults), *[(v, v) for v in [a.vararg] if v],
             *zip(a.kwonlyargs, a.kw_defaults)]
    return [(v.arg, set(ast.unparse(v.annotation or v).split(" | ")), default is not None)
            for v, default in found]


def is_covered(text, earlier):
    """Whether an earlier overload accepts every call of this one, which type checkers report."""
    ours, theirs = accepts(text), {name: rest for name, *rest in accepts(earlier)}
    names = [name for name, *_ in ours]
    shared = [name for name in theirs if name in names]
    return (names == list(theirs)[:len(names)] == shared
            and all(optional for name, (_, optional) in theirs.items() if name not in names)
            and all(types <= theirs[n][0] and theirs[n][1] >= optional
                    for n, types, optional in ours))


def definitions(op, name, indent="", own_name="self"):
    """Returns the overloads of a name; in a method, self replaces the parameter `own_name`."""
    texts = {}
    for row in op.rows:
        own = row.owner
        for call in calls(row, op.form, name):
            between = parameters(row, [a for a, _ in call], op.form, own.name if own else "",
                                 own_name)
            text = f"{indent}def {name}({between}) -> {result(row, op.form)}: ..."
            renamed = re.sub(r"\bdim: ", "axis: ", text).replace("keepdim: ", "keepdims: ")
            for form in (text, renamed) if "keepdim: " in text else (text,):  # NumPy's names
                if not any(is_covered(form, earlier) for earlier in texts):
                    texts[form] = None
    overload = [f"{indent}@overload"] if len(texts) > 1 else []
    return [line for text in texts for line in (*overload, text)]


def result_classes(rows):
    return [line for row in rows if row.results for line in (
        f"class _{row.cname}_result(NamedTuple):", *(f"    {r}: Tensor" for r in row.results), "")]


def names_in(text, owner=""):
    """Returns the names that a stub, or a class in it, defines."""
    body = ast.parse(text).body
    if owner:
        body = next(n for n in body if isinstance(n, ast.ClassDef) and n.name == owner).body
    return {n.name if hasattr(n, "name") else ast.unparse(n.target) for n in body
            if isinstance(n, (ast.FunctionDef, ast.ClassDef, ast.AnnAssign))}


def lazy_imports(text):
    """Returns imports of names that the package loads lazily: the table _LAZY of __init__.py."""
    scope = {}
    for node in ast.parse((PACKAGE / "__init__.py").read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("_OLD_KINDS", "_LAZY"):
            exec(ast.unparse(node), scope)
    known = names_in(text)
    return [f"from .{home} import {name} as {name}" for name, home in sorted(scope["_LAZY"].items())
            if name not in known]


def emit(rows):
    methods, functions, text = [], [], HEAD.read_text()
    by_hand = names_in(text), names_in(text, "Tensor")
    for op in sorted(gather(rows), key=lambda o: o.base):
        into, indent = (functions, "") if op.form == "function" else (methods, "    ")
        for module, name in places(op):
            if not module and name in by_hand[into is methods]:
                continue
            if not module and op.is_listed():
                into += definitions(op, name, indent)
            if op.is_function_too(name):
                functions += definitions(op, name, own_name="input: Tensor")
    for mark, lines in (("    # rows: methods", methods), ("# rows: functions", functions),
                        ("# rows: results", result_classes(rows))):
        text = text.replace(mark + "\n", "\n".join(lines) + "\n")
    return text.replace("# lazy names\n", "\n".join(lazy_imports(text)) + "\n")


def in_python(module):
    """Returns the functions that a package's files _*.py define; some replace a row."""
    found = set()
    for path in (PACKAGE / module.replace(".", "/")).parent.glob("_*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                found |= {e.value for e in node.value.elts if isinstance(e, ast.Constant)}
    return found


def emit_module(module, rows):
    """Returns the stub of a module that consists of rows, or of the rows in a larger module."""
    start = module.replace(".", "_") + "_"
    named = {name.removeprefix(start): op for op in gather(rows) for home, name in places(op)
             if home == module}
    if "." in module:
        named = {name: op for name, op in named.items() if name not in in_python(module)}
    lines = [line for name in sorted(named) for line in definitions(named[name], name)]
    results = sorted({f"_{r.cname}_result" for op in named.values() for r in op.rows if r.results})
    head = [f"from corten import {name}" for name in results] + BY_HAND.get(module, [])
    return MODULE_HEAD + "\n".join([*head, *[""][:len(head)], *lines, ""])


def committed(rows):
    return {"python/corten/__init__.pyi": lambda: emit(rows),
            **{f"python/corten/{name}.pyi": lambda name=name: emit_module(name, rows)
               for name in ("fft", "linalg", "special")},
            **{f"python/corten/{file}.pyi": lambda name=name: emit_module(name, rows)
               for file, name in (("nn/_rows", "nn.functional"), ("_sparse_rows", "sparse"),
                                 ("signal/windows/_rows", "signal.windows"))}}
