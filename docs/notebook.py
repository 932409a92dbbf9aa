# SPDX-License-Identifier: BSD-3-Clause
"""Runs the tutorials, which are notebooks: notebook.py [--write] FILE ... Standard library and Corten only.

Each cell runs as in Jupyter: its output is what it prints, followed by the value of its last expression, with an image if the value
has one. Without --write, the outputs must equal those stored in the file; with --write, they are stored there.
"""
import ast
import contextlib
import io
import json
import sys
import warnings


def shown(value):
    """Returns the MIME bundle of a value, as Jupyter requests it: {type: text}."""
    bundle = value._repr_mimebundle_() if hasattr(value, "_repr_mimebundle_") else {"text/plain": repr(value)}
    if hasattr(value, "_repr_svg_"):
        bundle["image/svg+xml"] = value._repr_svg_()
    return {kind: text for kind, text in bundle.items() if text is not None}


def run_cell(source, names, number):
    """Runs a cell and returns its outputs in the format of a notebook."""
    tree, last = ast.parse(source), None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
    printed, outputs, value = io.StringIO(), [], None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"<cell {number}>", "exec"), names)
        if last is not None:
            value = eval(compile(last, f"<cell {number}>", "eval"), names)
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
    if value is not None and not source.rstrip().endswith(";"):
        outputs.append({"data": {kind: lines(text) for kind, text in shown(value).items()}, "execution_count": number,
                        "metadata": {}, "output_type": "execute_result"})
    return outputs


def lines(text):
    return text.splitlines(keepends=True)


def run(notebook):
    """Runs all cells and returns the notebook with their outputs; a warning is an error."""
    names, number = {"__name__": "__main__"}, 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                number += 1
                cell["execution_count"] = number
                cell["outputs"] = run_cell("".join(cell["source"]), names, number)
    return notebook


def text_of(notebook):
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def main(args):
    write, stale = "--write" in args, []
    for path in (a for a in args if a != "--write"):
        with open(path) as f:
            before = f.read()
        after = text_of(run(json.loads(before)))
        if write and after != before:
            with open(path, "w") as f:
                f.write(after)
        elif after != before:
            stale.append(path)
    for path in stale:
        print(f"{path}: the output of a cell differs from the one stored in the file (run notebook.py --write to update it)", file=sys.stderr)
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
