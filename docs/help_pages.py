# SPDX-License-Identifier: BSD-3-Clause
"""Writes the help page of an operation, for Python's help() and for the site.

A page combines four sources: the row in src/ops (summary, signature, results), docs/arguments.toml (the meaning of each argument),
docs/help/*.md (longer texts) and docs/examples.txt. tools/emit_python.py stores the pages in the extension as docstrings, and
site.py shows them as HTML. Standard library only.
"""
import pathlib
import re
import textwrap
import tomllib
from dataclasses import replace

DOCS = pathlib.Path(__file__).resolve().parent
MEANINGS = tomllib.loads((DOCS / "arguments.toml").read_text())
EXAMPLES = {part.split("\n", 1)[0]: part.rstrip().split("\n")[1:]
            for part in re.split(r"\n(?=\w)", (DOCS / "examples.txt").read_text())}
WIDTH = 84
RESULTS = {"Tensor": "Tensor", "Tensors": "tuple of Tensors", "bool": "bool", "none": "None"}
TYPES = {"Tensor | _Number": "Tensor or number", "_Number": "number", "_int | Sequence[_int]": "int or sequence of ints",
         "Sequence[Tensor]": "sequence of Tensors", "Sequence[_float]": "sequence of floats", "_Device": "device"}


def read_texts():
    """Returns {name: text} from docs/help/*.md; a heading may list several names."""
    found = {}
    for path in sorted((DOCS / "help").glob("*.md")):
        for part in re.split(r"^## ", path.read_text(), flags=re.M)[1:]:
            names, _, text = part.partition("\n")
            found |= dict.fromkeys(names.strip().split(", "), text.strip("\n"))
    return found


TEXTS = read_texts()


def meaning(row, name):
    """Returns the meaning of an argument: its entry for this operation, else that of its family, else the common one."""
    path = row.path.rstrip("_")
    for table in (MEANINGS["of"].get(path, {}), MEANINGS["family"].get(row.source, {}), MEANINGS["common"]):
        if name in table:
            return table[name]
    return ""


def shown(call, row, form):
    """Returns the arguments of one call as Python code. A list of sizes (in some rows, of tensors) becomes `*size` if it is the
    only positional argument."""
    args = [a for a, name in call if form == "function" or not (row.owner and name == row.owner.name)]
    args = [a for a in args if form == "function" or not a.facts.out]
    before = [a for a in args if not a.keyword_only]
    alone = len(before) == 1 and (before[0].kind == "ints" or before[0].special == "TensorArgs")
    texts, star = ["$self"] * (form != "function"), False
    for a in args:
        if alone and a is before[0]:
            texts.append("*" + a.name)
            star = True
            continue
        if a.keyword_only and not star:
            texts.append("*")
            star = True
        texts.append(a.name if a.default is None else f"{a.name}={a.default}")
    if form == "function" and row.takes_out and "out" not in (a.name for a in args):
        texts += ["out=None"] if star else ["*", "out=None"]
    return ", ".join(texts)


def result(row, form):
    if form == "inplace":
        return "Tensor"
    return f"({', '.join(row.results)})" if row.results else RESULTS[row.returns]


def ordered(listed):
    """Sorts the rows of a name so that the one without a suffix comes first: `max`, then `max.dim`."""
    return sorted(listed, key=lambda entry: "." in entry[0].name)


def covers(row, calls):
    """Returns whether the row's own signature describes all calls: the arguments that a call omits have defaults and come last."""
    names = [a.name for a in row.args if not a.keyword_only]
    for call in filter(call_is_usual, calls):
        given = [a.name for a, _ in call if not a.keyword_only]
        left_out = [a for a in row.args if a.name not in {a.name for a, _ in call} and not a.facts.out]
        if given != names[:len(given)] or not {a.name for a, _ in call if not a.facts.out} <= {a.name for a in row.args}:
            return False
        if any(a.default is None for a in left_out):
            return False
    return True


def calls_of(op, listed):
    """Returns [(row, [its calls as strings])]; calls that differ only in types and defaults are merged."""
    seen, found = set(), []
    if len(listed) == 1 and covers(*listed[0]):
        row = listed[0][0]
        return [(row, [shown([(a, a.name) for a in row.args], row, op.form)])]
    for row, calls in ordered(listed):
        texts, alike = [], {}
        for call in filter(call_is_usual, calls):
            alike.setdefault(tuple(a.name for a, _ in call if not a.keyword_only), []).append(call)
        for same in alike.values():  # they differ only in keywords; a keyword that one of them lacks is optional
            always = set.intersection(*({a.name for a, _ in call} for call in same))
            call = [(a if a.default or a.name in always else replace(a, default="None"), name) for a, name in max(same, key=len)]
            names = tuple((a.name, a.keyword_only) for a, _ in call if not a.facts.out)
            if names not in seen:
                texts.append(shown(call, row, op.form))
            seen.add(names)
        if texts:
            found.append((row, texts))
    return found


def call_is_usual(call):
    """Returns False for the signatures in which a number takes the position of the tensor; PyTorch calls that argument `self`."""
    return not any(a.name == "self" and name == "input" for a, name in call)


def summary(row, form):
    """Returns the summary of a row; for an in-place form, it refers to the operation whose result is written back."""
    if form != "inplace" or row.in_place_only:
        return row.doc
    return f"In-place version of `{row.python_name}`, which {row.doc[0].lower()}{row.doc[1:]}"


def kind_of(arg):
    stub = TYPES.get(arg.facts.stub, arg.facts.stub.replace(" | ", " or ").replace("_", "", arg.facts.stub.startswith("_")))
    return stub + " or None" * arg.kind.endswith("?")


def arguments(op, listed):
    """Returns [(name, type, meaning)] of the arguments of all calls."""
    found = {}
    for row, calls in ordered(listed):
        for call in filter(call_is_usual, calls):
            for a, name in call:
                own = row.owner is not None and name == row.owner.name
                if op.form == "function" or not (own or a.facts.out):
                    kind, default = kind_of(a), a.default
                    text = meaning(row, a.name)
                    given = found.setdefault(a.name, ([], text, default))
                    given[0].extend(k for k in kind.split(" or ") if k not in given[0])
    if op.form == "function" and any(row.takes_out for row, _ in listed):
        kind = "tuple of Tensors" if any(row.results or row.out_row for row, _ in listed) else "Tensor"
        found.pop("out", None)
        found["out"] = ([kind + " or None"], MEANINGS["common"]["out" if kind == "Tensor" else "outs"], "None")
    return [(name, " or ".join(sorted(kinds, key="None".__eq__)), text + f" Default: `{default}`." * (default not in (None, "None")))
            for name, (kinds, text, default) in found.items()]


def as_method(text, op, row):
    """Replaces the name of the tensor on which a method is called by `self`, inside backticks."""
    if op.form == "function" or not row.owner:
        return text
    word = re.compile(rf"\b{row.owner.name}\b(?! *=[^=])")
    return re.sub(r"`[^`\n]*`", lambda m: word.sub("self", m[0]), text)


def long_text(op):
    """Returns the longer text of an operation; that of an in-place form is the same for all operations."""
    row = ordered([(r, None) for r in op.rows])[0][0]
    if op.form == "inplace" and not row.in_place_only:
        return "Writes the result into this tensor and returns the tensor, so that no memory is allocated."
    return TEXTS.get(row.path, TEXTS.get(op.base, ""))


def example(op):
    return EXAMPLES.get(op.base) or EXAMPLES.get(op.base.rstrip("_"), [])


def fill(text, indent=""):
    """Wraps paragraphs and list items to the width of a page; indented lines are unchanged."""
    parts = []
    for part in text.split("\n\n"):
        lines = part.split("\n")
        if all(line.startswith("- ") for line in lines):
            parts.append("\n".join(textwrap.fill(line, WIDTH, initial_indent=indent, subsequent_indent=indent + "  ",
                                                 break_long_words=False, break_on_hyphens=False) for line in lines))
            continue
        plain = not any(line.startswith((" ", "- ", "|")) for line in lines)
        parts.append(textwrap.fill(" ".join(lines), WIDTH, initial_indent=indent, subsequent_indent=indent,
                                   break_long_words=False, break_on_hyphens=False) if plain
                     else "\n".join(indent + line for line in lines))
    return "\n\n".join(parts)


def page(op, name, listed):
    """Returns the docstring of `name`; `listed` is [(row, its calls)]. A single call becomes the signature, which inspect.signature
    and editors read. Several calls are listed at the beginning, since no single signature describes them all."""
    calls = calls_of(op, listed)
    main, lines = calls[0][0], []
    plain = name.removeprefix(main.keys.get("module", "").replace(".", "_") + "_")
    literal = not re.search(r"=[a-z_]+[a-z.]|\bfrom=", calls[0][1][0])  # inspect cannot parse names as defaults, or `from`
    if literal and sum(len(texts) for _, texts in calls) == 1:
        lines = [f"{name}({calls[0][1][0]})", "--", "", fill(summary(main, op.form)), ""]
    else:
        same = len({row.doc for row, _ in calls}) == 1
        for row, texts in calls:
            for text in texts:
                call = f"{plain}({text.replace('$self, ', '').replace('$self', '')}) -> {result(row, op.form)}"
                lines += textwrap.wrap(call, WIDTH, subsequent_indent=" " * (len(plain) + 1), break_on_hyphens=False)
            lines += [] if same else [fill(summary(row, op.form), "    ")]
        lines += ["", fill(summary(main, op.form)), ""] if same else [""]
    text = long_text(op)
    lines += [fill(text), ""] if text else []
    args = arguments(op, listed)
    if args:
        lines.append("Arguments:")
        for arg, kind, said in args:
            lines += textwrap.wrap(f"{arg} ({kind}): {said}".rstrip(), WIDTH, initial_indent="    ", subsequent_indent="        ",
                                   break_long_words=False, break_on_hyphens=False)
        lines.append("")
    results = list(dict.fromkeys(result(row, op.form) for row, _ in calls))
    if op.form == "inplace":
        lines += ["Returns:", "    Tensor: this tensor.", ""]
    elif len(results) == 1:
        made = results[0] if results[0][0] != "(" else f"tuple of Tensors {results[0]}"
        lines += ["Returns:", f"    {made}", ""]
    shown_example = example(op)
    lines += ["Example:", *shown_example] if shown_example else []
    return as_method("\n".join(lines).rstrip(), op, main)
