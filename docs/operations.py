# SPDX-License-Identifier: BSD-3-Clause
"""Generates the site's pages on interfaces, as Markdown. The pages on operations come from the rows and show the text of help() and
the Python and C calls; the pages on Python modules come from docstrings. site.py calls this file. It needs only the standard
library, and Corten itself for the modules."""
import importlib
import inspect
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / "tools"), str(ROOT / "docs")]

import emit_ops
import emit_python
import help_pages
import reference_pages
import rows as table

MODULES = ["nn", "nn.functional", "nn.init", "nn.utils", "optim", "optim.lr_scheduler", "autograd", "func", "amp", "utils.data",
           "distributions", "masked", "cuda", "distributed"]
# The subject of each .toml file: the beginning of its first comment.
HEADS = {path.stem: re.split(r": |, computed|, on the |, and grids| \(|\. |[.:]$", re.search(r"^# (?!SPDX)(.*)$", path.read_text(), re.M)[1])[0]
         for path in table.tables()}


def named(row):
    """Returns the Python path of a function: corten.linalg.det, corten.add."""
    return "corten." + row.path


def python_calls(ops):
    """Returns the calls of all forms of a name, one per line."""
    lines = []
    for op in ops:
        for row, texts in help_pages.calls_of(op, [(row, emit_python.calls(row, op.form, op.base)) for row in op.rows]):
            for text in texts:
                text = text.replace("$self, ", "").replace("$self", "")
                name = named(row) if op.form == "function" else f"Tensor.{op.base}"
                lines.append(f"{name}({text}) -> {help_pages.result(row, op.form)}")
    return lines


def entry(ops):
    """Returns the section on an operation: calls, text, arguments, example."""
    op = ops[0]
    listed = [(row, emit_python.calls(row, op.form, op.base)) for row in op.rows]
    rows = [row for row, _ in help_pages.ordered(listed)]
    c_calls = dict.fromkeys(reference_pages.c_call(form) for one in ops for row in one.rows for form in emit_ops.forms(row))
    title = named(rows[0]) if op.form == "function" else f"Tensor.{op.base}"
    parts = [f"## {title}", "\n\n".join(dict.fromkeys(row.doc for row in rows)), help_pages.long_text(op),
             "```python\n" + "\n".join(python_calls(ops)) + "\n```"]
    if c_calls:
        parts.append("```c\n" + "\n".join(c_calls) + "\n```")
    arguments = help_pages.arguments(op, listed)
    if arguments:
        parts.append("\n".join(f"- `{name}` ({kind}): {text}" for name, kind, text in arguments))
    example = "\n".join(line[4:] for line in help_pages.example(op))
    parts += [f"```python\n{example}\n```"] if example else []
    return "\n\n".join(filter(None, parts))


def operation_pages():
    """Yields (file name, title, Markdown) for each family of operations."""
    rows = table.load(table.tables())
    found = {}
    for op in emit_python.gather(rows):
        if any(row.public for row in op.rows):
            family = next(row.source for row in op.rows if row.public)
            found.setdefault(family, {}).setdefault(op.base.rstrip("_"), []).append(op)
    for family, ops in sorted(found.items()):
        title = "Operations: " + family.replace("_", " ")
        text = "\n\n".join(entry(ops[name]) for name in sorted(ops))
        yield f"operations-{family}.html", title, f"# {title}\n\n{HEADS[family]}.\n\n{text}\n"


def signature(value):
    try:
        return str(inspect.signature(value))
    except (TypeError, ValueError):
        return "(...)"


def documented(name, value):
    """Returns the section on a class or function of a module."""
    doc = inspect.getdoc(value) or ""
    lines = [f"## {name}", f"```python\n{name}{signature(value)}\n```", f"```text\n{doc}\n```"]
    if inspect.isclass(value):
        for member, function in vars(value).items():
            if member[0] != "_" and inspect.isfunction(function) and function.__doc__:
                lines.append(f"- `{member}{signature(function)}`: {' '.join(inspect.getdoc(function).split(chr(10) * 2)[0].split())}")
    return "\n\n".join(lines)


def module_pages():
    """Yields (file name, title, Markdown) for each module that is written in Python."""
    for name in MODULES:
        module = importlib.import_module("corten." + name)
        names = [n for n in sorted(dir(module)) if n[0] != "_"]
        values = [(n, v) for n in names if (inspect.isclass(v := getattr(module, n)) or inspect.isroutine(v))
                  and str(getattr(v, "__module__", "")).startswith("corten")]
        title = "corten." + name
        head = (inspect.getdoc(module) or "").strip()
        text = "\n\n".join(documented(f"{title}.{n}", v) for n, v in values)
        yield f"module-{name.replace('.', '-')}.html", title, f"# {title}\n\n```text\n{head}\n```\n\n{text}\n"
