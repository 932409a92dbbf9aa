# SPDX-License-Identifier: BSD-3-Clause
"""Generates docs/reference.md, which lists all operations that Python or C can call, by family; and own.json,
the same list for programs that generate bindings. tools/gen.py calls this file."""
import json

from emit_front import c_forms
from emit_ops import forms
from rows import by_source
from sequence import default_text

HEAD = """# Operations
<!-- Generated from src/ops by `make generate`. -->

This page lists every operation in a few lines; `help(corten.add)` and the pages of operations on the
site (`make docs`) also explain the arguments and have examples.

Signatures, results and errors are those of PyTorch 2.15. `Operand` and `Value` stand for a tensor
or a number. Each entry lists the forms of its operation: function `add(x, y)`, method `x.add(y)`, inplace
`x.add_(y)`, out `add(x, y, out=r)`. The last line of an entry shows the C call: arguments that begin
with a dot are keywords, shown with their defaults; see [c-api.md](c-api.md).
"""


def c_call(form):
    """Returns the call as it is written in C."""
    given = [*form.first, *(a.name for a in form.positional)]
    given += [f".{a.name} = {default_text(a, True)}" for a in form.keywords]
    return f"{form.result}{form.name}({', '.join(given)})"


def signature(row):
    """Returns the signature in the notation of PyTorch's documentation."""
    texts = [f"{a.name}: {a.kind}" + (f" = {a.default}" if a.default else "") for a in row.args]
    for i in [i for i, a in enumerate(row.args) if a.keyword_only][:1]:
        texts.insert(i, "*")
    return f"({', '.join(texts)})"


def entry(row):
    keys = row.keys
    facts = [", ".join(f for f in ("function", "method", "inplace", "out") if f in row.forms)]
    if row.operators:
        facts.append(", ".join(f"`{s}`" for s in row.operators))
    if row.aliases:
        facts.append("also " + ", ".join(row.aliases))
    if row.types:
        facts.append(f"types {row.types_name}")
    if row.maker in ("each", "body"):
        facts.append(f"`{row.each.get('any') or keys['body']}`")
    if row.grad or row.maker == "body":
        facts.append("differentiable")
    facts = "; ".join(filter(None, facts))
    return (f"- **{row.name}**`{signature(row)}` -> {keys.get('returns', 'Tensor')}  \n"
            f"  {row.doc} *{facts}*  \n  {', '.join(f'`{c_call(f)}`' for f in forms(row))}")


def emit(rows):
    shown = [r for r in rows if r.public and r.forms - {"c"}]
    return HEAD + "".join(
        f"\n## {name}\n\n" + "\n".join(map(entry, some)) + "\n"
        for name, some in by_source(shown).items())


def emit_json(rows):
    """Returns JSON that describes each function of own.h: its arguments, in order, and its result."""
    return "[\n" + ",\n".join(json.dumps({
        "name": r.name, "python": r.path, "aliases": r.aliases,
        "doc": r.doc, "forms": sorted(r.forms), "results": r.results,
        "functions": [{"form": form, "name": f"ct_own_{name}", "returns": result.strip(),
                       "args": [*first, *(a.name for a in args)]}
                      for form, name, first, args, result in c_forms(r)],
        "args": [{"name": a.name, "kind": a.kind, "type": a.facts.own.strip(),
                  "default": a.default, "keyword_only": a.keyword_only} for a in r.c_args],
    }) for r in rows if r.public) + "\n]\n"
