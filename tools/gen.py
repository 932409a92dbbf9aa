# SPDX-License-Identifier: BSD-3-Clause
"""Runs the generator: gen.py --ops FILE... (--out DIR | --list | --write | --check)

--out    writes all generated sources of the build into DIR
--list   prints the names of those files
--write  writes the committed files: include/corten/ops.h, the stubs and docs/reference.md
--check  fails if the committed files are out of date
"""
import argparse
import sys
from pathlib import Path

import emit_cuda
import emit_fold
import emit_front
import emit_grad
import emit_loops
import emit_operators
import emit_ops
import emit_python
import formula
import reference_pages  # in docs/, which emit_python adds to the path
import row_stubs  # in python/stubs/, likewise
import rows as table

ROOT = Path(__file__).resolve().parent.parent


def outputs(rows):
    """Returns {file name: function that makes its text} for the build folder."""
    pointwise = [r for r in rows if r.maker == "each"]
    files = {
        "own.h": lambda: emit_front.emit_own_header(rows),
        "own.json": lambda: reference_pages.emit_json(rows),
        "inner.h": lambda: emit_front.emit_inner_header(rows),
        "rows.h": lambda: emit_front.emit_rows_header(rows),
        "fronts.h": lambda: emit_front.emit_fronts_header(rows),
        "row_facts.c": lambda: emit_front.emit_row_facts(rows),
        "ops.c": lambda: emit_ops.emit_bodies(rows),
        "cuda_rows.cu": lambda: emit_cuda.emit(rows),
        "cuda_row_names.c": lambda: emit_cuda.emit_names(rows),
        "loops_cast.c": emit_loops.emit_casts,
        "loops_table.c": lambda: emit_loops.emit_table(pointwise),
        **emit_fold.outputs(rows),
        **emit_grad.outputs(rows),
        "py_ops.c": lambda: emit_python.emit_ops(rows),
        "py_operators.c": lambda: emit_operators.emit(rows),
    }
    for source, some in table.by_source(rows).items():
        files[f"front_{source}.c"] = lambda a=some, b=source: emit_front.emit_fronts(a, rows, b)
    for source, some in table.by_source(pointwise).items():
        files[f"loops_{source}.c"] = lambda a=some, b=source: emit_loops.emit_loops(a, b)
    return files


def committed(rows):
    return {"include/corten/ops.h": lambda: emit_ops.emit_header(rows),
            **row_stubs.committed(rows), "docs/reference.md": lambda: reference_pages.emit(rows)}


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--ops", nargs="+", default=table.tables())
    p.add_argument("--out", type=Path)
    for flag in ("--list", "--write", "--check"):
        p.add_argument(flag, action="store_true")
    args = p.parse_args()
    try:
        rows = table.load(args.ops)
        if args.list:
            print("\n".join(outputs(rows)))
        for folder, files in ((args.out, outputs), (args.write and ROOT, committed)):
            for name, make in files(rows).items() if folder else ():
                path, text = folder / name, make()
                if not path.exists() or path.read_text() != text:  # avoids recompilation
                    path.write_text(text)
        if args.check:
            stale = [n for n, make in committed(rows).items()
                     if not (ROOT / n).exists() or (ROOT / n).read_text() != make()]
            if stale:
                sys.exit(f"stale, run `make generate`: {', '.join(stale)}")
    except (table.RowError, formula.FormulaError) as e:
        sys.exit(str(e))


if __name__ == "__main__":
    main()
